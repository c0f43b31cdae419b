import { type Controller, defineController } from "../controllers/define-controller.ts";
import { FLOW_SCHEMAS, PRIORITY_LEVELS } from "./flow-classifier.ts";

/** Keeps the status of FlowSchemas, as kube-apiserver does. */
export const FLOW_SCHEMA_STATUS: Controller = defineController({
  name: "flow-schema-status",
  // The FlowSchemas that exist from the start have their status.
  demand: {
    resources: [FLOW_SCHEMAS, PRIORITY_LEVELS],
    isNeededBy: ({ metadata }) => metadata.annotations?.["apf.kubernetes.io/autoupdate-spec"] !== "true",
    isNeededByChanges: true,
  },
  load: () => import("./flow-schema-status.ts"),
});
