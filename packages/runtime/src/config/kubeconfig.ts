import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";

import { InvalidKubeconfigError } from "./errors.ts";

/**
 * A cluster of a kubeconfig; paths are absolute.
 *
 * client-go: tools/clientcmd/api.Cluster
 */
export interface KubeconfigCluster {
  /** The URL of the API server. */
  readonly server?: string;
  /** The name that the server's certificate must carry. Default: the host of `server`. */
  readonly "tls-server-name"?: string;
  /** Skips the verification of the server's certificate. Default: false. */
  readonly "insecure-skip-tls-verify"?: boolean;
  /** The path of the CA certificate. */
  readonly "certificate-authority"?: string;
  /** The CA certificate as base64 text. */
  readonly "certificate-authority-data"?: string;
  /** The URL of the proxy. Default: the proxy of the environment variables. */
  readonly "proxy-url"?: string;
  /** Extensions by name, such as the settings of an exec plugin. */
  readonly extensions?: readonly { readonly name: string; readonly extension: unknown }[];
}

/**
 * An exec credential plugin of a kubeconfig.
 *
 * client-go: tools/clientcmd/api.ExecConfig
 */
export interface KubeconfigExec {
  /** The version of the ExecCredential protocol. */
  readonly apiVersion?: string;
  /** The program to run. */
  readonly command?: string;
  /** The arguments of the program. */
  readonly args?: readonly string[] | null;
  /** Additional environment variables of the program. */
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  /** The hint that is printed when the program is missing. */
  readonly installHint?: string;
  /** Passes the cluster to the program. Default: false. */
  readonly provideClusterInfo?: boolean;
  /** `Never`, `IfAvailable`, or `Always`. Default: `IfAvailable` for `v1beta1`, required for `v1`. */
  readonly interactiveMode?: string;
}

/**
 * A user of a kubeconfig; paths are absolute.
 *
 * client-go: tools/clientcmd/api.AuthInfo
 */
export interface KubeconfigUser {
  /** The path of the client certificate. */
  readonly "client-certificate"?: string;
  /** The client certificate as base64 text. */
  readonly "client-certificate-data"?: string;
  /** The path of the client key. */
  readonly "client-key"?: string;
  /** The client key as base64 text. */
  readonly "client-key-data"?: string;
  /** The bearer token. */
  readonly token?: string;
  /** The path of a file with the bearer token; takes precedence over `token`. */
  readonly tokenFile?: string;
  /** The user name of basic authentication. */
  readonly username?: string;
  /** The password of basic authentication. */
  readonly password?: string;
  /** The user to impersonate. */
  readonly as?: string;
  /** The UID to impersonate. */
  readonly "as-uid"?: string;
  /** The groups to impersonate. */
  readonly "as-groups"?: readonly string[];
  /** Additional attributes of the impersonated user. */
  readonly "as-user-extra"?: Readonly<Record<string, readonly string[]>>;
  /** An authentication provider, which Kubernetes no longer supports. */
  readonly "auth-provider"?: { readonly name?: string };
  /** The exec credential plugin. */
  readonly exec?: KubeconfigExec;
}

/**
 * A combination of cluster, user, and namespace.
 *
 * client-go: tools/clientcmd/api.Context
 */
export interface KubeconfigContext {
  /** The name of the cluster. */
  readonly cluster?: string;
  /** The name of the user. */
  readonly user?: string;
  /** The default namespace. Default: `default`. */
  readonly namespace?: string;
}

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
  /** The file or files of the kubeconfig, for messages. */
  readonly source: string;
}

/** Merges kubeconfigs: the first definition of a cluster, user, context, or current context counts. */
export function mergeKubeconfigs(kubeconfigs: readonly Kubeconfig[]): Kubeconfig {
  return {
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
    // Like in kubectl, the first of two equal names counts.
    if (!result.has(name)) {
      result.set(name, transform(value as V));
    }
  }
  return result;
}

function resolveUserPaths(user: KubeconfigUser, resolve: (value: string) => string): KubeconfigUser {
  const resolved = withPaths(user, { fields: ["client-certificate", "client-key", "tokenFile"], resolve });
  const command = user.exec?.command;
  // A bare name is resolved through PATH; only a command with a folder is a path.
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
      detail: `${place} is ${JSON.stringify(value)} where a string is expected`,
      hint: "quote it",
    });
  }
  return value;
}
