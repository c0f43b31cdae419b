import { duplicateField, invalidField, OMITTED_VALUE, requiredField, type FieldError } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { formatProblem, overlapProblem } from "./job-status-indexes.ts";

const STATUS = "status";
const COUNTERS = ["active", "succeeded", "failed", "ready", "terminating"];

/**
 * Checks a change of a Job's status. Most rules apply only when a field that they compare has changed, since a changed specification may break
 * them until the controller has written the next status.
 */
export function jobStatusErrors(job: ApiObject, old: ApiObject): readonly FieldError[] {
  const change = changeOf(job, old);
  return [
    ...counterErrors(change.status),
    ...uncountedErrors(change.status),
    ...endErrors(change),
    ...finishedErrors(change),
    ...indexErrors(change),
    ...successErrors(change),
    ...transitionErrors(change),
  ];
}

/** A status with the one before it. */
interface StatusChange {
  readonly spec: MutableJsonObject;
  readonly status: MutableJsonObject;
  readonly former: MutableJsonObject;
  readonly isIndexed: boolean;
  /** Reports whether a field has another value than before. */
  readonly changed: (field: string) => boolean;
  /** Reports whether a condition is true. */
  readonly is: (condition: string) => boolean;
  readonly was: (condition: string) => boolean;
  /** Reports whether a condition has become true, or is no longer true. */
  readonly turned: (condition: string) => boolean;
}

function changeOf(job: ApiObject, old: ApiObject): StatusChange {
  const spec = objectIn(job, "spec") ?? {};
  const [status, former] = [objectIn(job, STATUS) ?? {}, objectIn(old, STATUS) ?? {}];
  const [is, was] = [status, former].map((each) => (condition: string) => hasCondition(each, condition, "True"));
  const isTrue = is ?? (() => false);
  const wasTrue = was ?? (() => false);
  return {
    spec,
    status,
    former,
    isIndexed: spec["completionMode"] === "Indexed",
    changed: (field) => !deepEqual(status[field], former[field]),
    is: isTrue,
    was: wasTrue,
    turned: (condition) => isTrue(condition) !== wasTrue(condition),
  };
}

function hasCondition(status: MutableJsonObject, type: string, value: string): boolean {
  return objectsIn(status, "conditions").some((each) => each["type"] === type && each["status"] === value);
}

function counterErrors(status: MutableJsonObject): readonly FieldError[] {
  return COUNTERS.flatMap((field) => {
    const value = numberIn(status, field) ?? 0;
    return value < 0 ? [invalidField(`${STATUS}.${field}`, value, "must be greater than or equal to 0")] : [];
  });
}

function uncountedErrors(status: MutableJsonObject): readonly FieldError[] {
  const seen = new Set<string>();
  return ["succeeded", "failed"].flatMap((list) =>
    textsIn(objectIn(status, "uncountedTerminatedPods"), list).flatMap((uid, index) => {
      const field = `${STATUS}.uncountedTerminatedPods.${list}[${String(index)}]`;
      if (uid === "") return [invalidField(field, uid, "must not be empty")];
      if (seen.has(uid)) return [duplicateField(field, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function endErrors({ status, changed, is, turned }: StatusChange): readonly FieldError[] {
  const [startTime, completionTime] = [textIn(status, "startTime"), textIn(status, "completionTime")];
  const isTimeChecked = turned("Complete") || changed("completionTime");
  const isTooEarly = startTime !== "" && completionTime !== "" && Date.parse(completionTime) < Date.parse(startTime);
  const at = `${STATUS}.completionTime`;
  return [
    ...when((turned("Complete") || turned("Failed")) && is("Complete") && is("Failed"), () =>
      conditionError("cannot set Complete=True and Failed=true conditions"),
    ),
    ...when((turned("Complete") || turned("FailureTarget")) && is("Complete") && is("FailureTarget"), () =>
      conditionError("cannot set Complete=True and FailureTarget=true conditions"),
    ),
    ...when(isTimeChecked && completionTime !== "" && !is("Complete"), () =>
      invalidField(at, completionTime, "cannot set completionTime when there is no Complete=True condition"),
    ),
    ...when(isTimeChecked && completionTime === "" && is("Complete"), () =>
      requiredField(at, "completionTime is required for Complete jobs"),
    ),
    ...when((changed("startTime") || changed("completionTime")) && isTooEarly, () =>
      invalidField(at, completionTime, "must be equal to or after `startTime`"),
    ),
    ...when((turned("Failed") || changed("failedIndexes")) && is("Failed") && !is("FailureTarget"), () =>
      conditionError("cannot set Failed=True condition without the FailureTarget=true condition"),
    ),
    ...when((turned("Complete") || turned("SuccessCriteriaMet")) && is("Complete") && !is("SuccessCriteriaMet"), () =>
      conditionError("cannot set Complete=True condition without the SuccessCriteriaMet=true condition"),
    ),
  ];
}

function finishedErrors({ spec, status, changed, is, was }: StatusChange): readonly FieldError[] {
  const isFinished = is("Complete") || is("Failed");
  if (!isFinished) return [];
  const hasTurned = !(was("Complete") || was("Failed"));
  const active = numberIn(status, "active") ?? 0;
  const uncounted = objectIn(status, "uncountedTerminatedPods");
  const waiting = [...textsIn(uncounted, "succeeded"), ...textsIn(uncounted, "failed")];
  const isEmpty = spec["suspend"] === true && spec["completions"] === 0;
  return [
    ...when((hasTurned || changed("active")) && active > 0, () =>
      invalidField(`${STATUS}.active`, active, "active>0 is invalid for finished job"),
    ),
    ...when((hasTurned || changed("startTime")) && !isEmpty && textIn(status, "startTime") === "", () =>
      requiredField(`${STATUS}.startTime`, "startTime is required for finished job"),
    ),
    ...when((hasTurned || changed("uncountedTerminatedPods")) && waiting.length > 0, () =>
      invalidField(
        `${STATUS}.uncountedTerminatedPods`,
        OMITTED_VALUE,
        `${internalForm(uncounted)}: must be empty for finished job`,
      ),
    ),
  ];
}

// The value is printed with the names and the order of the fields in Go.
function internalForm(uncounted: MutableJsonObject | undefined): string {
  const { succeeded = null, failed = null } = uncounted ?? {};
  return JSON.stringify({ Succeeded: succeeded, Failed: failed });
}

function indexErrors({ spec, status, isIndexed, changed }: StatusChange): readonly FieldError[] {
  const completions = numberIn(spec, "completions");
  const [completed, failed] = [textIn(status, "completedIndexes"), textIn(status, "failedIndexes")];
  const hasFailed = status["failedIndexes"] !== undefined;
  const [completedAt, failedAt] = [`${STATUS}.completedIndexes`, `${STATUS}.failedIndexes`];
  const hasLimit = spec["backoffLimitPerIndex"] !== undefined;
  const completedProblem = completions === undefined ? undefined : formatProblem(completed, completions);
  const failedProblem = completions === undefined || !hasLimit ? undefined : formatProblem(failed, completions);
  const overlap = completions === undefined ? undefined : overlapProblem(completed, failed, completions);
  return [
    ...when(changed("completedIndexes") && completedProblem !== undefined, () =>
      invalidField(completedAt, completed, `error parsing completedIndexes: ${completedProblem ?? ""}`),
    ),
    ...when(changed("failedIndexes") && hasFailed && failedProblem !== undefined, () =>
      invalidField(failedAt, failed, `error parsing failedIndexes: ${failedProblem ?? ""}`),
    ),
    ...when(changed("completedIndexes") && completed !== "" && !isIndexed, () =>
      invalidField(completedAt, completed, "cannot set non-empty completedIndexes when non-indexed completion mode"),
    ),
    ...when(changed("failedIndexes") && hasFailed && !hasLimit, () =>
      invalidField(failedAt, failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null"),
    ),
    ...when((changed("failedIndexes") || changed("completedIndexes")) && overlap !== undefined, () =>
      invalidField(failedAt, failed, overlap ?? ""),
    ),
  ];
}

function successErrors({ spec, status, changed, is, was }: StatusChange): readonly FieldError[] {
  const terminating = numberIn(status, "terminating") ?? 0;
  const ready = numberIn(status, "ready");
  const isFinished = is("Complete") || is("Failed");
  const hasTurned = isFinished !== (was("Complete") || was("Failed"));
  return [
    ...when((hasTurned || changed("terminating")) && isFinished && terminating > 0, () =>
      invalidField(`${STATUS}.terminating`, terminating, "terminating>0 is invalid for finished job"),
    ),
    ...when(
      (changed("ready") || changed("active")) && ready !== undefined && ready > (numberIn(status, "active") ?? 0),
      () => invalidField(`${STATUS}.ready`, ready, "cannot set more ready pods than active"),
    ),
    ...when(is("SuccessCriteriaMet") && is("Failed"), () =>
      conditionError("cannot set SuccessCriteriaMet=True and Failed=true conditions"),
    ),
    ...when(is("SuccessCriteriaMet") && is("FailureTarget"), () =>
      conditionError("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"),
    ),
    ...when(spec["successPolicy"] !== undefined && !is("SuccessCriteriaMet") && is("Complete"), () =>
      conditionError("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True"),
    ),
  ];
}

function transitionErrors({ spec, status, former, isIndexed, changed, is, was }: StatusChange): readonly FieldError[] {
  const mayShrink = isIndexed && spec["completions"] === spec["parallelism"];
  const decreases = (field: string): boolean => (numberIn(status, field) ?? 0) < (numberIn(former, field) ?? 0);
  const [completionTime, formerTime] = [textIn(status, "completionTime"), textIn(former, "completionTime")];
  const isResumed = was("Suspended") && hasCondition(status, "Suspended", "False");
  const isStartRemoved = textIn(former, "startTime") !== "" && changed("startTime") && spec["suspend"] !== true;
  return [
    ...["Failed", "Complete", "FailureTarget"].flatMap((type) =>
      when(was(type) && !is(type), () => conditionError(`cannot disable the terminal ${type}=True condition`)),
    ),
    ...when(decreases("failed"), () =>
      invalidField(`${STATUS}.failed`, numberIn(status, "failed") ?? 0, "cannot decrease the failed counter"),
    ),
    ...when(!mayShrink && decreases("succeeded"), () =>
      invalidField(`${STATUS}.succeeded`, numberIn(status, "succeeded") ?? 0, "cannot decrease the succeeded counter"),
    ),
    ...when(completionTime !== "" && formerTime !== "" && completionTime !== formerTime, () =>
      invalidField(`${STATUS}.completionTime`, completionTime, "field is immutable"),
    ),
    ...when(isStartRemoved && !isResumed, () =>
      since("1.36")
        ? invalidField(
            `${STATUS}.startTime`,
            status["startTime"] ?? null,
            "field is immutable for unsuspended job once set",
          )
        : requiredField(`${STATUS}.startTime`, "startTime cannot be removed for unsuspended job"),
    ),
    ...when(was("SuccessCriteriaMet") && !is("SuccessCriteriaMet"), () =>
      conditionError("cannot disable the SuccessCriteriaMet=True condition"),
    ),
    ...when(was("Complete") && !was("SuccessCriteriaMet") && is("SuccessCriteriaMet"), () =>
      conditionError("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions"),
    ),
  ];
}

function conditionError(detail: string): FieldError {
  return invalidField(`${STATUS}.conditions`, OMITTED_VALUE, detail);
}

function when(isWrong: boolean, error: () => FieldError): readonly FieldError[] {
  return isWrong ? [error()] : [];
}
