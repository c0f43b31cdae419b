import { type Controller, defineController, EVENT_RULE } from "@kubescaffold/apiserver/cluster-api";

/** Creates the Jobs of CronJobs. */
export const CRON_JOB_CONTROLLER: Controller = defineController({
  name: "cronjob-controller",
  rules: [
    { apiGroups: ["batch"], resources: ["cronjobs"], verbs: ["get", "list", "update", "watch"] },
    {
      apiGroups: ["batch"],
      resources: ["jobs"],
      verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    },
    { apiGroups: ["batch"], resources: ["cronjobs/status"], verbs: ["update"] },
    { apiGroups: ["batch"], resources: ["cronjobs/finalizers"], verbs: ["update"] },
    { apiGroups: [""], resources: ["pods"], verbs: ["delete", "list", "watch"] },
    EVENT_RULE,
  ],
  load: () => import("./cron-job-controller.ts"),
});
