import { invalidField, type FieldError } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { cronJobWarnings, jobWarnings } from "../warnings/workload-warnings.ts";
import { cronJobErrors } from "./cron-job-errors.ts";
import { jobErrors, selectedJobErrors } from "./job-errors.ts";
import { jobStatusErrors } from "./job-status-errors.ts";

/** Checks of Jobs. */
export const jobChecks: BuiltInChecks = {
  // Until 1.36, the specification of a changed Job is checked twice.
  validate: (job, _context, old) => [
    ...jobErrors(job, old),
    ...(old === undefined || since("1.37")
      ? []
      : selectedJobErrors(objectIn(job, "spec") ?? {}, objectIn(old, "spec"))),
  ],
  validateUpdate: (job, old, { subresource }) => (subresource === "" ? jobChangeErrors(job, old) : []),
  validateStatus: (job, old) => jobStatusErrors(job, old),
  warnings: (job, old) => jobWarnings(job, old),
};

/** Checks of CronJobs. */
export const cronJobChecks: BuiltInChecks = {
  validate: (cronJob, _context, old) => cronJobErrors(cronJob, old),
  warnings: (cronJob, old) => cronJobWarnings(cronJob, old),
};

function jobChangeErrors(job: ApiObject, old: ApiObject): readonly FieldError[] {
  const [spec, before] = [objectIn(job, "spec") ?? {}, objectIn(old, "spec") ?? {}];
  const isStopped = mayChangeTemplate(old);
  const isNew = before["suspend"] === true && objectIn(old, "status")?.["startTime"] === undefined;
  const isOpen = isEnabled("MutableSchedulingDirectivesForSuspendedJobs") ? isStopped : isNew;
  const scheduled = isOpen ? withSchedulingOf(before["template"], spec["template"]) : before["template"];
  const former: MutableJsonObject = { ...before, ...(scheduled === undefined ? {} : { template: scheduled }) };
  const hasOpenResources = isStopped && isEnabled("MutablePodResourcesForSuspendedJobs");
  const immutable = hasOpenResources ? IMMUTABLE.filter((field) => field !== "template") : IMMUTABLE;
  const isIndexed = spec["completionMode"] === "Indexed";
  const unchanged = (fields: readonly string[]): readonly FieldError[] =>
    fields
      .filter((field) => !deepEqual((spec[field] ?? null) as never, (former[field] ?? null) as never))
      .map((field) => invalidField(`spec.${field}`, spec[field] ?? null, "field is immutable"));
  return [
    ...(isIndexed ? completionErrors(spec, before) : unchanged(["completions"])),
    ...unchanged(immutable),
    ...(hasOpenResources ? podSpecChanges(objectIn(spec, "template"), objectIn(former, "template")) : []),
  ];
}

// Pods of a Job that is suspended, and has none at the moment, can be changed before there are new ones.
function mayChangeTemplate(old: ApiObject): boolean {
  const status = objectIn(old, "status");
  const isMarked = objectsIn(status, "conditions").some(
    ({ type, status: value }) => type === "Suspended" && value === "True",
  );
  const isIdle = status?.["startTime"] === undefined || isMarked;
  return objectIn(old, "spec")?.["suspend"] === true && isIdle && (numberIn(status, "active") ?? 0) === 0;
}

function podSpecChanges(
  template: MutableJsonObject | undefined,
  former: MutableJsonObject | undefined,
): readonly FieldError[] {
  const [spec, before] = [objectIn(template, "spec") ?? {}, objectIn(former, "spec") ?? {}];
  return deepEqual(spec, withResourcesOf(before, spec))
    ? []
    : [invalidField("spec.template.spec", spec, "field is immutable")];
}

function withResourcesOf(former: MutableJsonObject, next: MutableJsonObject): MutableJsonObject {
  const lists = ["containers", "initContainers"].flatMap((list): readonly (readonly [string, unknown])[] => {
    const [before, after] = [objectsIn(former, list), objectsIn(next, list)];
    if (before.length === 0 || before.length !== after.length) return [];
    return [[list, before.map((each, index) => withOwnResources(each, after[index] ?? {}))]];
  });
  return { ...former, ...Object.fromEntries(lists) };
}

function withOwnResources(former: MutableJsonObject, next: MutableJsonObject): MutableJsonObject {
  if (former["name"] !== next["name"]) return former;
  const { resources: _resources, ...others } = former;
  return { ...others, ...(next["resources"] === undefined ? {} : { resources: next["resources"] }) };
}

const IMMUTABLE = [
  "selector",
  "template",
  "completionMode",
  "podFailurePolicy",
  "backoffLimitPerIndex",
  "managedBy",
  "successPolicy",
] as const;

// Where Pods of a suspended Job run can be changed before they first do.
function withSchedulingOf(template: unknown, after: unknown): MutableJsonObject {
  const [former, next] = [template, after] as readonly MutableJsonObject[];
  const [spec, nextSpec] = [objectIn(former, "spec") ?? {}, objectIn(next, "spec") ?? {}];
  const {
    affinity: _affinity,
    nodeSelector: _selector,
    tolerations: _tolerations,
    schedulingGates: _gates,
    ...rest
  } = spec;
  const node = objectIn(nextSpec["affinity"] as MutableJsonObject | undefined, "nodeAffinity");
  const { nodeAffinity: _node, ...others } = objectIn(spec, "affinity") ?? {};
  const affinity = node === undefined ? others : { ...others, nodeAffinity: node };
  const isAbsent = Object.keys(affinity).length === 0 && nextSpec["affinity"] === undefined;
  const picked = ["nodeSelector", "tolerations", "schedulingGates"]
    .filter((name) => nextSpec[name] !== undefined)
    .map((name) => [name, nextSpec[name]] as const);
  const { annotations: _annotations, labels: _labels, ...metadata } = objectIn(former, "metadata") ?? {};
  const nextMeta = objectIn(next, "metadata") ?? {};
  const meta = ["annotations", "labels"]
    .filter((name) => nextMeta[name] !== undefined)
    .map((name) => [name, nextMeta[name]] as const);
  return {
    ...former,
    metadata: { ...metadata, ...Object.fromEntries(meta) },
    spec: { ...rest, ...Object.fromEntries(picked), ...(isAbsent ? {} : { affinity }) },
  };
}

// The indexes of a job grow and shrink with the pods that run at once.
function completionErrors(spec: MutableJsonObject, before: MutableJsonObject): readonly FieldError[] {
  const completions = spec["completions"] ?? null;
  if (completions === null || completions === before["completions"] || completions === spec["parallelism"]) return [];
  return [invalidField("spec.completions", completions, "can only be modified in tandem with spec.parallelism")];
}
