import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { EventHandler, HandlerContext } from "../handler/event-handler.ts";
import type { Cluster } from "../manager/cluster.ts";
import type { Request } from "../reconcile/reconcile.ts";
import type { RateLimitingQueue } from "../workqueue/queue.ts";
import { routedQueue } from "../workqueue/routed-queue.ts";

/** Identifies the object to reconcile, and its cluster. */
export interface ClusterRequest extends Request {
  /** The name of the cluster; empty for the local one. */
  readonly clusterName: string;
}

/** Returns the handler of a kind's events in one cluster; its requests may be for any engaged cluster. */
export type ClusterHandler<T extends KubernetesObject> = (
  clusterName: string,
  cluster: Omit<Cluster, "start">,
) => EventHandler<T, ClusterRequest>;

/** The queues of a controller, by the name of their cluster. */
export type ClusterQueues = ReadonlyMap<string, RateLimitingQueue<ClusterRequest>>;

/** Returns a handler that adds requests to the queues of their clusters; requests for clusters that are not engaged are dropped. */
export function routedHandler<T extends KubernetesObject>(
  handler: EventHandler<T, ClusterRequest>,
  queues: ClusterQueues,
): EventHandler<T, ClusterRequest> {
  const routed = new WeakMap<object, RateLimitingQueue<ClusterRequest>>();
  const withRoutes = (context: HandlerContext<ClusterRequest>): HandlerContext<ClusterRequest> => {
    const queue = routed.get(context.queue) ?? routedQueue(context.queue, ({ clusterName }) => queues.get(clusterName));
    routed.set(context.queue, queue);
    return { ...context, queue };
  };
  return {
    create: (event, context) => handler.create(event, withRoutes(context)),
    update: (event, context) => handler.update(event, withRoutes(context)),
    delete: (event, context) => handler.delete(event, withRoutes(context)),
    generic: (event, context) => handler.generic(event, withRoutes(context)),
  };
}
