import { readFile } from "node:fs/promises";
import path from "node:path";

import type { RestConfig } from "@kubescaffold/k8s";

import { NotInClusterError } from "./errors.ts";

/** What the config of a pod is made from; each has the value that Kubernetes gives it. */
export interface InClusterOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where the service account is mounted. */
  readonly serviceAccountFolder?: string;
}

const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Builds the config that a pod's service account and environment give; the token is read again about each minute.
 *
 * Fails: {@link NotInClusterError} outside of a pod or without a token.
 */
export async function inClusterConfig(options: InClusterOptions = {}): Promise<RestConfig> {
  const environment = options.environment ?? process.env;
  const folder = options.serviceAccountFolder ?? SERVICE_ACCOUNT_FOLDER;
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = environment;
  if (host === "" || port === "") {
    throw new NotInClusterError("KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
  }
  const tokenPath = path.join(folder, "token");
  await requireReadable(tokenPath);
  const ca = await readFile(path.join(folder, "ca.crt"), "utf8").catch(() => undefined);
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ...(ca === undefined ? {} : { tls: { ca } }),
    credentials: { kind: "token-file", path: tokenPath },
  };
}

/** Returns the namespace in which the program's pod runs, or undefined outside of a pod. */
export async function inClusterNamespace(options: InClusterOptions = {}): Promise<string | undefined> {
  const folder = options.serviceAccountFolder ?? SERVICE_ACCOUNT_FOLDER;
  const namespace = await readFile(path.join(folder, "namespace"), "utf8").catch(() => "");
  return namespace.trim() === "" ? undefined : namespace.trim();
}

async function requireReadable(tokenPath: string): Promise<void> {
  try {
    await readFile(tokenPath, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NotInClusterError(`the token cannot be read: ${reason}`, { cause });
  }
}
