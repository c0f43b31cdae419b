import { type ListenTls, serverRelease } from "@kubescaffold/apiserver";
import { type ClusterListener, createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";

import { lazyDescriptions } from "../descriptions/lazy-descriptions.ts";
import { waitForObject } from "../eventually/wait-until.ts";
import { ServerFlagError } from "../failures/errors.ts";
import { LocalCommands } from "./local-commands.ts";
import { readOptions, type ServerOptions } from "./read-options.ts";
import { ServedFiles } from "./served-files.ts";

const DEFAULT_ACCOUNT = {
  path: "/api/v1/namespaces/default/serviceaccounts/default",
  what: "the service account default",
  timeoutMs: 20_000,
};

/** A running API server with the flags of kube-apiserver. */
export interface KubeApiServerStandIn {
  /** The address, which contains the port that was picked for `--secure-port=0`. */
  readonly url: string;
  /** Sentences about flags that have no effect, and about the version that is used for another. */
  readonly warnings: readonly string[];
  /** Ends watches, closes connections, and stops the server. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the embedded API server with the flags of kube-apiserver. Controllers run only with `--controllers` or `--workloads`, as in every API server alone.
 *
 * Guarantees: nothing is written, not even a certificate, unless the flags are valid; a kubeconfig and a ready file appear with their whole contents, when the
 * server is ready, and are removed when it stops.
 * Fails: UnknownServerFlagError for unknown flags; ServerFlagError for flags that are invalid, or not simulated and not at their defaults; ListenError when the port is taken; KubernetesVersionError.
 */
export async function startKubeApiServerStandIn(args: readonly string[]): Promise<KubeApiServerStandIn> {
  const options = await readOptions(args);
  const files = new ServedFiles(options);
  const commands = new LocalCommands();
  const cluster = createEmbeddedCluster({ ...options.cluster, descriptions: lazyDescriptions });
  const stop = async (): Promise<void> => {
    await files.remove();
    await Promise.all([cluster.close(), commands.stop()]);
  };
  try {
    requireGroupVersions(
      options,
      new Set(
        cluster.server.context.resources
          .all()
          .map(({ group, version }) => (group === "" ? version : `${group}/${version}`)),
      ),
    );
    await files.prepare();
    await options.saveCertificate();
    commands.define(cluster.images, options.images);
    const { url, config } = await listen(cluster, options);
    await files.publish(url, config);
    return { url, warnings: options.warnings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listen(cluster: EmbeddedCluster, options: ServerOptions): Promise<ClusterListener> {
  const { host, port, ca } = options;
  const { lifecycleControllers } = options.cluster;
  // An API server alone publishes no authority.
  const published = lifecycleControllers === true ? { ca } : {};
  const listener = await cluster.listen({ host, port, ...published, tls: await trustingTls(cluster, options) });
  // The controllers have begun their work.
  if (lifecycleControllers === true) await waitForObject(cluster.config, DEFAULT_ACCOUNT.path, DEFAULT_ACCOUNT);
  return { ...listener, config: { ...listener.config, tls: { ca } } };
}

// Client certificates that the controllers sign are accepted, as in a cluster.
async function trustingTls(cluster: EmbeddedCluster, { tls, cluster: options }: ServerOptions): Promise<ListenTls> {
  if (options.lifecycleControllers !== true) return tls;
  const { cert } = await cluster.certificateAuthority();
  return { ...tls, clientCa: tls.clientCa === undefined ? cert : `${tls.clientCa.trimEnd()}\n${cert}` };
}

function requireGroupVersions({ groupVersions }: ServerOptions, served: ReadonlySet<string>): void {
  for (const [groupVersion, isWanted] of groupVersions) {
    // A resource of a group version follows it.
    const name = groupVersion
      .split("/")
      .slice(0, groupVersion.includes(".") || groupVersion.includes("/") ? 2 : 1)
      .join("/");
    if (served.has(name) === isWanted) continue;
    throw new ServerFlagError(
      `cannot use --runtime-config=${groupVersion}=${String(isWanted)}: the embedded API server ${isWanted ? "does not have" : "always has"} ${name}`,
    );
  }
}

/** Returns the version that a server of a minor version reports, with the text that makes clear which program it is. */
export function serverVersionText(minor: string): string {
  return `Kubernetes ${serverRelease(minor).version.gitVersion} (the embedded API server of Kubescaffold, not kube-apiserver)`;
}
