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
