import {
  compareQuantities,
  dns1123LabelErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";
import { pathSegmentErrors } from "@kubescaffold/schema/values";

import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { declaredDetail } from "../checks/declared-rules.ts";
import {
  checkedText,
  eachItem,
  nonNegativeNumbers,
  nonNegativeQuantity,
  optionalChoice,
  supportedText,
} from "../checks/field-checks.ts";
import { containerResourceNameErrors } from "../pod/resource-errors.ts";

const segment = (text: string): readonly string[] => pathSegmentErrors(text, false);

/** Returns what is wrong with a HorizontalPodAutoscaler. */
export function autoscalerErrors(autoscaler: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(autoscaler, "spec") ?? {};
  const [least, most] = [numberIn(spec, "minReplicas"), numberIn(spec, "maxReplicas") ?? 0];
  const behavior = objectIn(spec, "behavior");
  const former = numberIn(objectIn(old, "spec"), "minReplicas");
  const lowest = isEnabled("HPAScaleToZero") || former === 0 ? 0 : 1;
  return [
    ...(least !== undefined && least < lowest
      ? [invalidField("spec.minReplicas", least, `must be greater than or equal to ${lowest}`)]
      : []),
    ...mostReplicasErrors(most),
    ...(least !== undefined && most < least
      ? [invalidField("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`")]
      : []),
    ...targetErrors(objectIn(spec, "scaleTargetRef") ?? {}, "spec.scaleTargetRef"),
    ...targetGroupErrors(objectIn(spec, "scaleTargetRef"), objectIn(objectIn(old, "spec"), "scaleTargetRef")),
    ...metricErrors(objectsIn(spec, "metrics"), "spec.metrics", least),
    ...["scaleUp", "scaleDown"].flatMap((name) => {
      const rules = objectIn(behavior, name);
      return rules === undefined ? [] : scalingErrors(rules, `spec.behavior.${name}`);
    }),
  ];
}

function mostReplicasErrors(most: number): readonly FieldError[] {
  const field = "spec.maxReplicas";
  if (most >= 1) return [];
  if (!since("1.36")) return [invalidField(field, most, "must be greater than 0")];
  return most === 0
    ? [requiredField(field, declaredDetail("must be set and greater than 0"))]
    : [invalidField(field, most, "must be greater than or equal to 1")];
}

// The only kind of the core group that can be scaled may go without one, and so may what was accepted before.
function targetGroupErrors(
  reference: MutableJsonObject | undefined,
  before: MutableJsonObject | undefined,
): readonly FieldError[] {
  const [version, kind] = [textIn(reference, "apiVersion"), textIn(reference, "kind")];
  const isOld = before !== undefined && textIn(before, "apiVersion") === version && textIn(before, "kind") === kind;
  const field = "spec.scaleTargetRef.apiVersion";
  if (isOld) return [];
  if (isUnreadable(version)) return [invalidField(field, version, `unexpected GroupVersion string: ${version}`)];
  const hasGroup = version.includes("/") && !version.startsWith("/");
  return hasGroup || kind === "ReplicationController"
    ? []
    : [invalidField(field, version, "apiVersion must specify API group")];
}

const isUnreadable = (version: string): boolean => version.split("/").length > 2;

function describedErrors(reference: MutableJsonObject, at: string): readonly FieldError[] {
  const version = textIn(reference, "apiVersion");
  return isUnreadable(version)
    ? [invalidField(`${at}.apiVersion`, version, `unexpected GroupVersion string: ${version}`)]
    : [];
}

function targetErrors(reference: MutableJsonObject, at: string): readonly FieldError[] {
  return ["kind", "name"].flatMap((name) => {
    const value = textIn(reference, name);
    return value === "" ? [requiredField(`${at}.${name}`)] : checkedText(`${at}.${name}`, value, segment);
  });
}

const SOURCES: Readonly<Record<string, string>> = {
  Object: "object",
  External: "external",
  Pods: "pods",
  Resource: "resource",
  ContainerResource: "containerResource",
};
const SOURCE_ORDER = ["object", "external", "pods", "resource", "containerResource"] as const;
type Source = (typeof SOURCE_ORDER)[number];
const TYPES = Object.keys(SOURCES).toSorted();

function metricErrors(
  metrics: readonly MutableJsonObject[],
  at: string,
  least: number | undefined,
): readonly FieldError[] {
  const hasOthers = metrics.some((metric) => metric["type"] === "Object" || metric["type"] === "External");
  const zero = "must specify at least one Object or External metric to support scaling to zero replicas";
  return [...eachItem(metrics, at, oneMetricErrors), ...(least === 0 && !hasOthers ? [forbiddenField(at, zero)] : [])];
}

function oneMetricErrors(metric: MutableJsonObject, at: string): readonly FieldError[] {
  const type = textIn(metric, "type");
  const expected = SOURCES[type];
  const [first, ...others] = SOURCE_ORDER.filter((name) => objectIn(metric, name) !== undefined);
  const unsupported = unsupportedField(`${at}.type`, type, TYPES);
  const foreign = [first, ...others].filter((name) => name !== undefined && name !== expected);
  return [
    ...(type === "" ? [requiredField(`${at}.type`, "must specify a metric source type")] : []),
    ...(expected === undefined ? [unsupported] : []),
    ...(first === undefined ? [] : sourceErrors(first, objectIn(metric, first) ?? {}, `${at}.${first}`)),
    ...(expected === undefined
      ? [unsupported]
      : objectIn(metric, expected) === undefined
        ? [requiredField(`${at}.${expected}`, "must populate information for the given metric source")]
        : []),
    ...(others.length === 0
      ? []
      : foreign.map((name) => forbiddenField(`${at}.${String(name)}`, "must populate the given metric source only"))),
  ];
}

function sourceErrors(name: Source, source: MutableJsonObject, at: string): readonly FieldError[] {
  const target = objectIn(source, "target") ?? {};
  const place = `${at}.target`;
  const [value, average] = [target["value"], target["averageValue"]];
  const targetProblems = metricTargetErrors(target, place);
  const identifier = identifierErrors(objectIn(source, "metric") ?? {}, `${at}.metric`);
  switch (name) {
    case "object":
      return [
        ...targetErrors(objectIn(source, "describedObject") ?? {}, `${at}.describedObject`),
        ...describedErrors(objectIn(source, "describedObject") ?? {}, `${at}.describedObject`),
        ...identifier,
        ...targetProblems,
        ...(value === undefined && average === undefined
          ? [requiredField(`${place}.averageValue`, "must set either a target value or averageValue")]
          : []),
      ];
    case "external":
      return [
        ...identifier,
        ...targetProblems,
        ...(value === undefined && average === undefined
          ? [requiredField(`${place}.averageValue`, "must set either a target value for metric or a per-pod target")]
          : []),
        ...(value !== undefined && average !== undefined
          ? [forbiddenField(`${place}.value`, "may not set both a target value for metric and a per-pod target")]
          : []),
      ];
    case "pods":
      return [
        ...identifier,
        ...targetProblems,
        ...(average === undefined
          ? [requiredField(`${place}.averageValue`, "must specify a positive target averageValue")]
          : []),
      ];
    case "resource":
      return [...resourceNameErrors(source, at, []), ...targetProblems, ...utilizationErrors(target, place)];
    case "containerResource":
      return [
        ...resourceNameErrors(source, at, containerResourceNameErrors(textIn(source, "name"), `${at}.name`)),
        ...containerNameErrors(textIn(source, "container"), `${at}.container`),
        ...targetProblems,
        ...utilizationErrors(target, place),
      ];
  }
}

function resourceNameErrors(
  source: MutableJsonObject,
  at: string,
  others: readonly FieldError[],
): readonly FieldError[] {
  return textIn(source, "name") === "" ? [requiredField(`${at}.name`, "must specify a resource name")] : others;
}

function containerNameErrors(name: string, field: string): readonly FieldError[] {
  return name === ""
    ? [requiredField(field, "must specify a container")]
    : checkedText(field, name, dns1123LabelErrors);
}

function utilizationErrors(target: MutableJsonObject, at: string): readonly FieldError[] {
  const [utilization, average] = [target["averageUtilization"], target["averageValue"]];
  return [
    ...(utilization === undefined && average === undefined
      ? [requiredField(`${at}.averageUtilization`, "must set either a target raw value or a target utilization")]
      : []),
    ...(utilization !== undefined && average !== undefined
      ? [forbiddenField(`${at}.averageValue`, "may not set both a target raw value and a target utilization")]
      : []),
  ];
}

function metricTargetErrors(target: MutableJsonObject, at: string): readonly FieldError[] {
  const type = textIn(target, "type");
  const utilization = numberIn(target, "averageUtilization");
  const isKnown = ["Utilization", "Value", "AverageValue"].includes(type);
  return [
    ...(type === "" ? [requiredField(`${at}.type`, "must specify a metric target type")] : []),
    ...(isKnown ? [] : [invalidField(`${at}.type`, type, "must be either Utilization, Value, or AverageValue")]),
    ...["value", "averageValue"].flatMap((name) => {
      const amount = textIn(target, name);
      return amount !== "" && compareQuantities(amount, "0") <= 0
        ? [invalidField(`${at}.${name}`, amount, "must be positive")]
        : [];
    }),
    ...(utilization !== undefined && utilization < 1
      ? [invalidField(`${at}.averageUtilization`, utilization, "must be greater than 0")]
      : []),
  ];
}

function identifierErrors(metric: MutableJsonObject, at: string): readonly FieldError[] {
  const name = textIn(metric, "name");
  return name === ""
    ? [requiredField(`${at}.name`, "must specify a metric name")]
    : checkedText(`${at}.name`, name, segment);
}

const LONGEST_WINDOW = 3600;
const LONGEST_PERIOD = 1800;

function scalingErrors(rules: MutableJsonObject, at: string): readonly FieldError[] {
  const window = numberIn(rules, "stabilizationWindowSeconds");
  const policies = objectsIn(rules, "policies");
  const tolerance = textIn(rules, "tolerance");
  const field = `${at}.stabilizationWindowSeconds`;
  return [
    ...(window !== undefined && window < 0
      ? [invalidField(field, window, "must be greater than or equal to zero")]
      : []),
    ...(window !== undefined && window > LONGEST_WINDOW
      ? [invalidField(field, window, `must be less than or equal to ${LONGEST_WINDOW}`)]
      : []),
    ...optionalChoice(`${at}.selectPolicy`, rules["selectPolicy"], ["Disabled", "Max", "Min"]),
    ...(policies.length === 0 ? [requiredField(`${at}.policies`, "must specify at least one Policy")] : []),
    ...eachItem(policies, `${at}.policies`, scalingPolicyErrors),
    ...(tolerance === "" ? [] : nonNegativeQuantity(`${at}.tolerance`, tolerance)),
  ];
}

function scalingPolicyErrors(policy: MutableJsonObject, at: string): readonly FieldError[] {
  const [value, period] = [numberIn(policy, "value") ?? 0, numberIn(policy, "periodSeconds") ?? 0];
  return [
    ...supportedText(`${at}.type`, textIn(policy, "type"), ["Percent", "Pods"]),
    ...(value <= 0 ? [invalidField(`${at}.value`, value, "must be greater than zero")] : []),
    ...(period <= 0 ? [invalidField(`${at}.periodSeconds`, period, "must be greater than zero")] : []),
    ...(period > LONGEST_PERIOD
      ? [invalidField(`${at}.periodSeconds`, period, `must be less than or equal to ${LONGEST_PERIOD}`)]
      : []),
  ];
}

/** Returns what is wrong with the status of a HorizontalPodAutoscaler. */
export function autoscalerStatusErrors(autoscaler: ApiObject): readonly FieldError[] {
  const status = objectIn(autoscaler, "status");
  return [
    ...eachItem(objectsIn(status, "conditions"), "status.conditions", (condition, at) =>
      nonNegativeNumbers(condition, at, ["observedGeneration"]),
    ),
    ...nonNegativeNumbers(status, "status", ["currentReplicas", "desiredReplicas"]),
  ];
}
