import { goQuote } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { isEnabled } from "../../../release/rule-release.ts";
import { badRequest } from "../../../request/failures.ts";
import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, numberIn, objectIn, objectsIn, setAbsent, setEmpty, textIn } from "../../fields.ts";
import { keepUserMetadata } from "../../object-meta.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { completePodSpec, setClaimDefaults, setTemplateDefaults } from "./pod-spec-defaults.ts";

const SCALE = {
  specReplicas: ".spec.replicas",
  statusReplicas: ".status.replicas",
  labelSelector: ".spec.selector",
} as const;

const specOf = (object: ApiObject): MutableJsonObject => ensureObject(object, "spec");

function completeTemplate(object: ApiObject): void {
  completePodSpec(objectIn(objectIn(objectIn(object, "spec"), "template"), "spec"));
}

/** Rules of Deployments beyond their schema. */
export const deploymentRules: BuiltInRules = {
  generationFields: ["spec"],
  countsAnnotations: true,
  scale: SCALE,
  setDefaults: (object) => {
    const spec = specOf(object);
    setTemplateDefaults(spec);
    setAbsent(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
    const strategy = ensureObject(spec, "strategy");
    setEmpty(strategy, { type: "RollingUpdate" });
    if (strategy["type"] === "RollingUpdate") {
      setAbsent(ensureObject(strategy, "rollingUpdate"), { maxUnavailable: "25%", maxSurge: "25%" });
    }
  },
  checksEveryField: true,
  complete: (object) => completeTemplate(object),
  prepareForUpdate: (object, old, { subresource }) => {
    if (subresource !== "status") return;
    keepUserMetadata(object, old, ["labels"]);
    dropTerminatingReplicas(object, old);
  },
  loadChecks: async () => {
    const { deploymentChecks } = await import("./workloads/workload-checks.ts");
    return deploymentChecks;
  },
};

function dropTerminatingReplicas(object: ApiObject, old: ApiObject): void {
  if (isEnabled("DeploymentReplicaSetTerminatingReplicas")) return;
  if (objectIn(old, "status")?.["terminatingReplicas"] === undefined) {
    delete objectIn(object, "status")?.["terminatingReplicas"];
  }
}

/** Rules of ReplicaSets beyond their schema. */
export const replicaSetRules: BuiltInRules = {
  generationFields: ["spec"],
  scale: SCALE,
  selectableFields: { "status.replicas": statusReplicas },
  setDefaults: (object) => {
    setTemplateDefaults(specOf(object));
    setAbsent(specOf(object), { replicas: 1 });
  },
  checksEveryField: true,
  complete: (object) => completeTemplate(object),
  prepareForUpdate: (object, old, { subresource }) => {
    if (subresource === "status") dropTerminatingReplicas(object, old);
  },
  loadChecks: async () => {
    const { replicaSetChecks } = await import("./workloads/workload-checks.ts");
    return replicaSetChecks;
  },
};

/** Rules of ReplicationControllers beyond their schema. */
export const replicationControllerRules: BuiltInRules = {
  nameRule: "generated-subdomain",
  generationFields: ["spec"],
  scale: SCALE,
  defaultPropagation: "orphan",
  selectableFields: { "status.replicas": statusReplicas },
  setDefaults: (object) => {
    const spec = specOf(object);
    const template = objectIn(spec, "template");
    if (template !== undefined) setTemplateDefaults(spec);
    const labels = objectIn(objectIn(template, "metadata"), "labels");
    setAbsent(spec, { replicas: 1, ...(labels === undefined ? {} : { selector: { ...labels } }) });
    if (labels !== undefined) {
      object.metadata.labels ??= { ...(labels as Record<string, string>) };
    }
  },
  complete: (object) => {
    completeTemplate(object);
    // Its schema states the zero of Go, which is not shown.
    const spec = objectIn(object, "spec");
    if (spec?.["minReadySeconds"] === 0) {
      delete spec["minReadySeconds"];
    }
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { replicationControllerChecks } = await import("./workloads/workload-checks.ts");
    return replicationControllerChecks;
  },
};

/** Rules of ControllerRevisions beyond their schema. */
export const controllerRevisionRules: BuiltInRules = {
  checksEveryField: true,
  loadChecks: async () => {
    const { controllerRevisionChecks } = await import("./workloads/workload-checks.ts");
    return controllerRevisionChecks;
  },
};

/** Rules of StatefulSets beyond their schema. */
export const statefulSetRules: BuiltInRules = {
  generationFields: ["spec"],
  scale: SCALE,
  setDefaults: (object) => {
    const spec = specOf(object);
    setTemplateDefaults(spec);
    setEmpty(spec, { podManagementPolicy: "OrderedReady" });
    setAbsent(spec, { replicas: 1, revisionHistoryLimit: 10 });
    setAbsent(ensureObject(spec, "persistentVolumeClaimRetentionPolicy"), {
      whenDeleted: "Retain",
      whenScaled: "Retain",
    });
    const strategy = ensureObject(spec, "updateStrategy");
    // A stated type gets no rolling update beside it.
    if (textIn(strategy, "type") === "") ensureObject(strategy, "rollingUpdate");
    setEmpty(strategy, { type: "RollingUpdate" });
    if (strategy["type"] === "RollingUpdate") {
      const maxUnavailable = isEnabled("MaxUnavailableStatefulSet") ? { maxUnavailable: 1 } : {};
      setAbsent(objectIn(strategy, "rollingUpdate"), { partition: 0, ...maxUnavailable });
    }
    for (const claim of objectsIn(spec, "volumeClaimTemplates")) {
      Object.assign(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim" });
      setClaimDefaults(ensureObject(claim, "spec"));
      setAbsent(ensureObject(claim, "status"), { phase: "Pending" });
    }
  },
  prepareForCreate: (object) => dropMaxUnavailable(object),
  prepareForUpdate: (object, old, { subresource }) => {
    if (subresource === "" && rollingUpdateOf(old)?.["maxUnavailable"] === undefined) dropMaxUnavailable(object);
  },
  checksEveryField: true,
  complete: (object) => completeTemplate(object),
  loadChecks: async () => {
    const { statefulSetChecks } = await import("./workloads/workload-checks.ts");
    return statefulSetChecks;
  },
};

function rollingUpdateOf(object: ApiObject): MutableJsonObject | undefined {
  return objectIn(objectIn(objectIn(object, "spec"), "updateStrategy"), "rollingUpdate");
}

function dropMaxUnavailable(object: ApiObject): void {
  if (isEnabled("MaxUnavailableStatefulSet")) return;
  delete rollingUpdateOf(object)?.["maxUnavailable"];
}

/** Rules of DaemonSets beyond their schema. */
export const daemonSetRules: BuiltInRules = {
  generationFields: ["spec"],
  setDefaults: (object) => {
    const spec = specOf(object);
    setTemplateDefaults(spec);
    setAbsent(spec, { revisionHistoryLimit: 10 });
    const strategy = ensureObject(spec, "updateStrategy");
    setEmpty(strategy, { type: "RollingUpdate" });
    if (strategy["type"] === "RollingUpdate") {
      setAbsent(ensureObject(strategy, "rollingUpdate"), { maxUnavailable: 1, maxSurge: 0 });
    } else {
      setAbsent(objectIn(strategy, "rollingUpdate"), { maxUnavailable: 0, maxSurge: 0 });
    }
    readTemplateGeneration(object);
    if (object.metadata.annotations?.[TEMPLATE_GENERATION] === undefined) setTemplateGeneration(object, 0);
  },
  prepareForCreate: (object) => setTemplateGeneration(object, 1),
  prepareForUpdate: (object, old) => {
    const before = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? "1");
    const isSame = deepEqual(
      objectIn(objectIn(object, "spec"), "template"),
      objectIn(objectIn(old, "spec"), "template"),
    );
    setTemplateGeneration(object, isSame ? before : before + 1);
  },
  checksEveryField: true,
  complete: (object) => completeTemplate(object),
  loadChecks: async () => {
    const { daemonSetChecks } = await import("./workloads/workload-checks.ts");
    return daemonSetChecks;
  },
};

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

// Fails: with 400 when the annotation is no integer.
function readTemplateGeneration({ metadata }: ApiObject): void {
  const text = metadata.annotations?.[TEMPLATE_GENERATION];
  if (text === undefined) return;
  const isInteger = /^[+-]?\d+$/u.test(text);
  const generation = isInteger ? BigInt(text.replace("+", "")) : 0n;
  if (isInteger && BigInt.asIntN(64, generation) === generation) return;
  const problem = isInteger ? "value out of range" : "invalid syntax";
  throw badRequest(
    `DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`,
  );
}

function setTemplateGeneration({ metadata }: ApiObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function statusReplicas(object: ApiObject): string {
  return String(numberIn(objectIn(object, "status"), "replicas") ?? 0);
}
