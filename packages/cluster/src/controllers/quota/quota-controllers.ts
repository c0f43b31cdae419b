import { type Controller, defineController, EVENT_RULE } from "@kubescaffold/apiserver/cluster-api";

import { RESOURCE_QUOTAS } from "./quota-resources.ts";

/** Counts the objects and amounts that ResourceQuotas limit. */
export const RESOURCE_QUOTA_CONTROLLER: Controller = defineController({
  name: "resourcequota-controller",
  rules: [
    { apiGroups: ["*"], resources: ["*"], verbs: ["list", "watch"] },
    { apiGroups: [""], resources: ["resourcequotas/status"], verbs: ["update"] },
    EVENT_RULE,
  ],
  demand: { resources: [RESOURCE_QUOTAS] },
  load: () => import("./resource-quota-controller.ts"),
});
