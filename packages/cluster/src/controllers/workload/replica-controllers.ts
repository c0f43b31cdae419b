import { type Controller, defineController, EVENT_RULE } from "@kubescaffold/apiserver/cluster-api";

import { REPLICATION_CONTROLLERS } from "./workload-objects.ts";

/** The controllers of Deployments, ReplicaSets, and ReplicationControllers. */
export const REPLICA_CONTROLLERS: readonly Controller[] = [
  defineController({
    name: "deployment-controller",
    rules: [
      { apiGroups: ["apps", "extensions"], resources: ["deployments"], verbs: ["get", "list", "update", "watch"] },
      { apiGroups: ["apps", "extensions"], resources: ["deployments/status"], verbs: ["update"] },
      { apiGroups: ["apps", "extensions"], resources: ["deployments/finalizers"], verbs: ["update"] },
      {
        apiGroups: ["apps", "extensions"],
        resources: ["replicasets"],
        verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
      },
      { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "update", "watch"] },
      EVENT_RULE,
    ],
    load: () => import("./deployment-controller.ts"),
  }),
  defineController({
    name: "replicaset-controller",
    rules: [
      { apiGroups: ["apps", "extensions"], resources: ["replicasets"], verbs: ["get", "list", "update", "watch"] },
      { apiGroups: ["apps", "extensions"], resources: ["replicasets/status"], verbs: ["update"] },
      { apiGroups: ["apps", "extensions"], resources: ["replicasets/finalizers"], verbs: ["update"] },
      { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "list", "patch", "watch"] },
      EVENT_RULE,
    ],
    load: () => import("./replica-set-controller.ts"),
  }),
  defineController({
    name: "replication-controller",
    rules: [
      { apiGroups: [""], resources: ["replicationcontrollers"], verbs: ["get", "list", "update", "watch"] },
      { apiGroups: [""], resources: ["replicationcontrollers/status"], verbs: ["update"] },
      { apiGroups: [""], resources: ["replicationcontrollers/finalizers"], verbs: ["update"] },
      { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "list", "patch", "watch"] },
      EVENT_RULE,
    ],
    demand: { resources: [REPLICATION_CONTROLLERS] },
    load: async () => ({ createController: (await import("./replica-set-controller.ts")).createReplicationManager }),
  }),
];
