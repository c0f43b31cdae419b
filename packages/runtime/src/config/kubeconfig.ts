import { readYaml } from "@kubescaffold/k8s/yaml";

import { InvalidKubeconfigError } from "./errors.ts";
import type { KubeconfigCluster, KubeconfigContext, KubeconfigUser } from "./kubeconfig-entries.ts";
import { CLUSTER_TYPE, CONTEXT_TYPE, type FieldType, USER_TYPE, withTypedFields } from "./kubeconfig-fields.ts";
import { resolveClusterPaths, resolveUserPaths } from "./local-paths.ts";

/**
 * The entries of one or more kubeconfig files, by name.
 *
 * client-go: tools/clientcmd/api.Config
 */
export interface Kubeconfig {
  /** The name of the current context; empty without one. */
  readonly currentContext: string;
  /** Clusters by name. */
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  /** Users by name. */
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  /** Contexts by name. */
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
  /** The other fields of the document, such as `preferences` and `extensions`. Default: none. */
  readonly other?: Readonly<Record<string, unknown>>;
  /** The file or files of the kubeconfig, for messages. */
  readonly source: string;
  /** The files that it was read from, in loading precedence. Default: none. */
  readonly files?: readonly string[];
}

/** A kubeconfig without entries. */
export const EMPTY_KUBECONFIG: Kubeconfig = {
  currentContext: "",
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
  source: "",
};

/** Merges kubeconfigs: the first definition of a cluster, user, context, current context, or other field counts. */
export function mergeKubeconfigs(kubeconfigs: readonly Kubeconfig[]): Kubeconfig {
  return {
    other: Object.fromEntries(kubeconfigs.toReversed().flatMap(({ other = {} }) => Object.entries(other))),
    files: kubeconfigs.flatMap(({ files = [] }) => files),
    currentContext: kubeconfigs.find(({ currentContext }) => currentContext !== "")?.currentContext ?? "",
    clusters: mergeFirst(kubeconfigs.map(({ clusters }) => clusters)),
    users: mergeFirst(kubeconfigs.map(({ users }) => users)),
    contexts: mergeFirst(kubeconfigs.map(({ contexts }) => contexts)),
    source: kubeconfigs.map(({ source }) => source).join(", "),
  };
}

/** Reports whether a kubeconfig has no entries. */
export function isEmptyKubeconfig({ clusters, users, contexts, currentContext }: Kubeconfig): boolean {
  return clusters.size === 0 && users.size === 0 && contexts.size === 0 && currentContext === "";
}

function mergeFirst<V>(maps: readonly ReadonlyMap<string, V>[]): ReadonlyMap<string, V> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}

/** The origin of a kubeconfig's text. */
export interface KubeconfigSource {
  /** The name used in messages. */
  readonly source: string;
  /** The folder that relative paths are resolved against. Default: paths are not resolved. */
  readonly folder?: string;
}

/**
 * Parses the text of a kubeconfig.
 *
 * Fails: `YamlError` when it is not YAML, {@link InvalidKubeconfigError} when it does not have the structure of a kubeconfig.
 */
export function parseKubeconfig(text: string, { source, folder }: KubeconfigSource): Kubeconfig {
  const document = asMapping(readYaml(text, { file: source }) ?? {}, { source, place: "the document" });
  requireKind(document, source);
  return {
    other: otherFields(document),
    currentContext: readText(document["current-context"], { source, place: "current-context" }),
    clusters: readNamed<KubeconfigCluster>(
      document,
      { source, list: "clusters", field: "cluster", type: CLUSTER_TYPE },
      (cluster) => (folder === undefined ? cluster : resolveClusterPaths(cluster, folder)),
    ),
    users: readNamed<KubeconfigUser>(document, { source, list: "users", field: "user", type: USER_TYPE }, (user) =>
      folder === undefined ? user : resolveUserPaths(user, folder),
    ),
    contexts: readNamed<KubeconfigContext>(
      document,
      { source, list: "contexts", field: "context", type: CONTEXT_TYPE },
      (context) => context,
    ),
    source,
  };
}

type Mapping = Readonly<Record<string, unknown>>;

const KNOWN_FIELDS = new Set(["apiVersion", "kind", "current-context", "clusters", "users", "contexts"]);

function otherFields(document: Mapping): Mapping {
  return Object.fromEntries(Object.entries(document).filter(([key]) => !KNOWN_FIELDS.has(key)));
}

function requireKind(document: Mapping, source: string): void {
  const apiVersion = readText(document["apiVersion"], { source, place: "apiVersion" });
  const kind = readText(document["kind"], { source, place: "kind" });
  if ((kind !== "" && kind !== "Config") || (apiVersion !== "" && apiVersion !== "v1")) {
    throw new InvalidKubeconfigError(source, {
      detail: `it has the kind ${JSON.stringify(kind)} and the apiVersion ${JSON.stringify(apiVersion)}, not "Config" and "v1"`,
      hint: "pass a kubeconfig, not the manifest of an object",
    });
  }
}

interface Place {
  readonly source: string;
  readonly place: string;
}

function readNamed<V>(
  document: Mapping,
  list: {
    readonly source: string;
    readonly list: string;
    readonly field: string;
    readonly type: FieldType;
  },
  transform: (value: V) => V,
): ReadonlyMap<string, V> {
  const entries = document[list.list] ?? [];
  if (!Array.isArray(entries)) {
    throw new InvalidKubeconfigError(list.source, { detail: `${list.list} is not a list` });
  }
  const result = new Map<string, V>();
  for (const [index, item] of entries.entries()) {
    const place = `${list.list}[${String(index)}]`;
    const entry = asMapping(item, { source: list.source, place });
    const name = readText(entry["name"], { source: list.source, place: `${place}.name` });
    const at = { source: list.source, place: `${place}.${list.field}` };
    const value = withTypedFields(entry[list.field] ?? {}, list.type, at);
    if (result.has(name)) {
      throw new InvalidKubeconfigError(list.source, {
        detail: `${place} has the name ${JSON.stringify(name)} of a previous entry`,
        hint: "rename or remove one of them",
      });
    }
    result.set(name, transform(value as V));
  }
  return result;
}

function asMapping(value: unknown, { source, place }: Place): Mapping {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidKubeconfigError(source, { detail: `${place} is not a mapping` });
  }
  return value as Mapping;
}

function readText(value: unknown, { source, place }: Place): string {
  if (value === undefined || value === null) {
    return "";
  }
  if (typeof value !== "string") {
    throw new InvalidKubeconfigError(source, {
      detail: `${place} is ${JSON.stringify(value)} where a string is expected`,
      hint: "quote it",
    });
  }
  return value;
}
