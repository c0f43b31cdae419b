import { SERVER_VERSION } from "@kubescaffold/apiserver";
import { createEmbeddedCluster } from "@kubescaffold/cluster";

import { lazyDescriptions } from "../descriptions/lazy-descriptions.ts";
import { ServerFlagError } from "../errors.ts";
import { readOptions, type ServerOptions } from "./read-options.ts";

/** A running API server with the flags of kube-apiserver. */
export interface KubeApiServerStandIn {
  /** The address, which contains the port that was picked for `--secure-port=0`. */
  readonly url: string;
  /** Sentences about flags that have no effect. */
  readonly warnings: readonly string[];
  /** Ends watches, closes connections, and stops the server. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the embedded API server with the flags of kube-apiserver. No controllers run, as in every API server alone.
 *
 * Guarantees: nothing is written, not even a certificate, unless the flags are valid.
 * Fails: UnknownServerFlagError for unknown flags; ServerFlagError for flags that are invalid, or not simulated and not at their defaults; ListenError when the port is taken.
 */
export async function startKubeApiServerStandIn(args: readonly string[]): Promise<KubeApiServerStandIn> {
  const options = await readOptions(args);
  const cluster = createEmbeddedCluster({ ...options.cluster, descriptions: lazyDescriptions });
  try {
    requireGroupVersions(
      options,
      new Set(
        cluster.server.context.resources
          .all()
          .map(({ group, version }) => (group === "" ? version : `${group}/${version}`)),
      ),
    );
    await options.saveCertificate();
    const { url } = await cluster.listen({ host: options.host, port: options.port, tls: options.tls });
    return { url, warnings: options.warnings, stop: async () => cluster.close() };
  } catch (error) {
    await cluster.close();
    throw error;
  }
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

/** The version that the server reports, with the text that makes clear which program it is. */
export const SERVER_VERSION_TEXT: string = `Kubernetes ${SERVER_VERSION.gitVersion} (the embedded API server of Kubescaffold, not kube-apiserver)`;
