import type { KubeconfigCluster, KubeconfigUser } from "../config/kubeconfig-entries.ts";
import type { Kubeconfig } from "../config/kubeconfig.ts";
import { MissingContextError, PluginUsageError } from "./errors.ts";
import type { KubectlFlags } from "./plugin-flag.ts";

/**
 * Returns a kubeconfig whose current context has the cluster and the user of the flags, and these the settings of the flags. With `--server`, none of them
 * need be in the kubeconfig.
 *
 * Fails: {@link MissingContextError}, {@link PluginUsageError}.
 */
export function withOverrides(kubeconfig: Kubeconfig, flags: KubectlFlags): Kubeconfig {
  requireEntries(kubeconfig, flags);
  const selected = flags.context ?? kubeconfig.currentContext;
  const context = kubeconfig.contexts.get(selected);
  if (context === undefined && flags.server === undefined) return { ...kubeconfig, currentContext: selected };
  const name = selected === "" ? UNNAMED : selected;
  const [cluster, user] = [
    flags.cluster ?? named(context?.cluster) ?? UNNAMED,
    flags.user ?? named(context?.user) ?? UNNAMED,
  ];
  const clusterSettings = clusterSettingsOf(flags);
  const userSettings = userSettingsOf(flags);
  requireImpersonatedUser(user, { ...kubeconfig.users.get(user), ...userSettings });
  return {
    ...kubeconfig,
    currentContext: name,
    contexts: new Map([...kubeconfig.contexts, [name, { ...context, cluster, user }]]),
    clusters: withSettings(kubeconfig.clusters, cluster, clusterSettings),
    users: user === UNNAMED ? new Map([[user, userSettings]]) : withSettings(kubeconfig.users, user, userSettings),
  };
}

// The name of an entry that is in no kubeconfig.
const UNNAMED = "kubectl-flags";

function named(name: string | undefined): string | undefined {
  return name === "" ? undefined : name;
}

function requireEntries({ contexts, clusters, users }: Kubeconfig, { context, cluster, user }: KubectlFlags): void {
  if (context !== undefined && !contexts.has(context)) throw new MissingContextError(context);
  if (cluster !== undefined && !clusters.has(cluster)) {
    throw new PluginUsageError(`no server found for cluster ${JSON.stringify(cluster)}`);
  }
  if (user !== undefined && !users.has(user)) {
    throw new PluginUsageError(`auth info ${JSON.stringify(user)} does not exist`);
  }
}

function requireImpersonatedUser(name: string, { as, "as-uid": uid, "as-groups": groups }: KubeconfigUser): void {
  if (as !== undefined || (uid === undefined && groups === undefined)) return;
  throw new PluginUsageError(`requesting uid, groups or user-extra for ${name} without impersonating a user`);
}

// What an entry lacks in a kubeconfig is reported when the context is used, unless the flags complete it.
function withSettings<T extends object>(
  entries: ReadonlyMap<string, T>,
  name: string,
  settings: T,
): ReadonlyMap<string, T> {
  return Object.keys(settings).length === 0
    ? entries
    : new Map([...entries, [name, { ...entries.get(name), ...settings }]]);
}

// A setting of a flag replaces those of the kubeconfig that would contradict it.
function clusterSettingsOf(flags: KubectlFlags): KubeconfigCluster {
  const {
    server,
    "certificate-authority": authority,
    "insecure-skip-tls-verify": isInsecure,
    "tls-server-name": serverName,
  } = flags;
  return {
    ...(server === undefined ? {} : { server: withScheme(server) }),
    ...(authority === undefined && isInsecure !== true
      ? {}
      : { "certificate-authority": authority ?? "", "certificate-authority-data": "" }),
    ...(isInsecure === undefined ? {} : { "insecure-skip-tls-verify": isInsecure }),
    ...(serverName === undefined ? {} : { "tls-server-name": serverName }),
  };
}

// As in kubectl, an address without a scheme is one of HTTP.
function withScheme(server: string): string {
  return server.includes("://") ? server : `http://${server}`;
}

const NO_OTHER_CREDENTIALS = { tokenFile: "", username: "", password: "" } as const;

function userSettingsOf(flags: KubectlFlags): KubeconfigUser {
  const { token, as, "as-uid": uid, "as-group": groups = [] } = flags;
  const { "client-certificate": certificate, "client-key": key } = flags;
  return {
    ...(token === undefined ? {} : { ...NO_OTHER_CREDENTIALS, token }),
    ...(certificate === undefined ? {} : { "client-certificate": certificate, "client-certificate-data": "" }),
    ...(key === undefined ? {} : { "client-key": key, "client-key-data": "" }),
    ...(as === undefined ? {} : { as }),
    ...(uid === undefined ? {} : { "as-uid": uid }),
    ...(groups.length === 0 ? {} : { "as-groups": groups }),
  };
}
