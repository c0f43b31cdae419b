import { type Controller, defineController, EVENT_RULE } from "@kubescaffold/apiserver/cluster-api";

/** The controllers of Jobs: one runs their Pods, the other deletes those that have finished. */
export const JOB_CONTROLLERS: readonly Controller[] = [
  defineController({
    name: "job-controller",
    rules: [
      { apiGroups: ["batch"], resources: ["jobs"], verbs: ["get", "list", "patch", "update", "watch"] },
      { apiGroups: ["batch"], resources: ["jobs/status"], verbs: ["update"] },
      { apiGroups: ["batch"], resources: ["jobs/finalizers"], verbs: ["update"] },
      { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "list", "patch", "watch"] },
      EVENT_RULE,
    ],
    load: () => import("./job-controller.ts"),
  }),
  defineController({
    name: "ttl-after-finished-controller",
    rules: [{ apiGroups: ["batch"], resources: ["jobs"], verbs: ["delete", "get", "list", "watch"] }, EVENT_RULE],
    load: () => import("./ttl-after-finished.ts"),
  }),
];
