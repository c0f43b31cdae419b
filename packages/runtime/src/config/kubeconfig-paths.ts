import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";

import { readKubeconfigIfExists, type ReadKubeconfigOptions } from "./kubeconfig-file.ts";
import { type Kubeconfig, mergeKubeconfigs } from "./kubeconfig.ts";

/**
 * The kubeconfig files that a program reads and writes, in loading precedence.
 *
 * client-go: tools/clientcmd.PathOptions
 */
export interface PathOptions {
  /** The only file, as with `--kubeconfig`; the others are ignored. Default: none. */
  readonly explicitFile?: string;
  /** The files of `KUBECONFIG`. */
  readonly listedFiles: readonly string[];
  /** The file that is used if `KUBECONFIG` is not set. */
  readonly globalFile: string;
}

/** Options of {@link kubeconfigPaths}. */
export interface KubeconfigPathsOptions {
  /** The value of the program's `--kubeconfig` flag. Default: empty, not used. */
  readonly kubeconfig?: string;
  /** The environment variables. Default: those of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The folder that contains `.kube/config`. Default: the user's home directory. */
  readonly homeFolder?: string;
}

/**
 * Returns the kubeconfig files of kubectl: `--kubeconfig`, or those of `KUBECONFIG` without repetitions, or `~/.kube/config`.
 *
 * client-go: tools/clientcmd.NewDefaultPathOptions
 */
export function kubeconfigPaths(options: KubeconfigPathsOptions = {}): PathOptions {
  const environment = options.environment ?? process.env;
  const { kubeconfig = "" } = options;
  return {
    ...(kubeconfig === "" ? {} : { explicitFile: kubeconfig }),
    listedFiles: splitKubeconfigList(environment["KUBECONFIG"] ?? ""),
    globalFile: path.join(options.homeFolder ?? homedir(), ".kube", "config"),
  };
}

/** Splits a list in the format of `KUBECONFIG`, without empty entries and repetitions. */
export function splitKubeconfigList(list: string): readonly string[] {
  return [...new Set(list.split(path.delimiter).filter((file) => file !== ""))];
}

/** Returns the files that are read, the one that takes precedence first. */
export function loadingPrecedence({ explicitFile, listedFiles, globalFile }: PathOptions): readonly string[] {
  if (explicitFile !== undefined) {
    return [explicitFile];
  }
  return listedFiles.length > 0 ? listedFiles : [globalFile];
}

/** Returns the file that new entries are written to: the first file that exists, or the last one. */
export async function defaultKubeconfigFile(paths: PathOptions): Promise<string> {
  const files = loadingPrecedence(paths);
  for (const file of files) {
    if (await exists(file)) {
      return file;
    }
  }
  return files.at(-1) ?? paths.globalFile;
}

/**
 * Reads and merges the files; missing ones are skipped, and without any the kubeconfig is empty.
 *
 * Fails: `UnreadableConfigFileError`, `InvalidKubeconfigError`, `YamlError`.
 */
export async function readKubeconfig(paths: PathOptions, options: ReadKubeconfigOptions = {}): Promise<Kubeconfig> {
  const read = await Promise.all(loadingPrecedence(paths).map((file) => readKubeconfigIfExists(file, options)));
  return mergeKubeconfigs(read.filter((kubeconfig) => kubeconfig !== undefined));
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
