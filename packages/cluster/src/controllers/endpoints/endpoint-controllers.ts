import { type Controller, defineController, EVENT_RULE, type ObjectDemand } from "@kubescaffold/apiserver/cluster-api";

import { ENDPOINTS, hasSelector, isWrittenByUser, SERVICES } from "./endpoint-resources.ts";

const SELECTING_SERVICES: ObjectDemand = { resources: [SERVICES], isNeededBy: (object) => hasSelector(object) };

/** The controllers that write the endpoints of Services. */
export const ENDPOINT_CONTROLLERS: readonly Controller[] = [
  defineController({
    name: "endpoint-controller",
    rules: [
      { apiGroups: [""], resources: ["pods", "services"], verbs: ["get", "list", "watch"] },
      { apiGroups: [""], resources: ["endpoints"], verbs: ["create", "delete", "get", "list", "update", "watch"] },
      { apiGroups: [""], resources: ["endpoints/restricted"], verbs: ["create"] },
      EVENT_RULE,
    ],
    demand: SELECTING_SERVICES,
    load: () => import("./endpoints-controller.ts"),
  }),
  defineController({
    name: "endpointslice-controller",
    rules: [
      { apiGroups: [""], resources: ["nodes", "pods", "services"], verbs: ["get", "list", "watch"] },
      { apiGroups: [""], resources: ["services/finalizers"], verbs: ["update"] },
      {
        apiGroups: ["discovery.k8s.io"],
        resources: ["endpointslices"],
        verbs: ["create", "delete", "get", "list", "update", "watch"],
      },
      EVENT_RULE,
    ],
    demand: SELECTING_SERVICES,
    load: () => import("./endpoint-slice-controller.ts"),
  }),
  defineController({
    name: "endpointslicemirroring-controller",
    rules: [
      { apiGroups: [""], resources: ["endpoints", "services"], verbs: ["get", "list", "watch"] },
      { apiGroups: [""], resources: ["services/finalizers"], verbs: ["update"] },
      { apiGroups: [""], resources: ["endpoints/finalizers"], verbs: ["update"] },
      {
        apiGroups: ["discovery.k8s.io"],
        resources: ["endpointslices"],
        verbs: ["create", "delete", "get", "list", "update", "watch"],
      },
      EVENT_RULE,
    ],
    demand: { resources: [ENDPOINTS], isNeededBy: (object) => isWrittenByUser(object) },
    load: () => import("./endpoint-slice-mirroring.ts"),
  }),
];
