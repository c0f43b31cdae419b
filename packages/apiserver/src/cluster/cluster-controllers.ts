import type { ControllerPolicy } from "../authorization/bootstrap-policy.ts";
import type { ContainerRuntime } from "../containers/container-runtime.ts";
import {
  CLUSTER_ROLE_AGGREGATION_CONTROLLER,
  CLUSTER_ROLE_AGGREGATION_RULES,
  clusterRoleAggregation,
} from "../controllers/cluster-role-aggregation.ts";
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
  SERVICE_ACCOUNT_CONTROLLER,
  SERVICE_ACCOUNT_CONTROLLER_RULES,
  serviceAccountController,
} from "../controllers/service-account-controller.ts";
import {
  CLAIM_PROTECTION_CONTROLLER,
  CLAIM_PROTECTION_RULES,
  CRON_JOB_CONTROLLER,
  CRON_JOB_CONTROLLER_RULES,
  DEPLOYMENT_CONTROLLER,
  DEPLOYMENT_CONTROLLER_RULES,
  JOB_CONTROLLER,
  JOB_CONTROLLER_RULES,
  REPLICA_SET_CONTROLLER,
  REPLICA_SET_CONTROLLER_RULES,
  STATEFUL_SET_CONTROLLER,
  STATEFUL_SET_CONTROLLER_RULES,
  TTL_AFTER_FINISHED_CONTROLLER,
  TTL_AFTER_FINISHED_RULES,
} from "../controllers/workload/workload-policies.ts";
import type { InProcessController } from "../pipeline/server-context.ts";
import type { Factory } from "../server/api-server.ts";

/** Controllers of every cluster: empty deleted namespaces, collect garbage, create default service accounts, and aggregate cluster roles. */
export const LIFECYCLE_CONTROLLERS: readonly Factory<InProcessController>[] = [
  namespaceController,
  garbageCollector,
  serviceAccountController,
  clusterRoleAggregation,
];

/** Returns the controllers that make deployments and stateful sets available and run Jobs and CronJobs: replica sets, pods, and a node that runs their containers at once. */
export function workloadControllers(containers: ContainerRuntime): readonly Factory<InProcessController>[] {
  return [
    lazyController(DEPLOYMENT_CONTROLLER, async () => {
      const { deploymentController } = await import("../controllers/workload/deployment-controller.ts");
      return deploymentController;
    }),
    lazyController(REPLICA_SET_CONTROLLER, async () => {
      const { replicaSetController } = await import("../controllers/workload/replica-set-controller.ts");
      return replicaSetController;
    }),
    lazyController(STATEFUL_SET_CONTROLLER, async () => {
      const { statefulSetController } =
        await import("../controllers/workload/stateful-sets/stateful-set-controller.ts");
      return statefulSetController;
    }),
    lazyController(CLAIM_PROTECTION_CONTROLLER, async () => {
      const { claimProtection } = await import("../controllers/workload/claim-protection.ts");
      return claimProtection;
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
    lazyController("pod-simulator", async () => {
      const { podSimulator } = await import("../controllers/workload/pod-simulator.ts");
      return (context) => podSimulator(context, containers);
    }),
  ];
}

/** Service accounts in `kube-system` that the controllers act as, and the rules of their roles. */
export const CONTROLLER_POLICIES: readonly ControllerPolicy[] = [
  { name: CLUSTER_ROLE_AGGREGATION_CONTROLLER, rules: CLUSTER_ROLE_AGGREGATION_RULES },
  { name: CRON_JOB_CONTROLLER, rules: CRON_JOB_CONTROLLER_RULES },
  { name: DEPLOYMENT_CONTROLLER, rules: DEPLOYMENT_CONTROLLER_RULES },
  { name: GARBAGE_COLLECTOR, rules: GARBAGE_COLLECTOR_RULES },
  { name: JOB_CONTROLLER, rules: JOB_CONTROLLER_RULES },
  { name: NAMESPACE_CONTROLLER, rules: NAMESPACE_CONTROLLER_RULES },
  { name: CLAIM_PROTECTION_CONTROLLER, rules: CLAIM_PROTECTION_RULES },
  { name: REPLICA_SET_CONTROLLER, rules: REPLICA_SET_CONTROLLER_RULES },
  { name: SERVICE_ACCOUNT_CONTROLLER, rules: SERVICE_ACCOUNT_CONTROLLER_RULES },
  { name: STATEFUL_SET_CONTROLLER, rules: STATEFUL_SET_CONTROLLER_RULES },
  { name: TTL_AFTER_FINISHED_CONTROLLER, rules: TTL_AFTER_FINISHED_RULES },
];
