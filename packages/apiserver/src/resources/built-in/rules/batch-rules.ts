import { labelValueErrors } from "@kubescaffold/k8s";

import { isEnabled } from "../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, numberIn, objectIn, objectsIn, setAbsent, setEmpty } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { completePodSpec, setTemplateDefaults } from "./pod-spec-defaults.ts";

const LARGEST_INT32 = 2 ** 31 - 1;

/** Rules of Jobs beyond their schema. */
export const jobRules: BuiltInRules = {
  generationFields: ["spec"],
  defaultPropagation: "orphan",
  orphanWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  selectableFields: {
    "status.successful": (job) => String(numberIn(objectIn(job, "status"), "succeeded") ?? 0),
  },
  setDefaults: (job) => {
    const spec = ensureObject(job, "spec");
    dropScheduling(spec);
    setTemplateDefaults(spec);
    setDefaultLabels(job, objectIn(objectIn(spec, "template"), "metadata"));
    if (spec["completions"] === undefined && spec["parallelism"] === undefined) {
      spec["completions"] = 1;
    }
    // Failures by index are limited alone by default.
    const backoffLimit = spec["backoffLimitPerIndex"] === undefined ? 6 : LARGEST_INT32;
    const completionMode = "NonIndexed";
    setAbsent(spec, { parallelism: 1, backoffLimit, suspend: false, manualSelector: false, completionMode });
    for (const rule of objectsIn(objectIn(spec, "podFailurePolicy"), "rules")) {
      for (const condition of objectsIn(rule, "onPodConditions")) setEmpty(condition, { status: "True" });
    }
    setAbsent(spec, {
      podReplacementPolicy: spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed",
    });
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
  loadChecks: async () => {
    const { jobChecks } = await import("./workloads/job-checks.ts");
    return jobChecks;
  },
};

/** Rules of CronJobs beyond their schema. */
export const cronJobRules: BuiltInRules = {
  takesPlainFinalizers: "in-status",
  generationFields: ["spec"],
  setDefaults: (cronJob) => {
    const spec = ensureObject(cronJob, "spec");
    setEmpty(spec, { concurrencyPolicy: "Allow" });
    setAbsent(spec, { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
    const template = ensureObject(ensureObject(spec, "jobTemplate"), "spec");
    dropScheduling(template);
    setTemplateDefaults(template);
  },
  complete: (cronJob) => {
    const template = objectIn(objectIn(objectIn(cronJob, "spec"), "jobTemplate"), "spec");
    completePodSpec(objectIn(objectIn(template, "template"), "spec"));
    completeFailurePolicy(template);
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { cronJobChecks } = await import("./workloads/job-checks.ts");
    return cronJobChecks;
  },
};

function dropScheduling(spec: MutableJsonObject): void {
  if (!isEnabled("WorkloadWithJob")) delete spec["scheduling"];
}

// An empty list is stored as an absent one, which is printed.
function completeFailurePolicy(spec: MutableJsonObject | undefined): void {
  const policy = objectIn(spec, "podFailurePolicy");
  if (policy !== undefined && objectsIn(policy, "rules").length === 0) policy["rules"] = null;
}

type Labels = Readonly<Record<string, string>>;

// Labels of Jobs that are those of their templates.
const fromTemplate = new WeakSet<object>();

function setDefaultLabels(job: ApiObject, template: MutableJsonObject | undefined): void {
  const labels = objectIn(template, "labels") ?? {};
  if (isEmpty(labels) || !isEmpty(job.metadata.labels ?? {})) return;
  job.metadata.labels = { ...(labels as Labels) };
  fromTemplate.add(job.metadata.labels);
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

function generateSelector(job: ApiObject, spec: MutableJsonObject): void {
  const { uid = "", name = "" } = job.metadata;
  const labels = {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
  const template = ensureObject(ensureObject(spec, "template"), "metadata");
  const own = job.metadata.labels ?? {};
  // Labels that are stated stay, and are refused if they are others.
  template["labels"] = { ...labels, ...objectIn(template, "labels") };
  // Upstream shares one map between the two where the Job has no labels, and copies it after the checks where the template has none.
  const isShared = fromTemplate.has(own) || (isEmpty(own) && labelValueErrors(name).length === 0);
  if (isShared) job.metadata.labels = { ...(template["labels"] as Labels) };
  const selector = ensureObject(spec, "selector");
  selector["matchLabels"] = {
    "batch.kubernetes.io/controller-uid": uid,
    ...objectIn(selector, "matchLabels"),
  };
}
