/** The service accounts in `kube-system` that the workload controllers act as, and what their roles permit. */
import type { ControllerRule } from "../store-controller.ts";

/** Service account that the deployment controller acts as. */
export const DEPLOYMENT_CONTROLLER = "deployment-controller";

/** Permissions of the deployment controller. */
export const DEPLOYMENT_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list", "update", "watch"] },
  { apiGroups: ["apps"], resources: ["deployments/status"], verbs: ["update"] },
  {
    apiGroups: ["apps"],
    resources: ["replicasets"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];

/** Service account that the replica set controller acts as. */
export const REPLICA_SET_CONTROLLER = "replicaset-controller";

/** Permissions of the replica set controller. */
export const REPLICA_SET_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: ["apps"], resources: ["replicasets"], verbs: ["get", "list", "update", "watch"] },
  { apiGroups: ["apps"], resources: ["replicasets/status"], verbs: ["update"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "get", "list", "patch", "watch"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];

/** Service account that the controller of replication controllers acts as; its role is one of every server. */
export const REPLICATION_MANAGER = "replication-controller";

/** Service account that the stateful set controller acts as. */
export const STATEFUL_SET_CONTROLLER = "statefulset-controller";

/** Permissions of the stateful set controller. */
export const STATEFUL_SET_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: ["apps"], resources: ["statefulsets"], verbs: ["get", "list", "watch"] },
  { apiGroups: ["apps"], resources: ["statefulsets/status"], verbs: ["update"] },
  { apiGroups: ["apps"], resources: ["statefulsets/finalizers"], verbs: ["update"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "get", "list", "patch", "update", "watch"] },
  { apiGroups: [""], resources: ["pods/finalizers"], verbs: ["update"] },
  {
    apiGroups: ["apps"],
    resources: ["controllerrevisions"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  },
  {
    apiGroups: [""],
    resources: ["persistentvolumeclaims"],
    verbs: ["create", "delete", "get", "list", "update", "watch"],
  },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];

/** Service account that the daemon set controller acts as. */
export const DAEMON_SET_CONTROLLER = "daemon-set-controller";

/** Permissions of the daemon set controller. */
export const DAEMON_SET_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: ["apps"], resources: ["daemonsets"], verbs: ["get", "list", "watch"] },
  { apiGroups: ["apps"], resources: ["daemonsets/status"], verbs: ["update"] },
  { apiGroups: ["apps"], resources: ["daemonsets/finalizers"], verbs: ["update"] },
  { apiGroups: [""], resources: ["nodes"], verbs: ["list", "watch"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "list", "patch", "watch"] },
  { apiGroups: [""], resources: ["pods/binding"], verbs: ["create"] },
  {
    apiGroups: ["apps"],
    resources: ["controllerrevisions"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];

/** Service account that the job controller acts as. */
export const JOB_CONTROLLER = "job-controller";

/** Permissions of the job controller. */
export const JOB_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: ["batch"], resources: ["jobs"], verbs: ["get", "list", "patch", "update", "watch"] },
  { apiGroups: ["batch"], resources: ["jobs/status"], verbs: ["update"] },
  { apiGroups: ["batch"], resources: ["jobs/finalizers"], verbs: ["update"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "list", "patch", "watch"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];

/** Service account that the controller acts as which deletes finished Jobs. */
export const TTL_AFTER_FINISHED_CONTROLLER = "ttl-after-finished-controller";

/** Permissions of the controller that deletes finished Jobs. */
export const TTL_AFTER_FINISHED_RULES: readonly ControllerRule[] = [
  { apiGroups: ["batch"], resources: ["jobs"], verbs: ["delete", "get", "list", "watch"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];

/** Service account that the CronJob controller acts as. */
export const CRON_JOB_CONTROLLER = "cronjob-controller";

/** Permissions of the CronJob controller. */
export const CRON_JOB_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: ["batch"], resources: ["cronjobs"], verbs: ["get", "list", "update", "watch"] },
  {
    apiGroups: ["batch"],
    resources: ["jobs"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  },
  { apiGroups: ["batch"], resources: ["cronjobs/status"], verbs: ["update"] },
  { apiGroups: ["batch"], resources: ["cronjobs/finalizers"], verbs: ["update"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["delete", "list", "watch"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];

/** Service account that the controller acts as which keeps claims until no pod uses them. */
export const CLAIM_PROTECTION_CONTROLLER = "pvc-protection-controller";

/** Permissions of the controller that keeps claims until no pod uses them. */
export const CLAIM_PROTECTION_RULES: readonly ControllerRule[] = [
  { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["get", "list", "update", "watch"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];
