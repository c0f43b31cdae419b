import path from "node:path";

import type { KubeconfigCluster, KubeconfigUser } from "./kubeconfig-entries.ts";

/**
 * Returns a cluster whose relative paths are resolved against a folder.
 *
 * client-go: tools/clientcmd.ResolvePaths
 */
export function resolveClusterPaths(cluster: KubeconfigCluster, folder: string): KubeconfigCluster {
  return mapClusterPaths(cluster, (file) => path.resolve(folder, file));
}

/** Returns a user whose relative paths are resolved against a folder; a command without a folder is found through `PATH`, and stays. */
export function resolveUserPaths(user: KubeconfigUser, folder: string): KubeconfigUser {
  return mapUserPaths(user, (file) => path.resolve(folder, file));
}

/**
 * Returns a cluster whose paths are relative to a folder, unless they are outside of it.
 *
 * client-go: tools/clientcmd.RelativizeClusterLocalPaths
 */
export function relativizeClusterPaths(cluster: KubeconfigCluster, folder: string): KubeconfigCluster {
  return mapClusterPaths(cluster, (file) => relativize(file, folder));
}

/**
 * Returns a user whose paths are relative to a folder, unless they are outside of it.
 *
 * client-go: tools/clientcmd.RelativizeAuthInfoLocalPaths
 */
export function relativizeUserPaths(user: KubeconfigUser, folder: string): KubeconfigUser {
  return mapUserPaths(user, (file) => relativize(file, folder));
}

type PathMapping = (file: string) => string;

function mapClusterPaths(cluster: KubeconfigCluster, map: PathMapping): KubeconfigCluster {
  return withPaths(cluster, ["certificate-authority"], map);
}

function mapUserPaths(user: KubeconfigUser, map: PathMapping): KubeconfigUser {
  const mapped = withPaths(user, ["client-certificate", "client-key", "tokenFile"], map);
  const command = user.exec?.command;
  // A bare name is resolved through PATH; only a command with a folder is a path.
  return typeof command === "string" && /[\\/]/u.test(command)
    ? { ...mapped, exec: { ...user.exec, command: map(command) } }
    : mapped;
}

function withPaths<V extends object>(value: V, fields: readonly (keyof V)[], map: PathMapping): V {
  const result = { ...value };
  for (const field of fields) {
    const original = result[field];
    if (typeof original === "string" && original !== "") {
      result[field] = map(original) as V[keyof V];
    }
  }
  return result;
}

function relativize(file: string, folder: string): string {
  const base = path.resolve(folder);
  const absolute = path.resolve(base, file);
  const relative = path.relative(base, absolute) || ".";
  const isOutside = relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return isOutside ? absolute : relative;
}
