import { readFile, realpath } from "node:fs/promises";
import path from "node:path";

import { printYaml } from "@kubescaffold/k8s/yaml";
import { makeFolder, writePrivateFile } from "@kubescaffold/platform/files";

import { UnreadableConfigFileError, UnwritableConfigFileError } from "./errors.ts";
import { type Kubeconfig, parseKubeconfig } from "./kubeconfig.ts";

/** Options of {@link readKubeconfigFile}. */
export interface ReadKubeconfigOptions {
  /** Whether relative paths are resolved against the folder of the file. Default: true. */
  readonly resolvePaths?: boolean;
}

/**
 * Reads one kubeconfig file. Fails: {@link UnreadableConfigFileError}, `InvalidKubeconfigError`, `YamlError`.
 *
 * client-go: tools/clientcmd.LoadFromFile
 */
export async function readKubeconfigFile(
  file: string,
  { resolvePaths = true }: ReadKubeconfigOptions = {},
): Promise<Kubeconfig> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new UnreadableConfigFileError(file, { purpose: "the kubeconfig", cause });
  }
  const kubeconfig = parseKubeconfig(text, {
    source: file,
    ...(resolvePaths ? { folder: path.dirname(path.resolve(file)) } : {}),
  });
  return { ...kubeconfig, files: [path.resolve(file)] };
}

/** Reads one kubeconfig file like {@link readKubeconfigFile}; undefined if it does not exist. */
export async function readKubeconfigIfExists(
  file: string,
  options: ReadKubeconfigOptions = {},
): Promise<Kubeconfig | undefined> {
  try {
    return await readKubeconfigFile(file, options);
  } catch (error) {
    const cause = (error as { readonly cause?: { readonly code?: unknown } }).cause;
    if (error instanceof UnreadableConfigFileError && cause?.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

/**
 * Prints a kubeconfig as YAML, with sorted entries and with fields that this package does not know.
 *
 * client-go: tools/clientcmd.Write
 */
export function printKubeconfig({ currentContext, clusters, users, contexts, other }: Kubeconfig): string {
  return printYaml({
    ...other,
    apiVersion: "v1",
    kind: "Config",
    "current-context": currentContext,
    clusters: namedEntries(clusters, "cluster"),
    users: namedEntries(users, "user"),
    contexts: namedEntries(contexts, "context"),
  });
}

/**
 * Writes a kubeconfig to a file, in place of its contents, and creates missing folders.
 *
 * Guarantees: only the owner can read the file, even where others could read it before; other processes see all of the old or all of the new contents;
 * a symbolic link at the path is followed.
 * Fails: {@link UnwritableConfigFileError}.
 *
 * client-go: tools/clientcmd.WriteToFile
 */
export async function writeKubeconfigFile(file: string, kubeconfig: Kubeconfig): Promise<void> {
  const content = printKubeconfig(kubeconfig);
  try {
    await writePrivateFile(await targetOf(file), content, { isSynced: true });
  } catch (cause) {
    throw new UnwritableConfigFileError(file, { cause });
  }
}

function namedEntries<V>(entries: ReadonlyMap<string, V>, field: string): readonly unknown[] {
  return [...entries]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => ({ name, [field]: value }));
}

async function targetOf(file: string): Promise<string> {
  makeFolder(path.dirname(file));
  return realpath(file).catch(() => file);
}
