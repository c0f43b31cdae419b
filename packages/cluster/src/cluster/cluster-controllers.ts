import {
  type Controller,
  type ControllerPolicy,
  type IpFamily,
  type RequestSigner,
  SERVER_CONTROLLERS,
  type ServerControllerParts,
} from "@kubescaffold/apiserver/cluster-api";

import { AUTOSCALING_CONTROLLER, METRICS_REGISTRATION } from "../controllers/autoscaling/autoscaling-controllers.ts";
import type { MetricStore } from "../controllers/autoscaling/cluster-metrics.ts";
import { CERTIFICATE_CONTROLLER } from "../controllers/certificates/certificate-controllers.ts";
import { CLUSTER_ROLE_AGGREGATION } from "../controllers/cluster-role-aggregation.ts";
import { DISRUPTION_CONTROLLER } from "../controllers/disruption/disruption-controllers.ts";
import { ENDPOINT_CONTROLLERS } from "../controllers/endpoints/endpoint-controllers.ts";
import { GARBAGE_COLLECTOR } from "../controllers/garbage-collector/garbage-collector.ts";
import { NAMESPACE_CONTROLLER } from "../controllers/namespace-controller.ts";
import { NODE_CONTROLLERS } from "../controllers/nodes/node-controllers.ts";
import { POLICY_STATUS_CONTROLLER } from "../controllers/policies/policy-controllers.ts";
import { RESOURCE_QUOTA_CONTROLLER } from "../controllers/quota/quota-controllers.ts";
import { ROOT_CA_PUBLISHER } from "../controllers/root-ca-publisher.ts";
import { SERVICE_ACCOUNT_CONTROLLER } from "../controllers/service-account-controller.ts";
import { SERVICE_RANGE_CONTROLLER } from "../controllers/service-ranges/service-range-controllers.ts";
import { SIMULATED_VOLUME_DRIVERS, VOLUME_CONTROLLERS } from "../controllers/volumes/volume-controllers.ts";
import { CRON_JOB_CONTROLLER } from "../controllers/workload/cron-jobs/cron-job-controllers.ts";
import { DAEMON_SET_CONTROLLER } from "../controllers/workload/daemon-sets/daemon-set-controllers.ts";
import { EVENT_CORRELATION } from "../controllers/workload/event-correlator.ts";
import { JOB_CONTROLLERS } from "../controllers/workload/jobs/job-controllers.ts";
import { REPLICA_CONTROLLERS } from "../controllers/workload/replica-controllers.ts";
import { STATEFUL_SET_CONTROLLER } from "../controllers/workload/stateful-sets/stateful-set-controllers.ts";
import { KUBELET_CONTROLLERS } from "../kubelet/kubelet-controllers.ts";
import { SCHEDULER } from "../scheduler/scheduler-controllers.ts";
import type { ClusterContainers } from "./cluster-containers.ts";

/** The parts of a cluster that controllers need. */
export interface ControllerParts extends ServerControllerParts {
  readonly containers: ClusterContainers;
  /** The families of the addresses of Nodes and Pods. */
  readonly families: readonly IpFamily[];
  readonly metrics: MetricStore;
  readonly requestSigner: RequestSigner;
}

type ClusterController = Controller<ControllerParts>;

// Those of kube-apiserver itself, and of a metrics-server.
const IN_EVERY_CLUSTER: readonly ClusterController[] = [...SERVER_CONTROLLERS, METRICS_REGISTRATION];

const LIFECYCLE_CONTROLLERS: readonly ClusterController[] = [
  NAMESPACE_CONTROLLER,
  GARBAGE_COLLECTOR,
  SERVICE_ACCOUNT_CONTROLLER,
  CLUSTER_ROLE_AGGREGATION,
  EVENT_CORRELATION,
  RESOURCE_QUOTA_CONTROLLER,
  POLICY_STATUS_CONTROLLER,
  ...ENDPOINT_CONTROLLERS,
  DISRUPTION_CONTROLLER,
  SERVICE_RANGE_CONTROLLER,
  ...VOLUME_CONTROLLERS,
  AUTOSCALING_CONTROLLER,
  CERTIFICATE_CONTROLLER,
  ROOT_CA_PUBLISHER,
];

const WORKLOAD_CONTROLLERS: readonly ClusterController[] = [
  ...REPLICA_CONTROLLERS,
  STATEFUL_SET_CONTROLLER,
  DAEMON_SET_CONTROLLER,
  ...JOB_CONTROLLERS,
  CRON_JOB_CONTROLLER,
  SCHEDULER,
  ...NODE_CONTROLLERS,
];

// They stand for what is outside of a control plane: Nodes that run the containers of their Pods at once, and volumes for claims.
const NODE_SIMULATION: readonly ClusterController[] = [...SIMULATED_VOLUME_DRIVERS, ...KUBELET_CONTROLLERS];

/** All controllers that a cluster can have. */
export const ALL_CONTROLLERS: readonly ClusterController[] = [
  ...IN_EVERY_CLUSTER,
  ...LIFECYCLE_CONTROLLERS,
  ...WORKLOAD_CONTROLLERS,
  ...NODE_SIMULATION,
];

/** Service accounts in `kube-system` that controllers act as, and the rules of their roles. */
export const CONTROLLER_POLICIES: readonly ControllerPolicy[] = ALL_CONTROLLERS.filter(({ rules }) => rules.length > 0);

/** Groups of controllers that a cluster can have or not. */
export interface ControllerGroups {
  readonly lifecycle: boolean;
  /** The controllers of workloads, the scheduler, and the controllers of Nodes. */
  readonly workloads: boolean;
  readonly nodeSimulation: boolean;
}

/** Returns the controllers of a cluster, in the order of their start. */
export function controllersOf({
  lifecycle,
  workloads,
  nodeSimulation,
}: ControllerGroups): readonly ClusterController[] {
  return [
    ...IN_EVERY_CLUSTER,
    ...(lifecycle ? LIFECYCLE_CONTROLLERS : []),
    ...(workloads ? WORKLOAD_CONTROLLERS : []),
    ...(nodeSimulation ? NODE_SIMULATION : []),
  ];
}
