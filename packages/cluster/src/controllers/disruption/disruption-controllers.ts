import {
  BUDGETS,
  type Controller,
  defineController,
  EVENT_RULE,
  isDisruptionTarget,
} from "@kubescaffold/apiserver/cluster-api";

import { PODS } from "../workload/workload-objects.ts";

/** Writes the status of PodDisruptionBudgets. */
export const DISRUPTION_CONTROLLER: Controller = defineController({
  name: "disruption-controller",
  rules: [
    { apiGroups: ["apps", "extensions"], resources: ["deployments"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["apps", "extensions"], resources: ["replicasets"], verbs: ["get", "list", "watch"] },
    { apiGroups: [""], resources: ["replicationcontrollers"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["apps"], resources: ["statefulsets"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["policy"], resources: ["poddisruptionbudgets/status"], verbs: ["update"] },
    { apiGroups: [""], resources: ["pods/status"], verbs: ["patch", "update"] },
    { apiGroups: ["*"], resources: ["*/scale"], verbs: ["get"] },
    EVENT_RULE,
  ],
  demand: {
    resources: [BUDGETS, PODS],
    isNeededBy: (object) => object.kind === "PodDisruptionBudget" || isDisruptionTarget(object),
  },
  load: () => import("./disruption-controller.ts"),
});
