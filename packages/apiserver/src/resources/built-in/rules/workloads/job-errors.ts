import {
  dns1123LabelErrors,
  duplicateField,
  type FieldError,
  invalidField,
  labelRequirements,
  matchesLabels,
  OMITTED_VALUE,
  qualifiedNameErrors,
  requiredField,
  tooLongField,
  tooManyField,
  unsupportedField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { checkedText, eachItem, nonNegativeNumbers, supportedText } from "../checks/field-checks.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";
import { domainPathErrors } from "../networking/domain-path-errors.ts";
import { podTemplateErrors } from "../pod/pod-spec-errors.ts";
import { indexCount } from "./job-indexes.ts";
import { printedSelector } from "./printed-selector.ts";
import { selectorIsReadable } from "./workload-errors.ts";

/** Returns what is wrong with a new Job, or with a changed one. */
export function jobErrors(job: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectIn(job, "spec") ?? {};
  const isRechecked = old === undefined || !since("1.37");
  const completions = numberIn(spec, "completions") ?? 0;
  const { name = "" } = job.metadata;
  const host = `${name}-${completions - 1}`;
  const hasLongName = spec["completionMode"] === "Indexed" && completions > 0 && dns1123LabelErrors(host).length > 0;
  return [
    ...(isRechecked ? generatedSelectorErrors(job, spec) : []),
    ...selectedJobErrors(spec, objectIn(old, "spec")),
    ...(hasLongName
      ? [invalidField("metadata.name", name, `will not able to create pod with invalid DNS label: ${host}`)]
      : []),
  ];
}

const UID_LABELS = ["controller-uid", "batch.kubernetes.io/controller-uid"] as const;
const NAME_LABELS = ["job-name", "batch.kubernetes.io/job-name"] as const;

function generatedSelectorErrors(job: ApiObject, spec: MutableJsonObject): readonly FieldError[] {
  const selector = objectIn(spec, "selector");
  if (spec["manualSelector"] === true || selector === undefined) return [];
  const { uid = "", name = "" } = job.metadata;
  const labels = objectIn(objectIn(objectIn(spec, "template"), "metadata"), "labels") ?? {};
  const expected = Object.fromEntries([
    ...UID_LABELS.map((label) => [label, uid] as const),
    ...NAME_LABELS.map((label) => [label, name] as const),
  ]);
  const errors = ["controller-uid", "job-name", UID_LABELS[1], NAME_LABELS[1]].flatMap((label) => {
    const field = `spec.template.metadata.labels[${label}]`;
    const detail = `must be '${expected[label] ?? ""}'`;
    if (labels[label] === undefined) return [requiredField(field, detail)];
    return labels[label] === expected[label] ? [] : [invalidField(field, labels, detail)];
  });
  const isGenerated = !selectorIsReadable(selector) || matchesLabels(labelRequirements(selector), expected);
  return isGenerated
    ? errors
    : [...errors, invalidField("spec.selector", printedSelector(selector), "`selector` not auto-generated")];
}

/** Returns what is wrong with the specification of a Job and with its selector. */
export function selectedJobErrors(spec: MutableJsonObject, former?: MutableJsonObject): readonly FieldError[] {
  const selector = objectIn(spec, "selector");
  const labels = objectIn(objectIn(objectIn(spec, "template"), "metadata"), "labels");
  const isSelected =
    selector !== undefined && matchesSafely(selector, (labels ?? {}) as Readonly<Record<string, string>>);
  const detail = "`selector` does not match template `labels`";
  return [
    ...jobSpecErrors(spec, "spec", former),
    ...(selector === undefined ? [requiredField("spec.selector")] : labelSelectorErrors(selector, "spec.selector")),
    ...(isSelected || !selectorIsReadable(selector)
      ? []
      : [invalidField("spec.template.metadata.labels", labels ?? null, detail)]),
  ];
}

function matchesSafely(selector: MutableJsonObject, labels: Readonly<Record<string, string>>): boolean {
  return selectorIsReadable(selector) && matchesLabels(labelRequirements(selector), labels);
}

const LIMITS = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];

/** Returns what is wrong with the specification of a Job, of its own or of a template. */
export function jobSpecErrors(spec: MutableJsonObject, at: string, former?: MutableJsonObject): readonly FieldError[] {
  const isIndexed = spec["completionMode"] === "Indexed";
  return [
    ...nonNegativeNumbers(spec, at, LIMITS),
    ...(spec["maxFailedIndexes"] !== undefined && spec["backoffLimitPerIndex"] === undefined
      ? [requiredField(`${at}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")]
      : []),
    ...(typeof spec["managedBy"] === "string" ? managerErrors(spec["managedBy"], `${at}.managedBy`) : []),
    ...completionModeErrors(spec, at),
    ...(isIndexed ? indexedErrors(spec, at) : []),
    ...failurePolicyErrors(spec, `${at}.podFailurePolicy`),
    ...successPolicyErrors(spec, `${at}.successPolicy`, isIndexed),
    ...replacementErrors(spec, `${at}.podReplacementPolicy`),
    ...podTemplateErrors(objectIn(spec, "template") ?? {}, `${at}.template`, objectIn(former, "template")),
    ...restartErrors(spec, `${at}.template.spec.restartPolicy`),
  ];
}

const LONGEST_MANAGER = 63;

function managerErrors(manager: string, field: string): readonly FieldError[] {
  const long = manager.length > LONGEST_MANAGER ? [tooLongField(field, LONGEST_MANAGER)] : [];
  return [...domainPathErrors(field, manager), ...long];
}

function completionModeErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const mode = spec["completionMode"];
  const errors = typeof mode === "string" ? supportedText(`${at}.completionMode`, mode, ["NonIndexed", "Indexed"]) : [];
  if (mode !== undefined && mode !== "NonIndexed") return errors;
  const ofIndexes = ["backoffLimitPerIndex", "maxFailedIndexes"].filter((name) => spec[name] !== undefined);
  return [
    ...errors,
    ...ofIndexes.map((name) => invalidField(`${at}.${name}`, spec[name], "requires indexed completion mode")),
  ];
}

const MOST_INDEXES = 100_000;
const MOST_AT_ONCE = 10_000;

function indexedErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const [completions, parallelism] = [numberIn(spec, "completions"), numberIn(spec, "parallelism")];
  const failed = numberIn(spec, "maxFailedIndexes");
  const atMost = (name: string, value: number | undefined, most: number, suffix = ""): readonly FieldError[] =>
    value !== undefined && value > most
      ? [invalidField(`${at}.${name}`, value, `must be less than or equal to ${most}${suffix}`)]
      : [];
  const isHigh = completions !== undefined && completions > MOST_INDEXES && spec["backoffLimitPerIndex"] !== undefined;
  const high = ` when completions are above ${MOST_INDEXES} and used with backoff limit per index`;
  return [
    ...(completions === undefined ? [requiredField(`${at}.completions`, "when completion mode is Indexed")] : []),
    ...atMost("parallelism", parallelism, MOST_INDEXES, " when completion mode is Indexed"),
    ...(completions !== undefined && failed !== undefined && failed > completions
      ? [invalidField(`${at}.maxFailedIndexes`, failed, "must be less than or equal to completions")]
      : []),
    ...atMost("maxFailedIndexes", failed, MOST_INDEXES),
    ...(isHigh && failed === undefined
      ? [requiredField(`${at}.maxFailedIndexes`, `must be specified when completions is above ${MOST_INDEXES}`)]
      : []),
    ...(isHigh ? atMost("parallelism", parallelism, MOST_AT_ONCE, high) : []),
    ...(isHigh ? atMost("maxFailedIndexes", failed, MOST_AT_ONCE, high) : []),
  ];
}

const MOST_RULES = 20;
const MOST_CODES = 255;
const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"] as const;
const OPERATORS = ["In", "NotIn"] as const;
const STATUSES = ["False", "True", "Unknown"] as const;

function failurePolicyErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const policy = objectIn(spec, "podFailurePolicy");
  if (policy === undefined) return [];
  const rules = objectsIn(policy, "rules");
  return [
    ...(rules.length > MOST_RULES ? [tooManyField(`${at}.rules`, rules.length, MOST_RULES)] : []),
    ...eachItem(rules, `${at}.rules`, (rule, place) => failureRuleErrors(spec, rule, place)),
  ];
}

function failureRuleErrors(spec: MutableJsonObject, rule: MutableJsonObject, at: string): readonly FieldError[] {
  const codes = objectIn(rule, "onExitCodes");
  const conditions = objectsIn(rule, "onPodConditions");
  const action = textIn(rule, "action");
  const both = "specifying both OnExitCodes and OnPodConditions is not supported";
  const none = "specifying one of OnExitCodes and OnPodConditions is required";
  return [
    ...(action === "FailIndex"
      ? spec["backoffLimitPerIndex"] === undefined
        ? [invalidField(`${at}.action`, action, "requires the backoffLimitPerIndex to be set")]
        : []
      : listedChoice(`${at}.action`, action, ACTIONS)),
    ...(codes === undefined ? [] : exitCodeErrors(spec, codes, `${at}.onExitCodes`)),
    ...(conditions.length > MOST_RULES ? [tooManyField(`${at}.onPodConditions`, conditions.length, MOST_RULES)] : []),
    ...eachItem(conditions, `${at}.onPodConditions`, (condition, place) => [
      ...checkedText(`${place}.type`, textIn(condition, "type"), qualifiedNameErrors),
      ...listedChoice(`${place}.status`, textIn(condition, "status"), STATUSES),
    ]),
    ...(codes !== undefined && conditions.length > 0 ? [invalidField(at, OMITTED_VALUE, both)] : []),
    ...(codes === undefined && conditions.length === 0 ? [invalidField(at, OMITTED_VALUE, none)] : []),
  ];
}

function listedChoice(field: string, value: string, choices: readonly string[]): readonly FieldError[] {
  const list = choices.map((choice) => JSON.stringify(choice)).join(" ");
  return value === "" ? [requiredField(field, `valid values: [${list}]`)] : supportedText(field, value, choices);
}

function exitCodeErrors(spec: MutableJsonObject, codes: MutableJsonObject, at: string): readonly FieldError[] {
  const operator = textIn(codes, "operator");
  const names = containerNames(spec);
  const container = codes["containerName"];
  const values = (Array.isArray(codes["values"]) ? codes["values"] : []) as readonly number[];
  const unknown = "must be one of the container or initContainer names in the pod template";
  const repeated = repeatedIndexes(values);
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value);
  return [
    ...listedChoice(`${at}.operator`, operator, OPERATORS),
    ...(typeof container === "string" && !names.has(container)
      ? [invalidField(`${at}.containerName`, container, unknown)]
      : []),
    ...(values.length === 0 ? [invalidField(`${at}.values`, null, "at least one value is required")] : []),
    ...(values.length > MOST_CODES ? [tooManyField(`${at}.values`, values.length, MOST_CODES)] : []),
    ...eachItem(values, `${at}.values`, (value, place, index) => [
      ...(operator === "In" && value === 0 ? [invalidField(place, value, "must not be 0 for the In operator")] : []),
      ...(repeated.has(index) ? [duplicateField(place, value)] : []),
    ]),
    ...(isOrdered ? [] : [invalidField(`${at}.values`, values, "must be ordered")]),
  ];
}

function containerNames(spec: MutableJsonObject): ReadonlySet<string> {
  const podSpec = objectIn(objectIn(spec, "template"), "spec");
  return new Set(
    ["containers", "initContainers"].flatMap((list) =>
      objectsIn(podSpec, list).map((container) => textIn(container, "name")),
    ),
  );
}

const LONGEST_INDEXES = 64 * 1024;

function successPolicyErrors(spec: MutableJsonObject, at: string, isIndexed: boolean): readonly FieldError[] {
  const policy = objectIn(spec, "successPolicy");
  if (policy === undefined) return [];
  if (!isIndexed) return [invalidField(at, policy, "requires indexed completion mode")];
  const rules = objectsIn(policy, "rules");
  const none = "at least one rules must be specified when the successPolicy is specified";
  return [
    ...(rules.length === 0 ? [requiredField(`${at}.rules`, none)] : []),
    ...(rules.length > MOST_RULES ? [tooManyField(`${at}.rules`, rules.length, MOST_RULES)] : []),
    ...eachItem(rules, `${at}.rules`, (rule, place) =>
      successRuleErrors(rule, numberIn(spec, "completions") ?? 0, place),
    ),
  ];
}

function successRuleErrors(rule: MutableJsonObject, completions: number, at: string): readonly FieldError[] {
  const [indexes, count] = [rule["succeededIndexes"], numberIn(rule, "succeededCount")];
  const found = typeof indexes === "string" ? indexCount(indexes, completions) : undefined;
  const total = typeof found === "number" ? found : 0;
  const countField = `${at}.succeededCount`;
  const atMost = (most: number, title: string): readonly FieldError[] =>
    count !== undefined && count > most
      ? [invalidField(countField, count, `must be less than or equal to ${most} (the number of ${title})`)]
      : [];
  return [
    ...(indexes === undefined && count === undefined
      ? [requiredField(at, "at least one of succeededCount or succeededIndexes must be specified")]
      : []),
    ...(typeof indexes === "string" && indexes.length > LONGEST_INDEXES
      ? [tooLongField(`${at}.succeededIndexes`, LONGEST_INDEXES)]
      : []),
    ...(typeof found === "string"
      ? [invalidField(`${at}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${found}`)]
      : []),
    ...nonNegativeNumbers(rule, at, ["succeededCount"]),
    ...atMost(completions, "specified completions"),
    ...(indexes === undefined ? [] : atMost(total, "indexes in the specified succeededIndexes field")),
  ];
}

function replacementErrors(spec: MutableJsonObject, field: string): readonly FieldError[] {
  const policy = spec["podReplacementPolicy"];
  if (typeof policy !== "string") return [];
  const supported = spec["podFailurePolicy"] === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  return supportedText(field, policy, supported);
}

function restartErrors(spec: MutableJsonObject, field: string): readonly FieldError[] {
  const policy = textIn(objectIn(objectIn(spec, "template"), "spec"), "restartPolicy");
  if (policy === "" || policy === "Always") return [requiredField(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never") return [unsupportedField(field, policy, ["OnFailure", "Never"])];
  return spec["podFailurePolicy"] !== undefined && policy !== "Never"
    ? [invalidField(field, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
}
