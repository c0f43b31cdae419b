import type { Factory } from "../server/api-server.ts";
import type { InProcessController } from "../server/in-process-controller.ts";
import { clusterRoleAggregation } from "./cluster-role-aggregation.ts";
import { garbageCollector } from "./garbage-collector/garbage-collector.ts";
import { namespaceController } from "./namespace-controller.ts";
import { serviceAccountController } from "./service-account-controller.ts";
import { deploymentController } from "./workload/deployment-controller.ts";
import { podSimulator } from "./workload/pod-simulator.ts";
import { replicaSetController } from "./workload/replica-set-controller.ts";

/** What a cluster does to its objects without being asked: empties deleted namespaces, collects garbage, makes default service accounts, aggregates cluster roles. */
export const LIFECYCLE_CONTROLLERS: readonly Factory<InProcessController>[] = [
  namespaceController,
  garbageCollector,
  serviceAccountController,
  clusterRoleAggregation,
];

/** What makes deployments become available: replica sets, pods, and a node that runs them at once. */
export const WORKLOAD_CONTROLLERS: readonly Factory<InProcessController>[] = [
  deploymentController,
  replicaSetController,
  podSimulator,
];
