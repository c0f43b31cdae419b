import { type Controller, defineController } from "../controllers/define-controller.ts";

/** Gives Pods their nodes, like kube-scheduler. */
export const SCHEDULER: Controller = defineController({
  name: "default-scheduler",
  user: { name: "system:kube-scheduler", groups: ["system:authenticated"] },
  load: () => import("./scheduler.ts"),
});
