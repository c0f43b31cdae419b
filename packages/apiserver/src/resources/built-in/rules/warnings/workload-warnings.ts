import { dns1123LabelErrors } from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { claimSpecWarnings } from "./amount-warnings.ts";
import { templateWarnings } from "./pod-warnings.ts";

/** Returns a warning about the name of an object that its Pods have, where it is no DNS label. */
export function nameWarnings({ metadata }: ApiObject, used: string): readonly string[] {
  const problems = dns1123LabelErrors(metadata.name ?? "");
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in ${used}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
  ];
}

/** Where the names of workloads are used. */
const IN_POD_NAMES = "Pod names and hostnames";

/** Returns the warnings about an object with a template of Pods; about a change only if it is a new generation. */
export function workloadWarnings(object: ApiObject, old: ApiObject | undefined): readonly string[] {
  return old === undefined ? [...nameWarnings(object, IN_POD_NAMES), ...specWarnings(object)] : changed(object, old);
}

/** Returns the warnings about a ReplicationController; those about a change are of the template before it, as upstream. */
export function replicationControllerWarnings(object: ApiObject, old: ApiObject | undefined): readonly string[] {
  if (old === undefined) return workloadWarnings(object, old);
  return isNewGeneration(object, old) ? specWarnings(old) : [];
}

function changed(object: ApiObject, old: ApiObject): readonly string[] {
  return isNewGeneration(object, old) ? specWarnings(object) : [];
}

function isNewGeneration(object: ApiObject, old: ApiObject): boolean {
  return object.metadata.generation !== old.metadata.generation;
}

function specWarnings(object: ApiObject): readonly string[] {
  return templateWarnings(objectIn(objectIn(object, "spec"), "template"), "spec.template");
}

/** Returns the warnings about a PodTemplate. */
export function podTemplateWarnings(object: ApiObject, old: ApiObject | undefined): readonly string[] {
  return old === undefined || isNewGeneration(object, old)
    ? templateWarnings(objectIn(object, "template"), "template")
    : [];
}

/** Returns the warnings about a DaemonSet; about a change only if it changes the template. */
export function daemonSetWarnings(object: ApiObject, old: ApiObject | undefined): readonly string[] {
  const [generation, before] = [object, old].map((each) => each?.metadata.annotations?.[TEMPLATE_GENERATION]);
  return generation === before ? [] : specWarnings(object);
}

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

/** Returns the warnings about a StatefulSet. */
export function statefulSetWarnings(object: ApiObject, old: ApiObject | undefined): readonly string[] {
  const spec = objectIn(object, "spec");
  const part = old === undefined ? "" : ".Spec";
  return [
    ...(old === undefined ? specWarnings(object) : changed(object, old)),
    ...objectsIn(spec, "volumeClaimTemplates").flatMap((claim, index) =>
      claimSpecWarnings(objectIn(claim, "spec"), `spec.volumeClaimTemplates[${index}]${part}`),
    ),
    ...((numberIn(spec, "revisionHistoryLimit") ?? 0) < 0
      ? ["spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"]
      : []),
  ];
}

/** Returns the warnings about a Job. */
export function jobWarnings(job: ApiObject, old: ApiObject | undefined): readonly string[] {
  const warnings = (): readonly string[] => jobSpecWarnings(objectIn(job, "spec"), "spec");
  if (old === undefined) return [...nameWarnings(job, IN_POD_NAMES), ...warnings()];
  return isNewGeneration(job, old) ? warnings() : [];
}

/** Returns the warnings about a CronJob. */
export function cronJobWarnings(cronJob: ApiObject, old: ApiObject | undefined): readonly string[] {
  const spec = objectIn(cronJob, "spec");
  const warnings = (): readonly string[] =>
    jobSpecWarnings(objectIn(objectIn(spec, "jobTemplate"), "spec"), "spec.jobTemplate.spec");
  if (old === undefined) return [...nameWarnings(cronJob, IN_POD_NAMES), ...warnings()];
  return [
    ...(isNewGeneration(cronJob, old) ? warnings() : []),
    ...(textIn(spec, "schedule").includes("TZ") ? [ZONE_IN_SCHEDULE] : []),
  ];
}

const ZONE_IN_SCHEDULE =
  "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";

const MOST_COMPLETIONS = 100_000;
const MOST_AT_ONCE = 10_000;

function jobSpecWarnings(spec: MutableJsonObject | undefined, at: string): readonly string[] {
  const isTooMany =
    textIn(spec, "completionMode") === "Indexed" &&
    (numberIn(spec, "completions") ?? 0) > MOST_COMPLETIONS &&
    (numberIn(spec, "parallelism") ?? 0) > MOST_AT_ONCE;
  return [
    ...(isTooMany
      ? [
          `${at}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...templateWarnings(objectIn(spec, "template"), `${at}.template`),
  ];
}
