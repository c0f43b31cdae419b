import {
  BUDGETS,
  type ControllerPolicy,
  type Factory,
  FLOW_SCHEMAS,
  type InProcessController,
  type IpFamily,
  isDisruptionTarget,
  PRIORITY_LEVELS,
  type RequestSigner,
} from "@kubescaffold/apiserver/cluster-api";

import { AUTOSCALERS, AUTOSCALING_CONTROLLER } from "../controllers/autoscaling/autoscaling-resources.ts";
import type { MetricStore } from "../controllers/autoscaling/cluster-metrics.ts";
import { CERTIFICATE_CONTROLLER, SIGNING_REQUESTS } from "../controllers/certificates/certificate-resources.ts";
import {
  CLUSTER_ROLE_AGGREGATION_CONTROLLER,
  CLUSTER_ROLE_AGGREGATION_RULES,
  clusterRoleAggregation,
} from "../controllers/cluster-role-aggregation.ts";
import { DISRUPTION_CONTROLLER } from "../controllers/disruption/disruption-policy.ts";
import {
  ENDPOINT_CONTROLLER,
  ENDPOINT_CONTROLLER_RULES,
  ENDPOINT_MIRRORING_CONTROLLER,
  ENDPOINT_MIRRORING_CONTROLLER_RULES,
  ENDPOINT_SLICE_CONTROLLER,
  ENDPOINT_SLICE_CONTROLLER_RULES,
  ENDPOINTS,
  hasSelector,
  isWrittenByUser,
  SERVICES,
} from "../controllers/endpoints/endpoint-policies.ts";
import {
  GARBAGE_COLLECTOR,
  GARBAGE_COLLECTOR_RULES,
  garbageCollector,
} from "../controllers/garbage-collector/garbage-collector.ts";
import { lazyController } from "../controllers/lazy-controller.ts";
import {
  NAMESPACE_CONTROLLER,
  NAMESPACE_CONTROLLER_RULES,
  namespaceController,
} from "../controllers/namespace-controller.ts";
import {
  NODE_CONTROLLER,
  NODE_CONTROLLER_RULES,
  POD_GARBAGE_COLLECTOR,
  POD_GARBAGE_COLLECTOR_RULES,
} from "../controllers/nodes/node-policies.ts";
import { type Demand, onDemandController } from "../controllers/on-demand-controller.ts";
import {
  POLICY_STATUS_CONTROLLER,
  POLICY_STATUS_CONTROLLER_RULES,
  VALIDATING_POLICIES,
} from "../controllers/policies/policy-status.ts";
import {
  RESOURCE_QUOTA_CONTROLLER,
  RESOURCE_QUOTA_CONTROLLER_RULES,
  RESOURCE_QUOTAS,
} from "../controllers/quota/quota-policy.ts";
import { ROOT_CA_PUBLISHER, ROOT_CA_PUBLISHER_RULES } from "../controllers/root-ca-publisher.ts";
import {
  SERVICE_ACCOUNT_CONTROLLER,
  SERVICE_ACCOUNT_CONTROLLER_RULES,
  serviceAccountController,
} from "../controllers/service-account-controller.ts";
import {
  SERVICE_ADDRESSES,
  SERVICE_RANGE_CONTROLLER,
  SERVICE_RANGES,
} from "../controllers/service-ranges/address-resources.ts";
import { wantsExpansion } from "../controllers/volumes/claim-size.ts";
import {
  ATTRIBUTES_CLASS_PROTECTION,
  ATTRIBUTES_CLASSES,
  CLAIMS,
  EPHEMERAL_VOLUMES,
  hasEphemeralVolumes,
  PERSISTENT_VOLUMES,
  VOLUME_BINDER,
  VOLUME_EXPANSION,
  VOLUME_PROTECTION,
  VOLUME_PROVISIONER,
  VOLUME_RESIZER,
} from "../controllers/volumes/volume-policies.ts";
import { eventCorrelation } from "../controllers/workload/event-correlator.ts";
import { DAEMON_SETS, PODS, REPLICATION_CONTROLLERS } from "../controllers/workload/workload-objects.ts";
import {
  CLAIM_PROTECTION_CONTROLLER,
  CLAIM_PROTECTION_RULES,
  CRON_JOB_CONTROLLER,
  CRON_JOB_CONTROLLER_RULES,
  DAEMON_SET_CONTROLLER,
  DAEMON_SET_CONTROLLER_RULES,
  DEPLOYMENT_CONTROLLER,
  DEPLOYMENT_CONTROLLER_RULES,
  JOB_CONTROLLER,
  JOB_CONTROLLER_RULES,
  REPLICA_SET_CONTROLLER,
  REPLICA_SET_CONTROLLER_RULES,
  REPLICATION_MANAGER,
  STATEFUL_SET_CONTROLLER,
  STATEFUL_SET_CONTROLLER_RULES,
  TTL_AFTER_FINISHED_CONTROLLER,
  TTL_AFTER_FINISHED_RULES,
} from "../controllers/workload/workload-policies.ts";
import type { ContainerRuntime } from "../kubelet/containers/container-runtime.ts";

const BUDGETS_AND_DISRUPTED_PODS: Demand = {
  resources: [BUDGETS, PODS],
  isNeededBy: (object) => object.kind === "PodDisruptionBudget" || isDisruptionTarget(object),
};

// The first range and the address of the Service `kubernetes` are complete from the start.
const FURTHER_RANGES: Demand = {
  resources: [SERVICE_RANGES],
  isNeededBy: ({ metadata }) => metadata.name !== "kubernetes" || metadata.deletionTimestamp !== undefined,
};
const FURTHER_SERVICES: Demand = {
  resources: [SERVICES],
  isNeededBy: ({ metadata }) => metadata.name !== "kubernetes" || metadata.namespace !== "default",
};

const PODS_WITH_EPHEMERAL_VOLUMES: Demand = {
  resources: [PODS],
  isNeededBy: (object) => hasEphemeralVolumes(object),
};
const EXPANDING_CLAIMS: Demand = { resources: [CLAIMS], isNeededBy: (object) => wantsExpansion(object) };

/** Keeps an IPAddress for each address of a Service, which kube-apiserver does without controllers. */
export const ADDRESS_CONTROLLER: Factory<InProcessController> = onDemandController(
  SERVICE_ADDRESSES,
  FURTHER_SERVICES,
  async () => {
    const { serviceAddresses } = await import("../controllers/service-ranges/service-addresses.ts");
    return serviceAddresses;
  },
);

/** Keeps the status of FlowSchemas, which kube-apiserver does without controllers. Those that exist from the start need none. */
export const FLOW_SCHEMA_CONTROLLER: Factory<InProcessController> = onDemandController(
  "flow-schema-status",
  {
    resources: [FLOW_SCHEMAS, PRIORITY_LEVELS],
    isNeededBy: ({ metadata }) => metadata.annotations?.["apf.kubernetes.io/autoupdate-spec"] !== "true",
    isNeededByChanges: true,
  },
  async () => {
    const { flowSchemaStatus } = await import("../controllers/flow-control/flow-schema-status.ts");
    return flowSchemaStatus;
  },
);

const SELECTING_SERVICES: Demand = { resources: [SERVICES], isNeededBy: (object) => hasSelector(object) };

/**
 * Controllers of every cluster: empty deleted namespaces, collect garbage, create default service accounts, aggregate cluster roles, count what quotas
 * limit, check the types of admission policies, write the endpoints of Services, create the claims of ephemeral volumes, bind volumes to claims and expand them, and write the status of disruption budgets.
 */
export const LIFECYCLE_CONTROLLERS: readonly Factory<InProcessController>[] = [
  namespaceController,
  garbageCollector,
  serviceAccountController,
  clusterRoleAggregation,
  eventCorrelation,
  onDemandController(RESOURCE_QUOTA_CONTROLLER, { resources: [RESOURCE_QUOTAS] }, async () => {
    const { resourceQuotaController } = await import("../controllers/quota/resource-quota-controller.ts");
    return resourceQuotaController;
  }),
  onDemandController(POLICY_STATUS_CONTROLLER, { resources: [VALIDATING_POLICIES] }, async () => {
    const { policyStatusController } = await import("../controllers/policies/policy-status-controller.ts");
    return policyStatusController;
  }),
  onDemandController(ENDPOINT_CONTROLLER, SELECTING_SERVICES, async () => {
    const { endpointsController } = await import("../controllers/endpoints/endpoints-controller.ts");
    return endpointsController;
  }),
  onDemandController(ENDPOINT_SLICE_CONTROLLER, SELECTING_SERVICES, async () => {
    const { endpointSliceController } = await import("../controllers/endpoints/endpoint-slice-controller.ts");
    return endpointSliceController;
  }),
  onDemandController(
    ENDPOINT_MIRRORING_CONTROLLER,
    { resources: [ENDPOINTS], isNeededBy: (object) => isWrittenByUser(object) },
    async () => {
      const { endpointSliceMirroring } = await import("../controllers/endpoints/endpoint-slice-mirroring.ts");
      return endpointSliceMirroring;
    },
  ),
  onDemandController(DISRUPTION_CONTROLLER, BUDGETS_AND_DISRUPTED_PODS, async () => {
    const { disruptionController } = await import("../controllers/disruption/disruption-controller.ts");
    return disruptionController;
  }),
  onDemandController(SERVICE_RANGE_CONTROLLER, FURTHER_RANGES, async () => {
    const { serviceRangeController } = await import("../controllers/service-ranges/service-range-controller.ts");
    return serviceRangeController;
  }),
  onDemandController(VOLUME_BINDER, { resources: [CLAIMS, PERSISTENT_VOLUMES] }, async () => {
    const { volumeBinder } = await import("../controllers/volumes/volume-binder.ts");
    return volumeBinder;
  }),
  onDemandController(EPHEMERAL_VOLUMES, PODS_WITH_EPHEMERAL_VOLUMES, async () => {
    const { ephemeralVolumes } = await import("../controllers/volumes/ephemeral-volumes.ts");
    return ephemeralVolumes;
  }),
  onDemandController(VOLUME_EXPANSION, EXPANDING_CLAIMS, async () => {
    const { volumeExpansion } = await import("../controllers/volumes/volume-expansion.ts");
    return volumeExpansion;
  }),
  onDemandController(VOLUME_PROTECTION, { resources: [PERSISTENT_VOLUMES] }, async () => {
    const { volumeProtection } = await import("../controllers/volumes/volume-protection.ts");
    return volumeProtection;
  }),
  onDemandController(ATTRIBUTES_CLASS_PROTECTION, { resources: [ATTRIBUTES_CLASSES] }, async () => {
    const { attributesClassProtection } = await import("../controllers/volumes/attributes-class-protection.ts");
    return attributesClassProtection;
  }),
  onDemandController(CLAIM_PROTECTION_CONTROLLER, { resources: [CLAIMS] }, async () => {
    const { claimProtection } = await import("../controllers/workload/claim-protection.ts");
    return claimProtection;
  }),
];

/** Returns the controller that scales the targets of HorizontalPodAutoscalers. */
export function autoscaling(metrics: MetricStore): Factory<InProcessController> {
  return onDemandController(AUTOSCALING_CONTROLLER, { resources: [AUTOSCALERS] }, async () => {
    const { autoscalingController } = await import("../controllers/autoscaling/autoscaling-controller.ts");
    return (context) => autoscalingController(context, metrics);
  });
}

/** Returns the controller that approves, signs, and deletes CertificateSigningRequests. */
export function certificateSigning(signer: RequestSigner): Factory<InProcessController> {
  return onDemandController(CERTIFICATE_CONTROLLER, { resources: [SIGNING_REQUESTS] }, async () => {
    const { certificateController } = await import("../controllers/certificates/certificate-controller.ts");
    return (context) => certificateController(context, signer);
  });
}

/** The controllers of Deployments, StatefulSets, DaemonSets, Jobs, and CronJobs, of Nodes and their Pods, and the scheduler. */
export const WORKLOAD_CONTROLLERS: readonly Factory<InProcessController>[] = [
  lazyController(DEPLOYMENT_CONTROLLER, async () => {
    const { deploymentController } = await import("../controllers/workload/deployment-controller.ts");
    return deploymentController;
  }),
  lazyController(REPLICA_SET_CONTROLLER, async () => {
    const { replicaSetController } = await import("../controllers/workload/replica-set-controller.ts");
    return replicaSetController;
  }),
  onDemandController(REPLICATION_MANAGER, { resources: [REPLICATION_CONTROLLERS] }, async () => {
    const { replicationManager } = await import("../controllers/workload/replica-set-controller.ts");
    return replicationManager;
  }),
  lazyController(STATEFUL_SET_CONTROLLER, async () => {
    const { statefulSetController } = await import("../controllers/workload/stateful-sets/stateful-set-controller.ts");
    return statefulSetController;
  }),
  onDemandController(DAEMON_SET_CONTROLLER, { resources: [DAEMON_SETS] }, async () => {
    const { daemonSetController } = await import("../controllers/workload/daemon-sets/daemon-set-controller.ts");
    return daemonSetController;
  }),
  lazyController(JOB_CONTROLLER, async () => {
    const { jobController } = await import("../controllers/workload/jobs/job-controller.ts");
    return jobController;
  }),
  lazyController(TTL_AFTER_FINISHED_CONTROLLER, async () => {
    const { ttlAfterFinished } = await import("../controllers/workload/jobs/ttl-after-finished.ts");
    return ttlAfterFinished;
  }),
  lazyController(CRON_JOB_CONTROLLER, async () => {
    const { cronJobController } = await import("../controllers/workload/cron-jobs/cron-job-controller.ts");
    return cronJobController;
  }),
  lazyController("default-scheduler", async () => {
    const { scheduler } = await import("../scheduler/scheduler.ts");
    return scheduler;
  }),
  lazyController(NODE_CONTROLLER, async () => {
    const { nodeLifecycle } = await import("../controllers/nodes/node-lifecycle.ts");
    return nodeLifecycle;
  }),
  lazyController("taint-eviction-controller", async () => {
    const { taintEviction } = await import("../controllers/nodes/taint-eviction.ts");
    return taintEviction;
  }),
  lazyController(POD_GARBAGE_COLLECTOR, async () => {
    const { podGarbageCollector } = await import("../controllers/nodes/pod-garbage-collector.ts");
    return podGarbageCollector;
  }),
];

/** Returns the controllers that stand for what is outside of a control plane: Nodes that run the containers of their Pods at once, and volumes for claims. */
export function nodeSimulation(
  containers: ContainerRuntime,
  families: readonly IpFamily[],
): readonly Factory<InProcessController>[] {
  return [
    onDemandController(VOLUME_PROVISIONER, { resources: [CLAIMS, PERSISTENT_VOLUMES] }, async () => {
      const { volumeProvisioner } = await import("../controllers/volumes/volume-provisioner.ts");
      return volumeProvisioner;
    }),
    onDemandController(VOLUME_RESIZER, EXPANDING_CLAIMS, async () => {
      const { volumeResizer } = await import("../controllers/volumes/volume-resizer.ts");
      return volumeResizer;
    }),
    lazyController("node-simulator", async () => {
      const { nodeSimulator } = await import("../kubelet/node-simulator.ts");
      return (context) => nodeSimulator(context, families);
    }),
    lazyController("node-leases", async () => {
      const { nodeLeases } = await import("../kubelet/node-leases.ts");
      return nodeLeases;
    }),
    lazyController("pod-simulator", async () => {
      const { podSimulator } = await import("../kubelet/pod-simulator.ts");
      return (context) => podSimulator(context, containers, families);
    }),
  ];
}

/** Service accounts in `kube-system` that the controllers act as, and the rules of their roles. */
export const CONTROLLER_POLICIES: readonly ControllerPolicy[] = [
  { name: CLUSTER_ROLE_AGGREGATION_CONTROLLER, rules: CLUSTER_ROLE_AGGREGATION_RULES },
  { name: CRON_JOB_CONTROLLER, rules: CRON_JOB_CONTROLLER_RULES },
  { name: ENDPOINT_CONTROLLER, rules: ENDPOINT_CONTROLLER_RULES },
  { name: ENDPOINT_SLICE_CONTROLLER, rules: ENDPOINT_SLICE_CONTROLLER_RULES },
  { name: ENDPOINT_MIRRORING_CONTROLLER, rules: ENDPOINT_MIRRORING_CONTROLLER_RULES },
  { name: DAEMON_SET_CONTROLLER, rules: DAEMON_SET_CONTROLLER_RULES },
  { name: DEPLOYMENT_CONTROLLER, rules: DEPLOYMENT_CONTROLLER_RULES },
  { name: GARBAGE_COLLECTOR, rules: GARBAGE_COLLECTOR_RULES },
  { name: JOB_CONTROLLER, rules: JOB_CONTROLLER_RULES },
  { name: NAMESPACE_CONTROLLER, rules: NAMESPACE_CONTROLLER_RULES },
  { name: NODE_CONTROLLER, rules: NODE_CONTROLLER_RULES },
  { name: POD_GARBAGE_COLLECTOR, rules: POD_GARBAGE_COLLECTOR_RULES },
  { name: CLAIM_PROTECTION_CONTROLLER, rules: CLAIM_PROTECTION_RULES },
  { name: POLICY_STATUS_CONTROLLER, rules: POLICY_STATUS_CONTROLLER_RULES },
  { name: REPLICA_SET_CONTROLLER, rules: REPLICA_SET_CONTROLLER_RULES },
  { name: RESOURCE_QUOTA_CONTROLLER, rules: RESOURCE_QUOTA_CONTROLLER_RULES },
  { name: ROOT_CA_PUBLISHER, rules: ROOT_CA_PUBLISHER_RULES },
  { name: SERVICE_ACCOUNT_CONTROLLER, rules: SERVICE_ACCOUNT_CONTROLLER_RULES },
  { name: STATEFUL_SET_CONTROLLER, rules: STATEFUL_SET_CONTROLLER_RULES },
  { name: TTL_AFTER_FINISHED_CONTROLLER, rules: TTL_AFTER_FINISHED_RULES },
];
