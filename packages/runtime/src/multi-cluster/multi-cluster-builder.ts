import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { onAbort } from "@kubescaffold/platform/clock";

import { DescribedController, type OwnsOptions, type WatchesOptions } from "../builder/controller-builder.ts";
import type { KindRef } from "../client/client.ts";
import type { ControllerOptions } from "../controller/controller.ts";
import type { Cluster } from "../manager/cluster.ts";
import { ManagerScope } from "../manager/manager-scope.ts";
import type { Manager } from "../manager/manager.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { ReconcileFunction, Reconciler } from "../reconcile/reconcile.ts";
import { func } from "../source/source.ts";
import type { RateLimitingQueue } from "../workqueue/queue.ts";
import { LOCAL_CLUSTER } from "./cluster-provider.ts";
import { type ClusterHandler, type ClusterRequest, routedHandler } from "./cluster-request.ts";
import type { EngagedCluster, MultiClusterManager } from "./multi-cluster-manager.ts";

/** Reports whether a controller runs in a cluster. */
export type ClusterFilter = (name: string, cluster: Omit<Cluster, "start">) => boolean;

/**
 * Builds a controller that watches its kinds in all engaged clusters.
 *
 * Each cluster has its own queue and workers: `maxConcurrentReconciles` counts per cluster.
 */
export interface MultiClusterControllerBuilder {
  /** Reconciles the objects of a kind, once per builder; the kind is the default name of the controller. */
  for<T extends KubernetesObject>(kind: KindRef<T>, options?: WatchesOptions<T>): MultiClusterControllerBuilder;
  /** Reconciles the owner, in the same cluster, when an object of this kind changes. */
  owns<T extends KubernetesObject>(kind: KindRef<T>, options?: OwnsOptions<T>): MultiClusterControllerBuilder;
  /** Reconciles the requests that a handler returns for the changes of a kind; they may be for another cluster. */
  watches<T extends KubernetesObject>(
    kind: KindRef<T>,
    handler: ClusterHandler<T>,
    options?: WatchesOptions<T>,
  ): MultiClusterControllerBuilder;
  /** Filters the events of all kinds in all clusters; all filters must pass. */
  withEventFilter(predicate: Predicate): MultiClusterControllerBuilder;
  /** Runs the controller only in the clusters for which the function returns true. Default: all engaged clusters. */
  withClusterFilter(filter: ClusterFilter): MultiClusterControllerBuilder;
  /** Sets the options of the controller in each cluster; a later call replaces them. */
  withOptions(options: Partial<ControllerOptions<ClusterRequest>>): MultiClusterControllerBuilder;
  /** Sets the name in logs and metrics. Default: the kind in lower case. */
  named(name: string): MultiClusterControllerBuilder;
  /** Runs the controller in all engaged clusters, now and later. Fails: `ControllerBuilderError`, `ControllerNameTakenError`. */
  complete(reconciler: Reconciler<ClusterRequest> | ReconcileFunction<ClusterRequest>): Promise<void>;
}

/** Returns a builder of a controller that runs in all engaged clusters. */
export function newMultiClusterControllerManagedBy(clusters: MultiClusterManager): MultiClusterControllerBuilder {
  return new MultiClusterController(clusters);
}

type Step = (controller: DescribedController<ClusterRequest>, engaged: EngagedCluster) => void;

// Records the calls, and repeats them in each cluster.
class MultiClusterController implements MultiClusterControllerBuilder {
  readonly #clusters: MultiClusterManager;
  readonly #steps: Step[] = [];
  readonly #queues = new Map<string, RateLimitingQueue<ClusterRequest>>();
  #filter: ClusterFilter = () => true;

  constructor(clusters: MultiClusterManager) {
    this.#clusters = clusters;
  }

  for<T extends KubernetesObject>(kind: KindRef<T>, options?: WatchesOptions<T>): this {
    return this.#record((controller) => void controller.for(kind, options));
  }

  owns<T extends KubernetesObject>(kind: KindRef<T>, options?: OwnsOptions<T>): this {
    return this.#record((controller) => void controller.owns(kind, options));
  }

  watches<T extends KubernetesObject>(kind: KindRef<T>, handler: ClusterHandler<T>, options?: WatchesOptions<T>): this {
    return this.#record((controller, { name, cluster }) => {
      controller.watches(kind, routedHandler(handler(name, cluster), this.#queues), options);
    });
  }

  withEventFilter(predicate: Predicate): this {
    return this.#record((controller) => void controller.withEventFilter(predicate));
  }

  withClusterFilter(filter: ClusterFilter): this {
    this.#filter = filter;
    return this;
  }

  withOptions(options: Partial<ControllerOptions<ClusterRequest>>): this {
    return this.#record((controller) => void controller.withOptions(options));
  }

  named(name: string): this {
    return this.#record((controller) => void controller.named(name));
  }

  async complete(reconciler: Reconciler<ClusterRequest> | ReconcileFunction<ClusterRequest>): Promise<void> {
    // A controller that never runs checks the description, and claims the name.
    const manager = idleManager(this.#clusters.getLocalManager());
    await this.#describe({ name: LOCAL_CLUSTER, cluster: manager, manager }).complete(reconciler);
    this.#clusters.forEachCluster(async (engaged) => {
      if (!this.#filter(engaged.name, engaged.cluster)) {
        return;
      }
      const controller = this.#describe(engaged);
      controller.watchesRawSource(
        func(({ queue, signal }) => {
          this.#queues.set(engaged.name, queue);
          onAbort(signal, () => this.#forget(engaged.name, queue));
        }),
      );
      await controller.complete(reconciler);
    });
  }

  #describe(engaged: EngagedCluster): DescribedController<ClusterRequest> {
    const clusterName = engaged.name;
    const controller = new DescribedController(engaged.manager, (request) => ({ clusterName, ...request }));
    this.#steps.forEach((step) => step(controller, engaged));
    return controller;
  }

  #forget(name: string, queue: RateLimitingQueue<ClusterRequest>): void {
    if (this.#queues.get(name) === queue) {
      this.#queues.delete(name);
    }
  }

  #record(step: Step): this {
    this.#steps.push(step);
    return this;
  }
}

function idleManager(manager: Manager): Manager {
  const [log, controller] = [manager.getLogger(), manager.getControllerOptions()];
  return new ManagerScope({ manager, name: "no cluster", cluster: manager, log, controller }).manager;
}
