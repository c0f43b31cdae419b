import { ADMIN, type Controller, defineController, EVENT_RULE } from "@kubescaffold/apiserver/cluster-api";

import { SERVICES } from "../endpoints/endpoint-resources.ts";
import { SERVICE_RANGES } from "./address-resources.ts";

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

/** Keeps an IPAddress for each address of a Service, as kube-apiserver does. */
export const SERVICE_ADDRESSES: Controller = defineController({
  name: "service-addresses",
  user: ADMIN,
  // The address of the Service `kubernetes` exists from the start.
  demand: {
    resources: [SERVICES],
    isNeededBy: ({ metadata }) => metadata.name !== "kubernetes" || metadata.namespace !== "default",
  },
  load: () => import("./service-addresses.ts"),
});
