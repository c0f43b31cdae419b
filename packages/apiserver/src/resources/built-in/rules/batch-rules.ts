import { invalidField, type FieldError } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, numberIn, objectIn, objectsIn, setAbsent, setEmpty } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { completePodSpec, setTemplateDefaults } from "./pod-spec-defaults.ts";
import { cronJobErrors } from "./workloads/cron-job-errors.ts";
import { jobErrors, selectedJobErrors } from "./workloads/job-errors.ts";
import { jobStatusErrors } from "./workloads/job-status-errors.ts";

const LARGEST_INT32 = 2 ** 31 - 1;

/** Rules of Jobs beyond their schema. */
export const jobRules: BuiltInRules = {
  generationFields: ["spec"],
  defaultPropagation: "orphan",
  selectableFields: {
    "status.successful": (job) => String(numberIn(objectIn(job, "status"), "succeeded") ?? 0),
  },
  setDefaults: (job) => {
    const spec = ensureObject(job, "spec");
    setTemplateDefaults(spec);
    if (spec["completions"] === undefined && spec["parallelism"] === undefined) {
      spec["completions"] = 1;
    }
    // Failures by index are limited alone by default.
    const backoffLimit = spec["backoffLimitPerIndex"] === undefined ? 6 : LARGEST_INT32;
    setAbsent(spec, { parallelism: 1, backoffLimit, suspend: false, manualSelector: false });
    setEmpty(spec, { completionMode: "NonIndexed" });
    for (const rule of objectsIn(objectIn(spec, "podFailurePolicy"), "rules")) {
      for (const condition of objectsIn(rule, "onPodConditions")) setEmpty(condition, { status: "True" });
    }
    setEmpty(spec, { podReplacementPolicy: spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed" });
  },
  prepareForCreate: (job) => {
    const spec = ensureObject(job, "spec");
    if (spec["manualSelector"] !== true) {
      generateSelector(job, spec);
    }
  },
  complete: (job) => {
    const spec = objectIn(job, "spec");
    completePodSpec(objectIn(objectIn(spec, "template"), "spec"));
    completeFailurePolicy(spec);
  },
  checksEveryField: true,
  // Upstream checks the specification of a changed Job twice.
  validate: (job, _context, old) => [
    ...jobErrors(job),
    ...(old === undefined ? [] : selectedJobErrors(objectIn(job, "spec") ?? {})),
  ],
  validateUpdate: (job, old, { subresource }) => (subresource === "" ? jobChangeErrors(job, old) : []),
  validateStatus: (job, old) => jobStatusErrors(job, old),
};

/** Rules of CronJobs beyond their schema. */
export const cronJobRules: BuiltInRules = {
  takesPlainFinalizers: "in-status",
  generationFields: ["spec"],
  setDefaults: (cronJob) => {
    const spec = ensureObject(cronJob, "spec");
    setEmpty(spec, { concurrencyPolicy: "Allow" });
    setAbsent(spec, { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
    setTemplateDefaults(ensureObject(ensureObject(spec, "jobTemplate"), "spec"));
  },
  complete: (cronJob) => {
    const template = objectIn(objectIn(objectIn(cronJob, "spec"), "jobTemplate"), "spec");
    completePodSpec(objectIn(objectIn(template, "template"), "spec"));
    completeFailurePolicy(template);
  },
  checksEveryField: true,
  validate: (cronJob, _context, old) => cronJobErrors(cronJob, old),
};

// An empty list is stored as an absent one, which is printed.
function completeFailurePolicy(spec: MutableJsonObject | undefined): void {
  const policy = objectIn(spec, "podFailurePolicy");
  if (policy !== undefined && objectsIn(policy, "rules").length === 0) policy["rules"] = null;
}

type Labels = Readonly<Record<string, string>>;

function generateSelector(job: ApiObject, spec: MutableJsonObject): void {
  const { uid = "", name = "" } = job.metadata;
  const labels = {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
  const template = ensureObject(ensureObject(spec, "template"), "metadata");
  // Labels that are stated stay, and are refused if they are others.
  template["labels"] = { ...labels, ...objectIn(template, "labels") };
  // Upstream shares one map between the two where the Job has no labels.
  if (Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...(template["labels"] as Labels) };
  const selector = ensureObject(spec, "selector");
  selector["matchLabels"] = {
    "batch.kubernetes.io/controller-uid": uid,
    ...objectIn(selector, "matchLabels"),
  };
}

function jobChangeErrors(job: ApiObject, old: ApiObject): readonly FieldError[] {
  const [spec, before] = [objectIn(job, "spec") ?? {}, objectIn(old, "spec") ?? {}];
  const isOpen = before["suspend"] === true && objectIn(old, "status")?.["startTime"] === undefined;
  const former = isOpen ? { ...before, template: withSchedulingOf(before["template"], spec["template"]) } : before;
  const isIndexed = spec["completionMode"] === "Indexed";
  const unchanged = (fields: readonly string[]): readonly FieldError[] =>
    fields
      .filter((field) => !deepEqual((spec[field] ?? null) as never, (former[field] ?? null) as never))
      .map((field) => invalidField(`spec.${field}`, spec[field] ?? null, "field is immutable"));
  return [...(isIndexed ? completionErrors(spec, before) : unchanged(["completions"])), ...unchanged(IMMUTABLE)];
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
