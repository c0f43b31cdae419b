import { type Controller, defineController, EVENT_RULE } from "@kubescaffold/apiserver/cluster-api";

/** Runs the Pods of StatefulSets. */
export const STATEFUL_SET_CONTROLLER: Controller = defineController({
  name: "statefulset-controller",
  rules: [
    { apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] },
    { apiGroups: ["apps"], resources: ["statefulsets"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["apps"], resources: ["statefulsets/status"], verbs: ["update"] },
    { apiGroups: ["apps"], resources: ["statefulsets/finalizers"], verbs: ["update"] },
    { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "get", "patch", "update"] },
    {
      apiGroups: ["apps"],
      resources: ["controllerrevisions"],
      verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    },
    { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["create", "get", "list", "watch"] },
    { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["delete", "update"] },
    { apiGroups: [""], resources: ["pods/finalizers"], verbs: ["update"] },
    EVENT_RULE,
  ],
  load: () => import("./stateful-set-controller.ts"),
});
