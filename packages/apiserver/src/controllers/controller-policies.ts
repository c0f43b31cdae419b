import { CLUSTER_ROLE_AGGREGATION_CONTROLLER, CLUSTER_ROLE_AGGREGATION_RULES } from "./cluster-role-aggregation.ts";
import type { ControllerRule } from "./controller-user.ts";
import { GARBAGE_COLLECTOR, GARBAGE_COLLECTOR_RULES } from "./garbage-collector/garbage-collector.ts";
import { NAMESPACE_CONTROLLER, NAMESPACE_CONTROLLER_RULES } from "./namespace-controller.ts";
import { SERVICE_ACCOUNT_CONTROLLER, SERVICE_ACCOUNT_CONTROLLER_RULES } from "./service-account-controller.ts";
import { DEPLOYMENT_CONTROLLER, DEPLOYMENT_CONTROLLER_RULES } from "./workload/deployment-controller.ts";
import { REPLICA_SET_CONTROLLER, REPLICA_SET_CONTROLLER_RULES } from "./workload/replica-set-controller.ts";

/** The service accounts in `kube-system` that the server's own controllers act as, and what each may do. */
export const CONTROLLER_POLICIES: readonly { readonly name: string; readonly rules: readonly ControllerRule[] }[] = [
  { name: CLUSTER_ROLE_AGGREGATION_CONTROLLER, rules: CLUSTER_ROLE_AGGREGATION_RULES },
  { name: DEPLOYMENT_CONTROLLER, rules: DEPLOYMENT_CONTROLLER_RULES },
  { name: GARBAGE_COLLECTOR, rules: GARBAGE_COLLECTOR_RULES },
  { name: NAMESPACE_CONTROLLER, rules: NAMESPACE_CONTROLLER_RULES },
  { name: REPLICA_SET_CONTROLLER, rules: REPLICA_SET_CONTROLLER_RULES },
  { name: SERVICE_ACCOUNT_CONTROLLER, rules: SERVICE_ACCOUNT_CONTROLLER_RULES },
];
