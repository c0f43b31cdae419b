import { objectIn, objectsIn, textIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

const NOT_READY = "node.kubernetes.io/not-ready";

/** What Nodes do beyond their schema: they take no pods until they are ready. */
export const nodeRules: BuiltInRules = {
  selectableFields: {
    "spec.unschedulable": (node) => String(objectIn(node, "spec")?.["unschedulable"] === true),
  },
  prepareForCreate: (node) => {
    const spec = objectIn(node, "spec") ?? {};
    const taints = objectsIn(spec, "taints");
    const isTainted = taints.some((taint) => textIn(taint, "key") === NOT_READY);
    node["spec"] = { ...spec, taints: isTainted ? taints : [...taints, { key: NOT_READY, effect: "NoSchedule" }] };
  },
};

/** What kinds do whose deleted objects are returned, and nothing else. */
export const returnedWhenDeleted: BuiltInRules = { returnsDeletedObject: true };
