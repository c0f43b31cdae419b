import { type DeepReadonly, ignoreNotFound } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import {
  type Client,
  type ClusterProvider,
  type ClusterRequest,
  controllerutil,
  createMultiClusterManager,
  createSecretProvider,
  handler,
  inClusterNamespace,
  type Manager,
  newControllerManagedBy,
  patch,
  predicate,
  type ReconcileContext,
  type Request,
  type Result,
  source,
} from "@kubescaffold/runtime";

import { type CopyState, SharedConfig } from "../../api/v1/sharedconfig_types.ts";

/** Marks the copies of a SharedConfig, so that no other ConfigMap is changed. */
export const COPY_LABEL = "fleet.demo/shared-config";

/** SharedConfigReconciler copies SharedConfigs of the hub to ConfigMaps of the member clusters. */
export class SharedConfigReconciler {
  readonly client: Client;

  /** The client is that of the hub. */
  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=fleet.demo,resources=sharedconfigs,verbs=get;list;watch
  // +kubebuilder:rbac:groups=fleet.demo,resources=sharedconfigs/status,verbs=get;update;patch

  /** Creates, updates, or deletes the copy of a SharedConfig in one cluster, and updates the cluster's field of its status. */
  async reconcile(
    { clusterName, ...key }: ClusterRequest,
    member: Client,
    { log }: Pick<ReconcileContext, "log">,
  ): Promise<Result> {
    const shared = await ignoreNotFound(this.client.get(SharedConfig, key));
    if (shared === undefined || shared.metadata.deletionTimestamp !== undefined) {
      await this.#remove(key, member);
      return {};
    }
    const { object, result } = await controllerutil.createOrUpdate(
      member,
      ConfigMap.create({ metadata: key }),
      (copy) => (isForeign(copy) ? copy : withData(copy, { ...shared.spec.data })),
    );
    log.info("Copied", { result });
    await this.#report(shared, clusterName, isForeign(object) ? "Taken" : "Synced");
    return {};
  }

  /** Registers a controller for each member cluster; by default, their kubeconfigs are Secrets in the namespace of the manager. */
  async setupWithManager(mgr: Manager, providers?: readonly ClusterProvider[]): Promise<void> {
    const namespace = (await inClusterNamespace()) ?? "multicluster-system";
    const clusters = createMultiClusterManager(mgr, { providers: providers ?? [createSecretProvider({ namespace })] });
    clusters.forEachCluster(async ({ name, manager }) => {
      const member = manager.getClient();
      await newControllerManagedBy(manager)
        .named("sharedconfig")
        // Each cluster watches the hub, so a new cluster starts with all SharedConfigs.
        .watchesRawSource(
          source.kind({ cache: mgr.getCache(), kind: SharedConfig, handler: handler.enqueueRequestForObject() }),
        )
        .watches(ConfigMap, handler.enqueueRequestForObject(), { predicates: [predicate.ofObject(isCopy)] })
        .complete((key, context) => this.reconcile({ clusterName: name, ...key }, member, context));
    });
  }

  // The copy has no owner in its cluster. A deletion that the manager missed is found with the next event of the copy, at the latest when it starts.
  async #remove(key: Request, member: Client): Promise<void> {
    const copy = await ignoreNotFound(member.get(ConfigMap, key));
    if (copy !== undefined && !isForeign(copy)) await ignoreNotFound(member.delete(copy));
  }

  // A merge patch of one field, so that the controllers of the clusters do not conflict.
  async #report(shared: DeepReadonly<SharedConfig>, clusterName: string, state: CopyState): Promise<void> {
    if (shared.status?.clusters?.[clusterName] === state) return;
    const status = { ...shared.status, clusters: { ...shared.status?.clusters, [clusterName]: state } };
    await this.client.status().patch({ ...shared, status }, patch.mergeFrom(shared));
  }
}

function isCopy({ metadata }: DeepReadonly<ConfigMap>): boolean {
  return metadata.labels?.[COPY_LABEL] === "true";
}

function isForeign(object: DeepReadonly<ConfigMap>): boolean {
  return object.metadata.uid !== undefined && !isCopy(object);
}

function withData(copy: ConfigMap, data: Record<string, string>): ConfigMap {
  return { ...copy, metadata: { ...copy.metadata, labels: { ...copy.metadata.labels, [COPY_LABEL]: "true" } }, data };
}
