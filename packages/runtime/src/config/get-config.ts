import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";

import { messageOf, type RestConfig } from "@kubescaffold/k8s";

import { NoConfigError, NotInClusterError } from "./errors.ts";
import { readKubeconfigFile, readKubeconfigIfExists } from "./kubeconfig-file.ts";
import { splitKubeconfigList } from "./kubeconfig-paths.ts";
import { isEmptyKubeconfig, type Kubeconfig, mergeKubeconfigs } from "./kubeconfig.ts";
import { restConfigOf } from "./rest-config-of.ts";

/** Options of {@link getConfig}. */
export interface GetConfigOptions extends InClusterOptions {
  /** The value of the program's `--kubeconfig` flag. Default: empty, not used. */
  readonly kubeconfig?: string;
  /** The context of the kubeconfig. Default: its current context. */
  readonly context?: string;
  /** The folder that contains `.kube/config`. Default: the user's home directory. */
  readonly homeFolder?: string;
}

/**
 * Finds the configuration of the cluster: `--kubeconfig`, then the files of `KUBECONFIG`, then the pod's service account,
 * then `~/.kube/config`.
 *
 * Guarantees: without any of these there is one error that lists all attempts, never a guess.
 * Fails: {@link NoConfigError}, `InvalidKubeconfigError`, `UnreadableConfigFileError`.
 *
 * controller-runtime: pkg/client/config.GetConfig
 *
 * @example
 * const config = await getConfig({ kubeconfig: flags.kubeconfig });
 */
export async function getConfig(options: GetConfigOptions = {}): Promise<RestConfig> {
  const environment = options.environment ?? process.env;
  if (options.kubeconfig !== undefined && options.kubeconfig !== "") {
    return restConfigOf(await readKubeconfigFile(options.kubeconfig), options.context);
  }
  const listed = environment["KUBECONFIG"] ?? "";
  if (listed !== "") {
    return configOfList(listed, options.context);
  }
  const inCluster = await tryInCluster(options);
  return inCluster instanceof NotInClusterError ? configOfHome(options, inCluster) : inCluster;
}

/**
 * Finds a config like {@link getConfig}; without one it prints the error on standard error and exits the process with status 1.
 *
 * controller-runtime: pkg/client/config.GetConfigOrDie
 */
export async function getConfigOrDie(options: GetConfigOptions = {}): Promise<RestConfig> {
  try {
    return await getConfig(options);
  } catch (error) {
    const hint = (error as { readonly hint?: string }).hint;
    process.stderr.write(`${(error as Error).message}${hint === undefined ? "" : `\n${hint}`}\n`);
    return process.exit(1);
  }
}

/** Reads and merges the kubeconfig files of a list in the format of `KUBECONFIG`; missing files are skipped. */
export async function readKubeconfigList(list: string): Promise<Kubeconfig> {
  const read = await Promise.all(splitKubeconfigList(list).map((file) => readKubeconfigIfExists(file)));
  return mergeKubeconfigs(read.filter((kubeconfig) => kubeconfig !== undefined));
}

async function configOfList(list: string, context: string | undefined): Promise<RestConfig> {
  const kubeconfig = await readKubeconfigList(list);
  if (isEmptyKubeconfig(kubeconfig)) {
    throw new NoConfigError([`KUBECONFIG is ${list}, which contains no kubeconfig`]);
  }
  return restConfigOf(kubeconfig, context);
}

async function tryInCluster(options: GetConfigOptions): Promise<RestConfig | NotInClusterError> {
  try {
    return await inClusterConfig(options);
  } catch (error) {
    if (error instanceof NotInClusterError) {
      return error;
    }
    throw error;
  }
}

async function configOfHome(options: GetConfigOptions, notInCluster: NotInClusterError): Promise<RestConfig> {
  const file = path.join(options.homeFolder ?? homedir(), ".kube", "config");
  const kubeconfig = await readKubeconfigIfExists(file);
  if (kubeconfig === undefined || isEmptyKubeconfig(kubeconfig)) {
    throw new NoConfigError([
      "no --kubeconfig",
      "KUBECONFIG is not set",
      `not inside a cluster (${notInCluster.detail})`,
      kubeconfig === undefined ? `there is no ${file}` : `${file} is empty`,
    ]);
  }
  return restConfigOf(kubeconfig, options.context);
}

/** Sources of the in-cluster config; the defaults are those of a pod. */
export interface InClusterOptions {
  /** The environment variables. Default: those of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The folder where the service account is mounted. Default: `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly serviceAccountFolder?: string;
}

const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Builds the config from a pod's service account and environment; clients reread the token and the CA about every minute.
 *
 * Fails: {@link NotInClusterError} outside of a pod or without a token.
 *
 * client-go: rest.InClusterConfig
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
  const caFile = path.join(folder, "ca.crt");
  const ca = await readFile(caFile, "utf8").catch(() => undefined);
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ...(ca === undefined ? {} : { tls: { ca, caFile } }),
    credentials: { kind: "token-file", path: tokenPath },
  };
}

/**
 * Returns the namespace in which the program's pod runs: that of the variable `POD_NAMESPACE`, otherwise that of the service account. Returns undefined outside
 * of a pod without the variable.
 */
export async function inClusterNamespace(options: InClusterOptions = {}): Promise<string | undefined> {
  const { POD_NAMESPACE: named = "" } = options.environment ?? process.env;
  if (named !== "") return named;
  const folder = options.serviceAccountFolder ?? SERVICE_ACCOUNT_FOLDER;
  const namespace = await readFile(path.join(folder, "namespace"), "utf8").catch(() => "");
  return namespace.trim() === "" ? undefined : namespace.trim();
}

async function requireReadable(tokenPath: string): Promise<void> {
  try {
    await readFile(tokenPath, "utf8");
  } catch (cause) {
    throw new NotInClusterError(`cannot read the token: ${messageOf(cause)}`, { cause });
  }
}
