import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";

import { InvalidKubeconfigError } from "./errors.ts";

/** What a kubeconfig says of a cluster; paths are absolute. */
export interface KubeconfigCluster {
  readonly server?: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "certificate-authority"?: string;
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  readonly extensions?: readonly { readonly name: string; readonly extension: unknown }[];
}

/** How a kubeconfig names the program that prints credentials. */
export interface KubeconfigExec {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

/** What a kubeconfig says of a user; paths are absolute. */
export interface KubeconfigUser {
  readonly "client-certificate"?: string;
  readonly "client-certificate-data"?: string;
  readonly "client-key"?: string;
  readonly "client-key-data"?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly "as-uid"?: string;
  readonly "as-groups"?: readonly string[];
  readonly "as-user-extra"?: Readonly<Record<string, readonly string[]>>;
  readonly "auth-provider"?: { readonly name?: string };
  readonly exec?: KubeconfigExec;
}

/** A cluster, a user and a namespace that belong together. */
export interface KubeconfigContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** What one or several kubeconfig files say, by name. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
  /** Where it was read from, for messages. */
  readonly source: string;
}

/** Merges kubeconfigs: the first that names a cluster, a user, a context or the current context is the one that counts. */
export function mergeKubeconfigs(kubeconfigs: readonly Kubeconfig[]): Kubeconfig {
  return {
    currentContext: kubeconfigs.find(({ currentContext }) => currentContext !== "")?.currentContext ?? "",
    clusters: mergeFirst(kubeconfigs.map(({ clusters }) => clusters)),
    users: mergeFirst(kubeconfigs.map(({ users }) => users)),
    contexts: mergeFirst(kubeconfigs.map(({ contexts }) => contexts)),
    source: kubeconfigs.map(({ source }) => source).join(", "),
  };
}

/** Says whether a kubeconfig names nothing at all. */
export function isEmptyKubeconfig({ clusters, users, contexts, currentContext }: Kubeconfig): boolean {
  return clusters.size === 0 && users.size === 0 && contexts.size === 0 && currentContext === "";
}

function mergeFirst<V>(maps: readonly ReadonlyMap<string, V>[]): ReadonlyMap<string, V> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}

/** Where the text of a kubeconfig comes from. */
export interface KubeconfigSource {
  /** The name used in messages. */
  readonly source: string;
  /** The folder from which relative paths in it are meant; absent leaves them as they are. */
  readonly folder?: string;
}

/**
 * Reads the text of a kubeconfig.
 *
 * Fails: `YamlError` when it is not YAML, {@link InvalidKubeconfigError} when it has another form than a kubeconfig.
 */
export function parseKubeconfig(text: string, { source, folder }: KubeconfigSource): Kubeconfig {
  const document = asMapping(readYaml(text, { file: source }) ?? {}, { source, place: "the document" });
  const resolve = (value: string): string =>
    folder === undefined || value === "" ? value : path.resolve(folder, value);
  return {
    currentContext: readText(document["current-context"], { source, place: "current-context" }),
    clusters: readNamed<KubeconfigCluster>(document, { source, list: "clusters", field: "cluster" }, (cluster) =>
      withPaths(cluster, { fields: ["certificate-authority"], resolve }),
    ),
    users: readNamed<KubeconfigUser>(document, { source, list: "users", field: "user" }, (user) =>
      resolveUserPaths(user, resolve),
    ),
    contexts: readNamed<KubeconfigContext>(
      document,
      { source, list: "contexts", field: "context" },
      (context) => context,
    ),
    source,
  };
}

type Mapping = Readonly<Record<string, unknown>>;

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
    const value = asMapping(entry[list.field] ?? {}, { source: list.source, place: `${place}.${list.field}` });
    // As kubectl has it, the first of two equal names counts.
    if (!result.has(name)) {
      result.set(name, transform(value as V));
    }
  }
  return result;
}

function resolveUserPaths(user: KubeconfigUser, resolve: (value: string) => string): KubeconfigUser {
  const resolved = withPaths(user, { fields: ["client-certificate", "client-key", "tokenFile"], resolve });
  const command = user.exec?.command;
  // A bare name is looked up in PATH; only a command with a folder in it is a path.
  return command !== undefined && /[\\/]/u.test(command) && !path.isAbsolute(command)
    ? { ...resolved, exec: { ...user.exec, command: resolve(command) } }
    : resolved;
}

function withPaths<V extends object>(
  value: V,
  { fields, resolve }: { readonly fields: readonly (keyof V)[]; readonly resolve: (value: string) => string },
): V {
  const result = { ...value };
  for (const field of fields) {
    const original = result[field];
    if (typeof original === "string") {
      result[field] = resolve(original) as V[keyof V];
    }
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
      detail: `${place} is ${JSON.stringify(value)} where text is expected`,
      hint: "put it in quotes",
    });
  }
  return value;
}
