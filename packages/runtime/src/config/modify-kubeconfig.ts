import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { readKubeconfigIfExists, writeKubeconfigFile } from "./kubeconfig-file.ts";
import { type KubeconfigLockOptions, withKubeconfigLocks } from "./kubeconfig-lock.ts";
import { defaultKubeconfigFile, loadingPrecedence, type PathOptions } from "./kubeconfig-paths.ts";
import { EMPTY_KUBECONFIG, type Kubeconfig, mergeKubeconfigs } from "./kubeconfig.ts";
import { relativizeClusterPaths, relativizeUserPaths } from "./local-paths.ts";

/** Options of {@link modifyKubeconfig}. */
export interface ModifyKubeconfigOptions extends KubeconfigLockOptions {
  /** Whether the paths of changed clusters and users become relative to the folder of their file, unless they are outside of it. Default: false. */
  readonly relativizePaths?: boolean;
}

/**
 * Changes the kubeconfig files of a program: `change` receives the merged kubeconfig, whose paths are as in the files, and returns the new one.
 *
 * An entry is written to the file that it came from, and a new one to {@link defaultKubeconfigFile}, like the current context; an empty current context
 * is written to the first file that has one.
 *
 * Guarantees: no other process that locks kubeconfigs changes the files between read and write; files without a change are not written; fields that
 * this package does not know are preserved; comments are not.
 * Fails: `KubeconfigLockedError`, `UnwritableConfigFileError`, and the errors of reading.
 *
 * client-go: tools/clientcmd.ModifyConfig
 *
 * @example
 * await modifyKubeconfig(kubeconfigPaths(), (config) => ({ ...config, currentContext: "staging" }));
 */
export async function modifyKubeconfig(
  paths: PathOptions,
  change: (current: Kubeconfig) => Kubeconfig,
  options: ModifyKubeconfigOptions = {},
): Promise<void> {
  const files = loadingPrecedence(paths);
  await withKubeconfigLocks(files, () => modify(paths, { files, change, options }), options);
}

interface Modification {
  readonly files: readonly string[];
  readonly change: (current: Kubeconfig) => Kubeconfig;
  readonly options: ModifyKubeconfigOptions;
}

async function modify(paths: PathOptions, { files, change, options }: Modification): Promise<void> {
  const originals = new Map<string, Kubeconfig>();
  for (const file of files) {
    originals.set(file, (await readKubeconfigIfExists(file, { resolvePaths: false })) ?? EMPTY_KUBECONFIG);
  }
  const drafts = new Map([...originals].map(([file, original]) => [file, draftOf(original)] as const));
  const current = mergeKubeconfigs([...originals.values()]);
  const wanted = change(current);
  const defaultFile = await defaultKubeconfigFile(paths);
  const draftFor = (file: string | undefined): [string, Draft] => {
    const name = file ?? defaultFile;
    const draft = drafts.get(name) ?? draftOf(EMPTY_KUBECONFIG);
    drafts.set(name, draft);
    return [name, draft];
  };
  changeCurrentContext({ current, wanted, originals, draftFor });
  changeOther({ current, wanted, draftFor });
  const isRelative = options.relativizePaths === true;
  for (const list of ["clusters", "users", "contexts"] as const) {
    changeEntries(list, { current, wanted, originals, draftFor, isRelative });
  }
  for (const [file, draft] of drafts) {
    if (draft.isChanged) {
      await writeKubeconfigFile(file, draft);
    }
  }
}

interface Draft {
  isChanged: boolean;
  currentContext: string;
  other: Record<string, unknown>;
  readonly clusters: Map<string, object>;
  readonly users: Map<string, object>;
  readonly contexts: Map<string, object>;
  readonly source: string;
}

function draftOf({ currentContext, clusters, users, contexts, other, source }: Kubeconfig): Draft {
  return {
    isChanged: false,
    currentContext,
    other: { ...other },
    clusters: new Map<string, object>(clusters),
    users: new Map<string, object>(users),
    contexts: new Map<string, object>(contexts),
    source,
  };
}

interface Difference {
  readonly current: Kubeconfig;
  readonly wanted: Kubeconfig;
  readonly originals: ReadonlyMap<string, Kubeconfig>;
  /** Returns the draft of a file, or of the default file. */
  readonly draftFor: (file: string | undefined) => [file: string, draft: Draft];
}

function changeCurrentContext({ current, wanted, originals, draftFor }: Difference): void {
  if (wanted.currentContext === current.currentContext) {
    return;
  }
  const origin =
    wanted.currentContext === "" ? originOf(originals, ({ currentContext }) => currentContext !== "") : undefined;
  const [, draft] = draftFor(origin);
  draft.currentContext = wanted.currentContext;
  draft.isChanged = true;
}

function changeOther({ current, wanted, draftFor }: Omit<Difference, "originals">): void {
  for (const key of new Set([...Object.keys(current.other ?? {}), ...Object.keys(wanted.other ?? {})])) {
    const value = wanted.other?.[key];
    if (isDeepStrictEqual(current.other?.[key], value)) {
      continue;
    }
    const [, draft] = draftFor(undefined);
    const { [key]: _previous, ...rest } = draft.other;
    draft.other = value === undefined ? rest : { ...rest, [key]: value };
    draft.isChanged = true;
  }
}

type List = "clusters" | "users" | "contexts";

function changeEntries(
  list: List,
  { current, wanted, originals, draftFor, isRelative }: Difference & { readonly isRelative: boolean },
): void {
  for (const name of new Set([...current[list].keys(), ...wanted[list].keys()])) {
    const value = wanted[list].get(name);
    if (isDeepStrictEqual(current[list].get(name), value)) {
      continue;
    }
    const [file, draft] = draftFor(originOf(originals, (original) => original[list].has(name)));
    draft.isChanged = true;
    if (value === undefined) {
      draft[list].delete(name);
    } else {
      draft[list].set(name, isRelative ? relativized(list, value, path.dirname(file)) : value);
    }
  }
}

function originOf(
  originals: ReadonlyMap<string, Kubeconfig>,
  matches: (original: Kubeconfig) => boolean,
): string | undefined {
  return [...originals].find(([, original]) => matches(original))?.[0];
}

function relativized(list: List, value: object, folder: string): object {
  switch (list) {
    case "clusters":
      return relativizeClusterPaths(value, folder);
    case "users":
      return relativizeUserPaths(value, folder);
    case "contexts":
    default:
      return value;
  }
}
