import { deepClone, goJson, parseJson } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { ensureObject, numberIn, objectIn, objectsIn, setAbsent, textIn } from "../../../fields.ts";
import { METRIC_TARGETS, METRIC_VALUES, printMetrics, readList, readMetrics } from "./metric-annotations.ts";

const PREFIX = "autoscaling.alpha.kubernetes.io/";
const METRICS = `${PREFIX}metrics`;
/** The annotation of `v1` with the current values of metrics. */
export const CURRENT_METRICS: string = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;

/** The annotations in which `v1` has the fields of `v2` that it does not know. */
const SPEC_ANNOTATIONS = [METRICS, BEHAVIOR] as const;
const STATUS_ANNOTATIONS = [CURRENT_METRICS, CONDITIONS] as const;
const ANNOTATIONS: readonly string[] = [
  ...SPEC_ANNOTATIONS,
  ...STATUS_ANNOTATIONS,
  `${PREFIX}scale-down-tolerance`,
  `${PREFIX}scale-up-tolerance`,
];

/** Removes the annotations of the conversion; returns what they were. */
export function takeConversionAnnotations({ metadata }: ApiObject): Readonly<Record<string, string>> {
  const entries = Object.entries(metadata.annotations ?? {});
  const taken = entries.filter(([name]) => ANNOTATIONS.includes(name));
  if (taken.length === 0) return {};
  const kept = entries.filter(([name]) => !ANNOTATIONS.includes(name));
  if (kept.length > 0) metadata.annotations = Object.fromEntries(kept);
  else delete metadata.annotations;
  return Object.fromEntries(taken);
}

/** Takes over the annotations of the part that a write to a resource or its status leaves as it is; a new object has none of the status. */
export function keepConversionAnnotations(
  { metadata }: ApiObject,
  old: ApiObject | undefined,
  subresource: string,
): void {
  const kept = subresource === "status" ? SPEC_ANNOTATIONS : STATUS_ANNOTATIONS;
  for (const name of kept) {
    const value = old?.metadata.annotations?.[name];
    if (value !== undefined) metadata.annotations = { ...metadata.annotations, [name]: value };
    else if (metadata.annotations !== undefined) delete metadata.annotations[name];
  }
  if (Object.keys(metadata.annotations ?? {}).length === 0) delete metadata.annotations;
}

/** Returns a HorizontalPodAutoscaler of `v1` as one of `v2`. */
export function autoscalerToV2(autoscaler: ApiObject): ApiObject {
  const object = deepClone(autoscaler);
  object.apiVersion = "autoscaling/v2";
  const annotations = takeConversionAnnotations(object);
  convertSpec(ensureObject(object, "spec"), annotations);
  convertStatus(ensureObject(object, "status"), annotations);
  return object;
}

const DEFAULT_UTILIZATION = 80;

function convertSpec(spec: MutableJsonObject, annotations: Readonly<Record<string, string>>): void {
  const target = numberIn(spec, "targetCPUUtilizationPercentage");
  const others = readMetrics(annotations[METRICS] ?? "", METRIC_TARGETS) ?? [];
  const metrics = [...others, ...(target === undefined ? [] : [cpuTarget(target)])];
  spec["metrics"] = metrics.length > 0 ? metrics : [cpuTarget(DEFAULT_UTILIZATION)];
  delete spec["targetCPUUtilizationPercentage"];
  const behavior = readBehavior(annotations[BEHAVIOR] ?? "");
  if (behavior !== undefined) spec["behavior"] = behavior;
}

function convertStatus(status: MutableJsonObject, annotations: Readonly<Record<string, string>>): void {
  if (status["currentReplicas"] === 0) delete status["currentReplicas"];
  const utilization = numberIn(status, "currentCPUUtilizationPercentage");
  const own = utilization === undefined ? null : [cpuMetric({ current: { averageUtilization: utilization } })];
  status["currentMetrics"] = readMetrics(annotations[CURRENT_METRICS] ?? "", METRIC_VALUES) ?? own;
  delete status["currentCPUUtilizationPercentage"];
  const conditions = readList(annotations[CONDITIONS] ?? "") ?? [];
  if (conditions.length > 0) status["conditions"] = conditions;
}

/** Returns a stored HorizontalPodAutoscaler as one of `v1`. */
export function autoscalerToV1(stored: ApiObject): ApiObject {
  const object = deepClone(stored);
  object.apiVersion = "autoscaling/v1";
  takeConversionAnnotations(object);
  const spec = ensureObject(object, "spec");
  const status = objectIn(object, "status");
  const metrics = objectsIn(spec, "metrics");
  const [current, conditions] = [objectsIn(status, "currentMetrics"), objectsIn(status, "conditions")];
  const behavior = objectIn(spec, "behavior");
  const others = metrics.filter((metric) => targetUtilization(metric) === undefined);
  const annotations = {
    ...(others.length === 0 ? {} : { [METRICS]: printMetrics(others, METRIC_TARGETS) }),
    ...(current.length === 0 ? {} : { [CURRENT_METRICS]: printMetrics(current, METRIC_VALUES) }),
    ...(behavior === undefined ? {} : { [BEHAVIOR]: printBehavior(behavior) }),
    ...(conditions.length === 0 ? {} : { [CONDITIONS]: printConditions(conditions) }),
  };
  if (Object.keys(annotations).length > 0)
    object.metadata.annotations = { ...object.metadata.annotations, ...annotations };
  setPresent(spec, "targetCPUUtilizationPercentage", metrics.map(targetUtilization).find(isPresent));
  setPresent(status, "currentCPUUtilizationPercentage", current.map(currentUtilization).findLast(isPresent));
  delete spec["metrics"];
  delete spec["behavior"];
  setAbsent(status, { currentReplicas: 0 });
  delete status?.["currentMetrics"];
  delete status?.["conditions"];
  return object;
}

const isPresent = (value: number | undefined): boolean => value !== undefined;

function setPresent(parent: MutableJsonObject | undefined, name: string, value: number | undefined): void {
  if (value !== undefined) setAbsent(parent, { [name]: value });
}

function cpuMetric(values: MutableJsonObject): MutableJsonObject {
  return { type: "Resource", resource: { name: "cpu", ...values } };
}

function cpuTarget(utilization: number): MutableJsonObject {
  return cpuMetric({ target: { type: "Utilization", averageUtilization: utilization } });
}

function targetUtilization(metric: MutableJsonObject): number | undefined {
  return numberIn(objectIn(cpuResource(metric), "target"), "averageUtilization");
}

function currentUtilization(metric: MutableJsonObject): number | undefined {
  return numberIn(objectIn(cpuResource(metric), "current"), "averageUtilization");
}

function cpuResource(metric: MutableJsonObject): MutableJsonObject | undefined {
  const resource = objectIn(metric, "resource");
  return metric["type"] === "Resource" && resource?.["name"] === "cpu" ? resource : undefined;
}

function printConditions(conditions: readonly MutableJsonObject[]): string {
  return goJson(
    conditions.map(
      (condition) =>
        new Map<string, unknown>([
          ["type", textIn(condition, "type")],
          ["status", textIn(condition, "status")],
          ["lastTransitionTime", condition["lastTransitionTime"] ?? null],
          ...["reason", "message"]
            .filter((name) => textIn(condition, name) !== "")
            .map((name) => [name, condition[name]] as const),
        ]),
    ),
  );
}

// Upstream prints its internal structs, whose fields have no names of their own in JSON.
const RULE_FIELDS = ["stabilizationWindowSeconds", "selectPolicy", "policies", "tolerance"] as const;
const POLICY_FIELDS = ["type", "value", "periodSeconds"] as const;
const goName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function printBehavior(behavior: MutableJsonObject): string {
  return goJson(
    new Map(
      ["scaleUp", "scaleDown"].map((name) => {
        const rules = objectIn(behavior, name);
        return [goName(name), rules === undefined ? null : printedRules(rules)] as const;
      }),
    ),
  );
}

function printedRules(rules: MutableJsonObject): ReadonlyMap<string, unknown> {
  const policies = objectsIn(rules, "policies").map(
    (policy) => new Map(POLICY_FIELDS.map((name) => [goName(name), policy[name] ?? (name === "type" ? "" : 0)])),
  );
  return new Map(
    RULE_FIELDS.map((name) => {
      const value = name === "policies" && Array.isArray(rules[name]) ? policies : (rules[name] ?? null);
      return [goName(name), value];
    }),
  );
}

function readBehavior(text: string): MutableJsonObject | undefined {
  const behavior = readRecord(text);
  const entries = Object.entries(behavior ?? {}).flatMap(([name, rules]) => {
    const field = ["scaleUp", "scaleDown"].find((each) => each.toLowerCase() === name.toLowerCase());
    return field === undefined || !isRecord(rules) ? [] : [[field, readRules(rules)] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function readRecord(text: string): MutableJsonObject | undefined {
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readRules(rules: MutableJsonObject): MutableJsonObject {
  const fields = named(rules, RULE_FIELDS);
  const { policies } = fields;
  return Array.isArray(policies)
    ? {
        ...fields,
        policies: policies.filter((policy) => isRecord(policy)).map((policy) => named(policy, POLICY_FIELDS)),
      }
    : fields;
}

// Go reads the names of fields in any case.
function named(values: MutableJsonObject, names: readonly string[]): MutableJsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const name = names.find((each) => each.toLowerCase() === key.toLowerCase());
      return name === undefined || value === null ? [] : [[name, value] as const];
    }),
  );
}
