import { createHash } from "node:crypto";

import { type DeepReadonly, type RestConfig } from "@kubescaffold/k8s";
import { Secret } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { onAbort, whenAborted } from "@kubescaffold/platform/clock";

import type { Stored } from "../client/partial-object.ts";
import { parseKubeconfig } from "../config/kubeconfig.ts";
import type { Kubeconfig } from "../config/kubeconfig.ts";
import { restConfigOf } from "../config/rest-config-of.ts";
import type { Logger } from "../log/logger.ts";
import { createCluster } from "../manager/cluster.ts";
import type { ClusterEngagement, ClusterProvider } from "./cluster-provider.ts";
import { UnsafeKubeconfigError } from "./errors.ts";

/** The label of Secrets with kubeconfigs, which multicluster-runtime uses, too. */
const KUBECONFIG_LABEL = "sigs.k8s.io/multicluster-runtime-kubeconfig";

/** Options of {@link createSecretProvider}. */
export interface SecretProviderOptions {
  /** The namespace of the Secrets. */
  readonly namespace: string;
  /** The selector of the Secrets. Default: `sigs.k8s.io/multicluster-runtime-kubeconfig=true`. */
  readonly labelSelector?: string;
  /** The key of the kubeconfig in the Secrets. Default: `kubeconfig`. */
  readonly key?: string;
  /**
   * Accepts kubeconfigs that run programs (`exec`, `auth-provider`) or name files; who can write such a Secret can then run programs with the
   * permissions of this process. Default: false.
   */
  readonly allowLocalAccess?: boolean;
}

/**
 * Creates a provider that engages a cluster for each Secret with a kubeconfig in a namespace of the local cluster, named like the Secret.
 *
 * A changed kubeconfig engages the cluster again; one that cannot be used is logged, and the cluster stays as it is. Requires the permissions `get`,
 * `list`, and `watch` for Secrets in that namespace.
 */
export function createSecretProvider(options: SecretProviderOptions): ClusterProvider {
  return {
    start: async (clusters, signal) => {
      const provider = new SecretClusters(clusters, options);
      await provider.run(signal);
    },
  };
}

class SecretClusters {
  readonly #clusters: ClusterEngagement;
  readonly #options: SecretProviderOptions;
  readonly #log: Logger;
  // The latest Secret by name; undefined for a deleted one.
  readonly #changed = new Map<string, DeepReadonly<Stored<Secret>> | undefined>();
  readonly #busy = new Map<string, Promise<void>>();
  readonly #digests = new Map<string, string>();

  constructor(clusters: ClusterEngagement, options: SecretProviderOptions) {
    this.#clusters = clusters;
    this.#options = options;
    this.#log = clusters.getLocalManager().getLogger().withName("secret-provider");
  }

  async run(signal: AbortSignal): Promise<void> {
    const { namespace, labelSelector = `${KUBECONFIG_LABEL}=true` } = this.#options;
    const manager = this.#clusters.getLocalManager();
    // A separate cache, so that the manager caches no other Secrets.
    const cluster = createCluster(manager.getConfig(), {
      logger: this.#log,
      clock: manager.getClock(),
      registry: manager.getMetricsRegistry(),
      cache: { defaultNamespaces: { [namespace]: { labelSelector } } },
    });
    const stopping = new AbortController();
    const forgetSignal = onAbort(signal, () => stopping.abort(signal.reason));
    const running = handledLater(cluster.start(stopping.signal));
    const changed = (secret: DeepReadonly<Stored<Secret>>): void => this.#change(secret.metadata.name, secret, signal);
    try {
      const informer = await cluster.getCache().getInformer(Secret, { blockUntilSynced: false, signal });
      informer.addEventHandler({
        onAdd: changed,
        onUpdate: (_, secret) => changed(secret),
        onDelete: ({ metadata }) => this.#change(metadata.name, undefined, signal),
      });
      // A cluster that fails ends the provider.
      await Promise.race([whenAborted(signal), running]);
    } finally {
      forgetSignal();
      stopping.abort(signal.reason);
      await Promise.all([running, ...this.#busy.values()]);
    }
  }

  // One change of a cluster at a time; of several changes meanwhile, the last one counts.
  #change(name: string, secret: DeepReadonly<Stored<Secret>> | undefined, signal: AbortSignal): void {
    this.#changed.set(name, secret);
    if (!this.#busy.has(name)) {
      this.#busy.set(
        name,
        this.#applyAll(name, signal).finally(() => this.#busy.delete(name)),
      );
    }
  }

  async #applyAll(name: string, signal: AbortSignal): Promise<void> {
    while (this.#changed.has(name) && !signal.aborted) {
      const secret = this.#changed.get(name);
      this.#changed.delete(name);
      try {
        await this.#apply(name, secret, signal);
      } catch (error) {
        this.#log.error(error, "cannot engage the cluster of a Secret", { cluster: name });
      }
    }
  }

  async #apply(name: string, secret: DeepReadonly<Stored<Secret>> | undefined, signal: AbortSignal): Promise<void> {
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) {
      await this.#disengage(name);
      return;
    }
    const text = Buffer.from(secret.data?.[this.#options.key ?? "kubeconfig"] ?? "", "base64").toString("utf8");
    const digest = createHash("sha256").update(text).digest("hex");
    if (this.#digests.get(name) === digest) {
      return;
    }
    const config = await this.#configOf(`${this.#options.namespace}/${name}`, text);
    await this.#disengage(name);
    if (!signal.aborted) {
      this.#clusters.engage(name, config);
      this.#digests.set(name, digest);
    }
  }

  // Only clusters of this provider, since another one may use the same name.
  async #disengage(name: string): Promise<void> {
    if (this.#digests.delete(name)) {
      await this.#clusters.disengage(name);
    }
  }

  async #configOf(secret: string, text: string): Promise<RestConfig> {
    const kubeconfig = parseKubeconfig(text, { source: `in the Secret ${secret}` });
    const unsafe = this.#options.allowLocalAccess === true ? [] : localSettings(kubeconfig);
    if (unsafe.length > 0) {
      throw new UnsafeKubeconfigError(secret, unsafe);
    }
    return await restConfigOf(kubeconfig);
  }
}

const LOCAL_USER_SETTINGS = ["exec", "auth-provider", "tokenFile", "client-certificate", "client-key"] as const;

/** Returns the settings that run programs, or name files. */
function localSettings({ users, clusters }: Kubeconfig): readonly string[] {
  const userSettings = [...users.values()].flatMap((user) => LOCAL_USER_SETTINGS.filter((name) => isSet(user[name])));
  const hasFile = [...clusters.values()].some((cluster) => isSet(cluster["certificate-authority"]));
  return [...new Set([...userSettings, ...(hasFile ? ["certificate-authority"] : [])])];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
