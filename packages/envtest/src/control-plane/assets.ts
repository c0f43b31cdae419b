import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import path from "node:path";

import { KUBERNETES_MINOR } from "@kubescaffold/k8s";

import { cacheFolder } from "../binaries/cache-folder.ts";
import { AssetMissingError } from "../failures/errors.ts";

/** A binary of the control plane. */
export type AssetName = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kubectl" | "kwok";

/** Options of {@link resolveAsset}. */
export interface AssetOptions {
  /** The folder of the binaries; takes precedence over `KUBEBUILDER_ASSETS`. */
  readonly directory?: string | undefined;
  /** The environment variables. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The minor version that is preferred in the user's cache. Default: that of the embedded server by default. */
  readonly minor?: string;
}

const LAST_RESORT = "/usr/local/kubebuilder/bin";

/**
 * Returns the path of a binary: `TEST_ASSET_<NAME>`, then the given directory, `KUBEBUILDER_ASSETS`,
 * the control plane of `build-control-plane` in the user's cache, and upstream's default folder.
 *
 * Fails: {@link AssetMissingError} when none of them contains it.
 */
export async function resolveAsset(name: AssetName, options: AssetOptions = {}): Promise<string> {
  const env = options.env ?? process.env;
  const override = env[`TEST_ASSET_${name.toUpperCase().replaceAll("-", "_")}`];
  if (override) return override;
  const folders = await assetFolders(options, env);
  for (const folder of folders) {
    const file = path.join(folder, process.platform === "win32" ? `${name}.exe` : name);
    if (await isExecutable(file)) return file;
  }
  throw new AssetMissingError(name, folders);
}

async function assetFolders(
  { directory, minor = KUBERNETES_MINOR }: AssetOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  if (directory) return [directory];
  if (env["KUBEBUILDER_ASSETS"]) return [env["KUBEBUILDER_ASSETS"]];
  return [...(await cachedControlPlanes(env, minor)), LAST_RESORT];
}

// The preferred version comes first, which is that of the embedded server, so that both backends behave alike; then the newest one, by numeric order.
async function cachedControlPlanes(
  env: Readonly<Record<string, string | undefined>>,
  minor: string,
): Promise<readonly string[]> {
  const folder = cacheFolder("control-plane", env);
  const versions = (await readdir(folder).catch(() => [])).filter((name) => /^v\d+\.\d+\.\d+$/u.test(name));
  return versions
    .sort((a, b) => Number(isOf(b, minor)) - Number(isOf(a, minor)) || b.localeCompare(a, "en", { numeric: true }))
    .map((version) => path.join(folder, version));
}

function isOf(version: string, minor: string): boolean {
  return version.startsWith(`v${minor}.`);
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
