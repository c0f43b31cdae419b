import { type Controller, defineController, EVENT_RULE, SERVICE_RANGES } from "@kubescaffold/apiserver/cluster-api";

/** Keeps ServiceCIDRs while their addresses are used. */
export const SERVICE_RANGE_CONTROLLER: Controller = defineController({
  name: "service-cidrs-controller",
  rules: [
    {
      apiGroups: ["networking.k8s.io"],
      resources: ["servicecidrs"],
      verbs: ["get", "list", "patch", "update", "watch"],
    },
    { apiGroups: ["networking.k8s.io"], resources: ["servicecidrs/finalizers"], verbs: ["patch", "update"] },
    { apiGroups: ["networking.k8s.io"], resources: ["servicecidrs/status"], verbs: ["patch", "update"] },
    { apiGroups: ["networking.k8s.io"], resources: ["ipaddresses"], verbs: ["get", "list", "watch"] },
    EVENT_RULE,
  ],
  // The first range is complete from the start.
  demand: {
    resources: [SERVICE_RANGES],
    isNeededBy: ({ metadata }) => metadata.name !== "kubernetes" || metadata.deletionTimestamp !== undefined,
  },
  load: () => import("./service-range-controller.ts"),
});
