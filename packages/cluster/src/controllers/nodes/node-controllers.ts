import { type Controller, defineController, EVENT_RULE, serviceAccountUser } from "@kubescaffold/apiserver/cluster-api";

const NODE_CONTROLLER = "node-controller";

/** The controllers of Nodes and their Pods. */
export const NODE_CONTROLLERS: readonly Controller[] = [
  defineController({
    name: NODE_CONTROLLER,
    rules: [
      { apiGroups: [""], resources: ["nodes"], verbs: ["delete", "get", "list", "patch", "update", "watch"] },
      { apiGroups: [""], resources: ["nodes/status"], verbs: ["patch", "update"] },
      { apiGroups: [""], resources: ["pods/status"], verbs: ["patch", "update"] },
      { apiGroups: [""], resources: ["pods"], verbs: ["delete", "get", "list", "watch"] },
      EVENT_RULE,
    ],
    load: () => import("./node-lifecycle.ts"),
  }),
  defineController({
    name: "taint-eviction-controller",
    user: serviceAccountUser(NODE_CONTROLLER),
    load: () => import("./taint-eviction.ts"),
  }),
  defineController({
    name: "pod-garbage-collector",
    rules: [
      { apiGroups: [""], resources: ["pods"], verbs: ["delete", "list", "watch"] },
      { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] },
      { apiGroups: [""], resources: ["pods/status"], verbs: ["patch"] },
    ],
    load: () => import("./pod-garbage-collector.ts"),
  }),
];
