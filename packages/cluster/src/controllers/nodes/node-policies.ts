/** The service accounts in `kube-system` that the controllers of nodes act as, and what their roles permit. */
import type { ControllerRule } from "../store-controller.ts";

const EVENTS: ControllerRule = { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] };

/** Service account that taints nodes and evicts their pods. */
export const NODE_CONTROLLER = "node-controller";

/** Permissions to taint nodes and evict their pods. */
export const NODE_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: [""], resources: ["nodes"], verbs: ["delete", "get", "list", "patch", "update"] },
  { apiGroups: [""], resources: ["nodes/status"], verbs: ["patch", "update"] },
  { apiGroups: [""], resources: ["pods/status"], verbs: ["patch", "update"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["delete", "get", "list"] },
  EVENTS,
];

/** Service account that deletes the pods of nodes that are gone. */
export const POD_GARBAGE_COLLECTOR = "pod-garbage-collector";

/** Permissions to delete the pods of nodes that are gone. */
export const POD_GARBAGE_COLLECTOR_RULES: readonly ControllerRule[] = [
  { apiGroups: [""], resources: ["pods"], verbs: ["delete", "get", "list", "watch"] },
  { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list"] },
  { apiGroups: [""], resources: ["pods/status"], verbs: ["patch"] },
];
