import { forbiddenField, invalidField, labelValueErrors, qualifiedNameErrors } from "@kubescaffold/k8s";

import { isEnabled } from "../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, numberIn, objectIn, objectsIn, setAbsent, setEmpty, textIn, textsIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { checkedText, requiredChoice } from "./checks/field-checks.ts";

const NAMESPACE_FINALIZER = "kubernetes";
const STANDARD_FINALIZERS: readonly string[] = [NAMESPACE_FINALIZER, "orphan", "foregroundDeletion"];
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
    setEmpty(ensureObject(namespace, "status"), { phase: "Active" });
  },
  prepareForCreate: (namespace) => {
    const finalizers = textsIn(objectIn(namespace, "spec"), "finalizers");
    namespace["spec"] = {
      ...objectIn(namespace, "spec"),
      finalizers: finalizers.includes(NAMESPACE_FINALIZER) ? finalizers : [...finalizers, NAMESPACE_FINALIZER],
    };
    namespace["status"] = { phase: "Active" };
    const { name = "" } = namespace.metadata;
    // Upstream sets the label of a generated name after the checks.
    if (labelValueErrors(name).length > 0) return;
    namespace.metadata.labels = { ...namespace.metadata.labels, [NAME_LABEL]: name };
  },
  prepareForUpdate: (namespace, old, { subresource }) => {
    if (subresource !== "finalize" && old["spec"] !== undefined) {
      namespace["spec"] = old["spec"];
    }
    const { name = "" } = namespace.metadata;
    namespace.metadata.labels = { ...namespace.metadata.labels, [NAME_LABEL]: name };
  },
  checksEveryField: true,
  validate: (namespace) =>
    textsIn(objectIn(namespace, "spec"), "finalizers").flatMap((name) => [
      ...checkedText("spec.finalizers", name, qualifiedNameErrors),
      ...(name.includes("/") || STANDARD_FINALIZERS.includes(name)
        ? []
        : [
            invalidField(
              "spec.finalizers",
              name,
              "name is neither a standard finalizer name nor is it fully qualified",
            ),
          ]),
    ]),
  validateStatus: (namespace) => {
    const phase = textIn(objectIn(namespace, "status"), "phase");
    const isDeleted = namespace.metadata.deletionTimestamp !== undefined;
    const [only, state] = isDeleted ? ["Terminating", "not empty"] : ["Active", "empty"];
    return phase === only
      ? []
      : [invalidField("status.Phase", phase, `may only be '${only}' if \`deletionTimestamp\` is ${state}`)];
  },
  markForDeletion: (namespace) => {
    namespace["status"] = { ...objectIn(namespace, "status"), phase: "Terminating" };
  },
  isHeld: (namespace) => textsIn(objectIn(namespace, "spec"), "finalizers").length > 0,
};

const NOT_READY = "node.kubernetes.io/not-ready";

/** Rules of Nodes beyond their schema: they take no pods until they are ready. */
export const nodeRules: BuiltInRules = {
  keepsInitialStatus: true,
  checksEveryField: true,
  prepareForUpdate: (node, old, { subresource }) => {
    dropUserNamespace(node, old);
    // Requests to the status do not drop the others.
    if (subresource !== "status") return dropDisabledNodeFields(node, old);
    // Kubelets have no such configuration any more.
    if (objectIn(old, "status")?.["config"] === undefined) delete objectIn(node, "status")?.["config"];
  },
  loadChecks: async () => {
    const { nodeChecks } = await import("./core/node-checks.ts");
    return nodeChecks;
  },
  selectableFields: {
    "spec.unschedulable": (node) => String(objectIn(node, "spec")?.["unschedulable"] === true),
  },
  setDefaults: (node) => {
    // The older field is the first of the newer one.
    const spec = objectIn(node, "spec");
    const [range = ""] = textsIn(spec, "podCIDRs");
    if (spec !== undefined && textIn(spec, "podCIDR") !== "") {
      if (range !== spec["podCIDR"]) spec["podCIDRs"] = [spec["podCIDR"]];
    } else if (spec !== undefined && range !== "") {
      spec["podCIDR"] = range;
    }
    // Kubelets have no such configuration any more.
    delete spec?.["configSource"];
    const status = objectIn(node, "status");
    if (status?.["capacity"] !== undefined) setAbsent(status, { allocatable: status["capacity"] });
  },
  complete: (node) => {
    for (const image of objectsIn(objectIn(node, "status"), "images")) setAbsent(image, { names: null });
  },
  prepareForCreate: (node) => {
    dropUserNamespace(node, undefined);
    dropDisabledNodeFields(node, undefined);
    const spec = objectIn(node, "spec") ?? {};
    const taints = objectsIn(spec, "taints");
    const isTainted = taints.some((taint) => textIn(taint, "key") === NOT_READY);
    node["spec"] = { ...spec, taints: isTainted ? taints : [...taints, { key: NOT_READY, effect: "NoSchedule" }] };
  },
};

// Fields of features that are off, unless the Node had them.
function dropDisabledNodeFields(node: ApiObject, old: ApiObject | undefined): void {
  const [spec, status] = [objectIn(node, "spec"), objectIn(node, "status")];
  const before = objectIn(old, "status");
  if (!isEnabled("NodeDeclaredFeatures") && before?.["declaredFeatures"] === undefined) {
    delete status?.["declaredFeatures"];
  }
  const hadPolicy = objectIn(old, "spec")?.["podPreemptionPolicy"] !== undefined;
  if (!isEnabled("InPlacePodVerticalScalingSchedulerPreemption") && !hadPolicy) delete spec?.["podPreemptionPolicy"];
}

function dropUserNamespace(node: ApiObject, old: ApiObject | undefined): void {
  const infoOf = (object: ApiObject | undefined): MutableJsonObject | undefined =>
    objectIn(objectIn(object, "status"), "nodeInfo");
  if (!isEnabled("KubeletInUserNamespace") && infoOf(old)?.["runningInUserNamespace"] === undefined) {
    delete infoOf(node)?.["runningInUserNamespace"];
  }
}

/** Rules of ServiceAccounts beyond their schema. */
export const serviceAccountRules: BuiltInRules = {
  returnsDeletedObject: true,
  warnings: (account, old) => {
    const [value, former] = [account, old].map((each) => each?.metadata.annotations?.[MOUNTABLE_ONLY]);
    const isNew = value !== undefined && former === undefined;
    return isNew ? [`metadata.annotations[${MOUNTABLE_ONLY}]: ${MOUNTABLE_ADVICE}`] : [];
  },
  setDefaults: (account) => {
    // Only the names of Secrets are stored.
    const secrets = objectsIn(account, "secrets");
    if (secrets.length > 0) {
      account["secrets"] = secrets.map((secret) => (textIn(secret, "name") === "" ? {} : { name: secret["name"] }));
    }
  },
};

const MOUNTABLE_ONLY = "kubernetes.io/enforce-mountable-secrets";
const MOUNTABLE_ADVICE = "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets";

/** Rules of PriorityClasses beyond their schema. */
export const priorityClassRules: BuiltInRules = {
  generationFields: ["value"],
  setDefaults: (priorityClass) => setAbsent(priorityClass, { preemptionPolicy: "PreemptLowerPriority" }),
  checksEveryField: true,
  validateUpdate: (priorityClass, old) => [
    ...((numberIn(priorityClass, "value") ?? 0) === (numberIn(old, "value") ?? 0)
      ? []
      : [forbiddenField("value", "may not be changed in an update.")]),
    ...(textIn(priorityClass, "preemptionPolicy") === textIn(old, "preemptionPolicy")
      ? []
      : [invalidField("preemptionPolicy", textIn(priorityClass, "preemptionPolicy"), "field is immutable")]),
  ],
  validate: (priorityClass, _context, old) => {
    const { name = "" } = priorityClass.metadata;
    if (old !== undefined) return [];
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
    const isTooHigh = (numberIn(priorityClass, "value") ?? 0) > HIGHEST_PRIORITY;
    return [
      ...(isTooHigh
        ? [forbiddenField("value", `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`)]
        : []),
      ...requiredChoice("preemptionPolicy", textIn(priorityClass, "preemptionPolicy"), [
        "PreemptLowerPriority",
        "Never",
      ]),
    ];
  },
};

const SYSTEM_PREFIX = "system-";
const SYSTEM_PRIORITIES: ReadonlySet<string> = new Set(["system-cluster-critical", "system-node-critical"]);
// Higher ones belong to the system.
const HIGHEST_PRIORITY = 1_000_000_000;

/** Rules of FlowSchemas beyond their schema. */
export const flowSchemaRules: BuiltInRules = {
  keepsMetadataForStatus: true,
  generationFields: ["spec"],
  setDefaults: (schema) => {
    const spec = ensureObject(schema, "spec");
    if ((numberIn(spec, "matchingPrecedence") ?? 0) === 0) spec["matchingPrecedence"] = 1000;
  },
  complete: (schema) => {
    for (const rule of objectsIn(objectIn(schema, "spec"), "rules"))
      for (const resourceRule of objectsIn(rule, "resourceRules")) setAbsent(resourceRule, { namespaces: null });
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { flowSchemaChecks } = await import("./flowcontrol/flow-control-checks.ts");
    return flowSchemaChecks;
  },
};

/** Rules of PriorityLevelConfigurations beyond their schema. */
export const priorityLevelRules: BuiltInRules = {
  keepsMetadataForStatus: true,
  generationFields: ["spec"],
  checksEveryField: true,
  loadChecks: async () => {
    const { priorityLevelChecks } = await import("./flowcontrol/flow-control-checks.ts");
    return priorityLevelChecks;
  },
  setDefaults: (level) => {
    const limited = objectIn(objectIn(level, "spec"), "limited");
    setAbsent(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
    const queuing = objectIn(objectIn(limited, "limitResponse"), "queuing");
    for (const [field, value] of Object.entries({ queues: 64, handSize: 8, queueLengthLimit: 50 }))
      if (queuing !== undefined && (numberIn(queuing, field) ?? 0) === 0) queuing[field] = value;
  },
};

/** Rules of RuntimeClasses beyond their schema. */
export const runtimeClassRules: BuiltInRules = {
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
  checksEveryField: true,
  loadChecks: async () => {
    const { runtimeClassChecks } = await import("./pod/runtime-class-checks.ts");
    return runtimeClassChecks;
  },
};
