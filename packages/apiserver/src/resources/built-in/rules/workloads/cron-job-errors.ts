import { type FieldError, invalidField, requiredField, unsupportedField } from "@kubescaffold/k8s";

import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn } from "../../../fields.ts";
import { nonNegativeNumbers, requiredChoice } from "../checks/field-checks.ts";
import { jobSpecErrors } from "./job-errors.ts";
import { scheduleProblem } from "./schedule-problem.ts";

const LONGEST_NAME = 52;
const POLICIES = ["Allow", "Forbid", "Replace"] as const;

/** Returns what is wrong with a CronJob. */
export function cronJobErrors(cronJob: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectIn(cronJob, "spec") ?? {};
  const before = objectIn(old, "spec");
  const zone = spec["timeZone"];
  const template = objectIn(objectIn(spec, "jobTemplate"), "spec") ?? {};
  const { name = "" } = cronJob.metadata;
  return [
    ...scheduleErrors(textIn(spec, "schedule"), textIn(before, "schedule"), zone !== undefined),
    ...nonNegativeNumbers(spec, "spec", ["startingDeadlineSeconds"]),
    ...(typeof zone === "string" && (before === undefined || before["timeZone"] !== zone) ? zoneErrors(zone) : []),
    ...requiredChoice("spec.concurrencyPolicy", textIn(spec, "concurrencyPolicy"), POLICIES),
    ...jobSpecErrors(template, "spec.jobTemplate.spec", objectIn(objectIn(before, "jobTemplate"), "spec")),
    ...(template["selector"] === undefined
      ? []
      : [invalidField("spec.jobTemplate.spec.selector", template["selector"], "`selector` will be auto-generated")]),
    ...(template["manualSelector"] === true
      ? [unsupportedField("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"])]
      : []),
    ...nonNegativeNumbers(spec, "spec", ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"]),
    ...(old === undefined && name.length > LONGEST_NAME
      ? [invalidField("metadata.name", name, `must be no more than ${LONGEST_NAME} characters`)]
      : []),
  ];
}

function scheduleErrors(schedule: string, former: string, hasZone: boolean): readonly FieldError[] {
  const field = "spec.schedule";
  if (schedule === "") return [requiredField(field)];
  const problem = scheduleProblem(schedule);
  const errors = problem === undefined ? [] : [invalidField(field, schedule, problem)];
  if (!schedule.includes("TZ")) return errors;
  if (!former.includes("TZ")) {
    return [
      ...errors,
      invalidField(field, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"),
    ];
  }
  const both = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
  return hasZone ? [...errors, invalidField(field, schedule, both)] : errors;
}

const ZONE_PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

function zoneErrors(zone: string): readonly FieldError[] {
  const invalid = (detail: string): FieldError => invalidField("spec.timeZone", zone, detail);
  if (zone === "") return [invalid("timeZone must be nil or non-empty string")];
  const isStrange = zone
    .split("/")
    .some((part) => part === "." || part === ".." || part.startsWith("-") || !ZONE_PART.test(part));
  if (isStrange) return [invalid(`unknown time zone ${zone}`)];
  if (zone.toLowerCase() === "local") {
    const local = invalid("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    return zone === "Local" ? [local] : [local, invalid(`unknown time zone ${zone}`)];
  }
  return zone === "UTC" || isZone(zone) ? [] : [invalid(`unknown time zone ${zone}`)];
}

function isZone(zone: string): boolean {
  if (/^[+-]/.test(zone)) return false;
  try {
    // Files have the case of the zone.
    const known = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
    return known.toLowerCase() !== zone.toLowerCase() || known === zone;
  } catch {
    return false;
  }
}
