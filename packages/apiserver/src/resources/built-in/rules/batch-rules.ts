import { invalidField, requiredField, type FieldError } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema";

import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, numberIn, objectIn, setAbsent, setEmpty, textIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { setTemplateDefaults } from "./pod-spec-defaults.ts";
import { podSpecErrors, restartPolicyErrors } from "./pod-spec-errors.ts";
import { jobStatusErrors } from "./workloads/job-status-errors.ts";

const LARGEST_INT32 = 2 ** 31 - 1;
const JOB_RESTARTS = ["OnFailure", "Never"] as const;

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
    setEmpty(spec, { podReplacementPolicy: spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed" });
  },
  prepareForCreate: (job) => {
    const spec = ensureObject(job, "spec");
    if (spec["manualSelector"] !== true) {
      generateSelector(job, spec);
    }
  },
  validate: (job) => [...missingCompletions(job), ...templateErrors(objectIn(job, "spec"), "spec")],
  validateUpdate: (job, old, { subresource }) =>
    subresource === "status" ? jobStatusErrors(job, old) : subresource === "" ? jobChangeErrors(job, old) : [],
};

/** Rules of CronJobs beyond their schema. */
export const cronJobRules: BuiltInRules = {
  generationFields: ["spec"],
  setDefaults: (cronJob) => {
    const spec = ensureObject(cronJob, "spec");
    setEmpty(spec, { concurrencyPolicy: "Allow" });
    setAbsent(spec, { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
    setTemplateDefaults(objectIn(objectIn(spec, "jobTemplate"), "spec"));
  },
  validate: (cronJob) => {
    const spec = objectIn(cronJob, "spec");
    return [
      ...scheduleErrors(textIn(spec, "schedule")),
      ...templateErrors(objectIn(objectIn(spec, "jobTemplate"), "spec"), "spec.jobTemplate.spec"),
    ];
  },
};

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
  template["labels"] = { ...objectIn(template, "labels"), ...labels };
  // Upstream shares one map between the two where the Job has no labels.
  if (Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...(template["labels"] as Labels) };
  const selector = ensureObject(spec, "selector");
  selector["matchLabels"] = {
    ...objectIn(selector, "matchLabels"),
    "batch.kubernetes.io/controller-uid": uid,
  };
}

function scheduleErrors(schedule: string): readonly FieldError[] {
  if (schedule === "") {
    return [requiredField("spec.schedule")];
  }
  const problem = scheduleProblem(schedule);
  return problem === undefined ? [] : [invalidField("spec.schedule", schedule, problem)];
}

function templateErrors(spec: MutableJsonObject | undefined, path: string): readonly FieldError[] {
  const podSpec = objectIn(objectIn(spec, "template"), "spec");
  const at = `${path}.template.spec`;
  if (podSpec === undefined) {
    return [];
  }
  const policy = textIn(podSpec, "restartPolicy");
  const restart =
    policy === "Always"
      ? [
          {
            type: "FieldValueRequired",
            field: `${at}.restartPolicy`,
            detail: 'valid values: "OnFailure", "Never"',
          } as const,
        ]
      : restartPolicyErrors(podSpec, { path: at, supported: JOB_RESTARTS });
  return [...podSpecErrors(podSpec, at), ...restart];
}

function jobChangeErrors(job: ApiObject, old: ApiObject): readonly FieldError[] {
  const [spec, before] = [objectIn(job, "spec"), objectIn(old, "spec")];
  const isSuspended = before?.["suspend"] === true;
  const isElastic = spec?.["completionMode"] === "Indexed";
  const fields = [
    ...(isElastic ? [] : ["completions"]),
    "selector",
    ...(isSuspended ? [] : ["template"]),
    "completionMode",
  ];
  return [
    // Upstream validates the specification twice.
    ...missingCompletions(job),
    ...(isElastic ? completionErrors(spec, before) : []),
    ...fields
      .filter((field) => !deepEqual(spec?.[field], before?.[field]))
      .map((field) => invalidField(`spec.${field}`, spec?.[field] ?? null, "field is immutable")),
  ];
}

function missingCompletions(job: ApiObject): readonly FieldError[] {
  const spec = objectIn(job, "spec");
  return spec?.["completionMode"] === "Indexed" && (spec["completions"] ?? null) === null
    ? [requiredField("spec.completions", "when completion mode is Indexed")]
    : [];
}

// The indexes of a job grow and shrink with the pods that run at once.
function completionErrors(
  spec: MutableJsonObject | undefined,
  before: MutableJsonObject | undefined,
): readonly FieldError[] {
  const completions = spec?.["completions"] ?? null;
  if (completions === null || completions === before?.["completions"] || completions === spec?.["parallelism"])
    return [];
  return [invalidField("spec.completions", completions, "can only be modified in tandem with spec.parallelism")];
}

const RANGES = [
  { name: "minute", least: 0, most: 59 },
  { name: "hour", least: 0, most: 23 },
  { name: "day", least: 1, most: 31 },
  { name: "month", least: 1, most: 12 },
  { name: "weekday", least: 0, most: 6 },
] as const;

const NAMES = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat";
const PART = new RegExp(`^(\\*|\\?|\\d+|${NAMES})(-(\\d+|${NAMES}))?(/\\d+)?$`, "i");
const DESCRIPTORS = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/;

/** Returns what is wrong with a cron schedule, or undefined. */
function scheduleProblem(schedule: string): string | undefined {
  if (schedule.startsWith("@")) {
    return DESCRIPTORS.test(schedule) ? undefined : `unrecognized descriptor: ${schedule}`;
  }
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== RANGES.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  return fields
    .map((field, index) => fieldProblem(field, RANGES[index] ?? RANGES[0]))
    .find((problem) => problem !== undefined);
}

function fieldProblem(
  field: string,
  { least, most }: { readonly least: number; readonly most: number },
): string | undefined {
  for (const part of field.split(",")) {
    if (!PART.test(part)) {
      return `failed to parse int from ${part}: strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`;
    }
    const [range = ""] = part.split("/");
    for (const number of range
      .split("-")
      .filter((text) => /^\d+$/.test(text))
      .map(Number)) {
      if (number > most) {
        return `end of range (${number}) above maximum (${most}): ${part}`;
      }
      if (number < least) {
        return `beginning of range (${number}) below minimum (${least}): ${part}`;
      }
    }
  }
  return undefined;
}
