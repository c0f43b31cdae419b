import { type Controller, defineController } from "@kubescaffold/apiserver/cluster-api";

/** Gives Pods their nodes, like kube-scheduler. */
export const SCHEDULER: Controller = defineController({
  name: "default-scheduler",
  user: { name: "system:kube-scheduler", groups: ["system:authenticated"] },
  load: () => import("./scheduler.ts"),
});
