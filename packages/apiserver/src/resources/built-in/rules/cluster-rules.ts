import { objectIn, setAbsent, textIn, textsIn, objectsIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

const NAMESPACE_FINALIZER = "kubernetes";
const NAME_LABEL = "kubernetes.io/metadata.name";

/** Rules of Namespaces beyond their schema: they are emptied before they go. */
export const namespaceRules: BuiltInRules = {
  nameRule: "label",
  selectableFields: { "status.phase": (namespace) => textIn(objectIn(namespace, "status"), "phase") },
  marksPlainly: true,
  prepareForCreate: (namespace) => {
    const finalizers = textsIn(objectIn(namespace, "spec"), "finalizers");
    namespace["spec"] = {
      ...objectIn(namespace, "spec"),
      finalizers: finalizers.includes(NAMESPACE_FINALIZER) ? finalizers : [...finalizers, NAMESPACE_FINALIZER],
    };
    namespace["status"] = { phase: "Active" };
    const { name = "" } = namespace.metadata;
    namespace.metadata.labels = { ...namespace.metadata.labels, [NAME_LABEL]: name };
  },
  prepareForUpdate: (namespace, old, { subresource }) => {
    if (subresource !== "finalize" && old["spec"] !== undefined) {
      namespace["spec"] = old["spec"];
    }
    const { name = "" } = namespace.metadata;
    namespace.metadata.labels = { ...namespace.metadata.labels, [NAME_LABEL]: name };
  },
  markForDeletion: (namespace) => {
    namespace["status"] = { ...objectIn(namespace, "status"), phase: "Terminating" };
  },
  isHeld: (namespace) => textsIn(objectIn(namespace, "spec"), "finalizers").length > 0,
};

const NOT_READY = "node.kubernetes.io/not-ready";

/** Rules of Nodes beyond their schema: they take no pods until they are ready. */
export const nodeRules: BuiltInRules = {
  selectableFields: {
    "spec.unschedulable": (node) => String(objectIn(node, "spec")?.["unschedulable"] === true),
  },
  setDefaults: (node) => {
    // The older field is the first of the newer one.
    const spec = objectIn(node, "spec");
    if (spec !== undefined && textIn(spec, "podCIDR") !== "") setAbsent(spec, { podCIDRs: [spec["podCIDR"]] });
  },
  prepareForCreate: (node) => {
    const spec = objectIn(node, "spec") ?? {};
    const taints = objectsIn(spec, "taints");
    const isTainted = taints.some((taint) => textIn(taint, "key") === NOT_READY);
    node["spec"] = { ...spec, taints: isTainted ? taints : [...taints, { key: NOT_READY, effect: "NoSchedule" }] };
  },
};

/** Rules of kinds that only differ in returning the deleted object. */
export const returnedWhenDeleted: BuiltInRules = { returnsDeletedObject: true };
