import { humanDuration } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn } from "../fields.ts";
import { selectorText } from "../selection.ts";
import {
  AGE,
  column,
  containerColumns,
  count,
  joined,
  NAME,
  wide,
  scalarText,
  type Column,
  printAge,
} from "./columns.ts";

type Object = MutableJsonObject;
const spec = (object: Object): Object | undefined => objectIn(object, "spec");
const status = (object: Object): Object | undefined => objectIn(object, "status");
const specCount = (name: string) => (object: Object) => numberIn(spec(object), name) ?? 0;
const statusCount = (name: string) => (object: Object) => numberIn(status(object), name) ?? 0;
const podSpec = (object: Object): Object | undefined => objectIn(objectIn(spec(object), "template"), "spec");
const selectorColumn = wide("Selector", (object) => selectorText(objectIn(spec(object), "selector")) || "<none>");
const ready = column("Ready", (object) => `${statusCount("readyReplicas")(object)}/${specCount("replicas")(object)}`);

/** The columns of workloads. */
export const WORKLOAD_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  "Deployment.apps": [
    NAME,
    ready,
    column("Up-to-date", (object) => statusCount("updatedReplicas")(object)),
    column("Available", (object) => statusCount("availableReplicas")(object)),
    AGE,
    ...containerColumns(podSpec),
    selectorColumn,
  ],
  "ReplicaSet.apps": [
    NAME,
    count("Desired", specCount("replicas")),
    count("Current", statusCount("replicas")),
    count("Ready", statusCount("readyReplicas")),
    AGE,
    ...containerColumns(podSpec),
    selectorColumn,
  ],
  "StatefulSet.apps": [NAME, ready, AGE, ...containerColumns(podSpec)],
  "DaemonSet.apps": [
    NAME,
    count("Desired", statusCount("desiredNumberScheduled")),
    count("Current", statusCount("currentNumberScheduled")),
    count("Ready", statusCount("numberReady")),
    count("Up-to-date", statusCount("updatedNumberScheduled")),
    count("Available", statusCount("numberAvailable")),
    column("Node Selector", (object) => selectorText(objectIn(podSpec(object), "nodeSelector")) || "<none>"),
    AGE,
    ...containerColumns(podSpec),
    selectorColumn,
  ],
  "ControllerRevision.apps": [
    NAME,
    column("Controller", controllerText),
    column("Revision", (object) => String(numberIn(object, "revision") ?? 0)),
    AGE,
  ],
  "Job.batch": [
    NAME,
    column("Status", jobStatus),
    column("Completions", jobCompletions),
    column("Duration", jobDuration),
    AGE,
    ...containerColumns(podSpec),
    selectorColumn,
  ],
  "CronJob.batch": [
    NAME,
    column("Schedule", (object) => textIn(spec(object), "schedule")),
    column("Timezone", (object) => textIn(spec(object), "timeZone") || "<none>"),
    column("Suspend", (object) => (spec(object)?.["suspend"] === true ? "True" : "False"), { type: "boolean" }),
    count("Active", (object) => objectsIn(status(object), "active").length),
    column("Last Schedule", lastSchedule),
    AGE,
    ...containerColumns((object) => podSpec(objectIn(spec(object), "jobTemplate") ?? {})),
    wide(
      "Selector",
      (object) => selectorText(objectIn(spec(objectIn(spec(object), "jobTemplate") ?? {}), "selector")) || "<none>",
    ),
  ],
  "PodDisruptionBudget.policy": [
    NAME,
    column("Min Available", (object) => scalarText(spec(object)?.["minAvailable"], "N/A")),
    column("Max Unavailable", (object) => scalarText(spec(object)?.["maxUnavailable"], "N/A")),
    count("Allowed Disruptions", statusCount("disruptionsAllowed")),
    AGE,
  ],
  "HorizontalPodAutoscaler.autoscaling": [
    NAME,
    column("Reference", (object) => {
      const target = objectIn(spec(object), "scaleTargetRef");
      return `${textIn(target, "kind")}/${textIn(target, "name")}`;
    }),
    column("Targets", autoscalerTargets),
    column("MinPods", (object) => numberIn(spec(object), "minReplicas") ?? "<unset>"),
    column("MaxPods", (object) => specCount("maxReplicas")(object)),
    column("Replicas", (object) => statusCount("currentReplicas")(object)),
    AGE,
  ],
};

function controllerText(object: Object): string {
  const owner = objectsIn(objectIn(object, "metadata"), "ownerReferences").find((each) => each["controller"] === true);
  if (owner === undefined) {
    return "<none>";
  }
  const [group] = textIn(owner, "apiVersion").split("/");
  return `${textIn(owner, "kind").toLowerCase()}.${group ?? ""}/${textIn(owner, "name")}`;
}

function jobStatus(job: Object): string {
  const isTrue = (type: string): boolean =>
    objectsIn(status(job), "conditions").some(
      (condition) => condition["type"] === type && condition["status"] === "True",
    );
  const found = (["Complete", "Failed"] as const).find((type) => isTrue(type));
  if (found !== undefined) {
    return found;
  }
  if (objectIn(job, "metadata")?.["deletionTimestamp"] !== undefined) {
    return "Terminating";
  }
  const others = ["Suspended", "FailureTarget", "SuccessCriteriaMet"] as const;
  return others.find((type) => isTrue(type)) ?? "Running";
}

function jobCompletions(job: Object): string {
  const succeeded = statusCount("succeeded")(job);
  const completions = numberIn(spec(job), "completions");
  if (completions !== undefined) {
    return `${succeeded}/${completions}`;
  }
  const parallelism = numberIn(spec(job), "parallelism") ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: Object, nowMs: number): string {
  const start = textIn(status(job), "startTime");
  if (start === "") {
    return "";
  }
  const end = textIn(status(job), "completionTime");
  return humanDuration((end === "" ? nowMs : Date.parse(end)) - Date.parse(start));
}

function lastSchedule(cronJob: Object, nowMs: number): string {
  const time = textIn(status(cronJob), "lastScheduleTime");
  return time === "" ? "<none>" : printAge(time, nowMs);
}

function autoscalerTargets(object: Object): string {
  const targets = objectsIn(spec(object), "metrics").map((metric) => {
    const resource = objectIn(metric, "resource");
    const target = objectIn(resource, "target");
    const utilization = numberIn(target, "averageUtilization");
    const wanted = utilization === undefined ? textIn(target, "averageValue") : `${utilization}%`;
    return `${textIn(resource, "name")}: <unknown>/${wanted}`;
  });
  return joined(targets, "<none>").replaceAll(",", ", ");
}
