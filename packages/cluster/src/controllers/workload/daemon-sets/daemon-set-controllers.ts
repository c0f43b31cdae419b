import { type Controller, defineController, EVENT_RULE } from "@kubescaffold/apiserver/cluster-api";

import { DAEMON_SETS } from "../workload-objects.ts";

/** Runs the Pods of DaemonSets. */
export const DAEMON_SET_CONTROLLER: Controller = defineController({
  name: "daemon-set-controller",
  rules: [
    { apiGroups: ["apps", "extensions"], resources: ["daemonsets"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["apps", "extensions"], resources: ["daemonsets/status"], verbs: ["update"] },
    { apiGroups: ["apps", "extensions"], resources: ["daemonsets/finalizers"], verbs: ["update"] },
    { apiGroups: [""], resources: ["nodes"], verbs: ["list", "watch"] },
    { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "list", "patch", "watch"] },
    { apiGroups: [""], resources: ["pods/binding"], verbs: ["create"] },
    {
      apiGroups: ["apps"],
      resources: ["controllerrevisions"],
      verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    },
    EVENT_RULE,
  ],
  demand: { resources: [DAEMON_SETS] },
  load: () => import("./daemon-set-controller.ts"),
});
