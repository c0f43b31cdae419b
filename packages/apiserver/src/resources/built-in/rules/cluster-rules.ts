import { forbiddenField } from "@kubescaffold/k8s";

import { throwNotBuilt } from "../../../request/failures.ts";
import { numberIn, objectIn, objectsIn, setAbsent, setEmpty, textIn, textsIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

const NAMESPACE_FINALIZER = "kubernetes";
const NAME_LABEL = "kubernetes.io/metadata.name";

/** Rules of Namespaces beyond their schema: they are emptied before they go. */
export const namespaceRules: BuiltInRules = {
  nameRule: "label",
  selectableFields: { "status.phase": (namespace) => textIn(objectIn(namespace, "status"), "phase") },
  marksPlainly: true,
  setDefaults: (namespace) => {
    const { name = "", labels } = namespace.metadata;
    if (name !== "" && labels?.[NAME_LABEL] === undefined)
      namespace.metadata.labels = { ...labels, [NAME_LABEL]: name };
  },
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

// Times without a value are printed.
const UNKNOWN_TIMES = { lastHeartbeatTime: null, lastTransitionTime: null } as const;
const NOT_READY = "node.kubernetes.io/not-ready";

/** Rules of Nodes beyond their schema: they take no pods until they are ready. */
export const nodeRules: BuiltInRules = {
  keepsInitialStatus: true,
  selectableFields: {
    "spec.unschedulable": (node) => String(objectIn(node, "spec")?.["unschedulable"] === true),
  },
  setDefaults: (node) => {
    // The older field is the first of the newer one.
    const spec = objectIn(node, "spec");
    if (spec !== undefined && textIn(spec, "podCIDR") !== "") setAbsent(spec, { podCIDRs: [spec["podCIDR"]] });
    const status = objectIn(node, "status");
    if (status?.["capacity"] !== undefined) setAbsent(status, { allocatable: status["capacity"] });
  },
  complete: (node) => {
    for (const condition of objectsIn(objectIn(node, "status"), "conditions")) setAbsent(condition, UNKNOWN_TIMES);
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

/** Rules of APIServices beyond their schema. */
export const apiServiceRules: BuiltInRules = {
  setDefaults: (service) => setAbsent(objectIn(objectIn(service, "spec"), "service"), { port: 443 }),
  validate: (service) => (objectIn(service, "spec")?.["service"] === undefined ? [] : throwNotBuilt("api-services")),
};

/** Rules of PriorityClasses beyond their schema. */
export const priorityClassRules: BuiltInRules = {
  generationFields: ["value"],
  setDefaults: (priorityClass) => setEmpty(priorityClass, { preemptionPolicy: "PreemptLowerPriority" }),
  validate: (priorityClass) => {
    const { name = "" } = priorityClass.metadata;
    if (name.startsWith(SYSTEM_PREFIX)) {
      return SYSTEM_PRIORITIES.has(name)
        ? []
        : [
            forbiddenField(
              "metadata.name",
              `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
            ),
          ];
    }
    return (numberIn(priorityClass, "value") ?? 0) > HIGHEST_PRIORITY
      ? [forbiddenField("value", `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`)]
      : [];
  },
};

const SYSTEM_PREFIX = "system-";
const SYSTEM_PRIORITIES: ReadonlySet<string> = new Set(["system-cluster-critical", "system-node-critical"]);
// Higher ones belong to the system.
const HIGHEST_PRIORITY = 1_000_000_000;

/** Rules of PriorityLevelConfigurations beyond their schema. */
export const priorityLevelRules: BuiltInRules = {
  generationFields: ["spec"],
  setDefaults: (level) => {
    const limited = objectIn(objectIn(level, "spec"), "limited");
    setAbsent(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
    const queuing = objectIn(objectIn(limited, "limitResponse"), "queuing");
    for (const [field, value] of Object.entries({ queues: 64, handSize: 8, queueLengthLimit: 50 }))
      if (queuing !== undefined && (numberIn(queuing, field) ?? 0) === 0) queuing[field] = value;
  },
};
