import { type FieldError, invalidField } from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, objectIn } from "../../../fields.ts";
import { nonNegativeNumbers } from "../checks/field-checks.ts";

const AT = "status";
const REPLICAS_OF_SETS = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const;

/** Returns what is wrong with the status of a Deployment. */
export function deploymentStatusErrors(deployment: ApiObject, old: ApiObject): readonly FieldError[] {
  const status = objectIn(deployment, AT);
  const counted = ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas"];
  return [
    ...nonNegativeNumbers(status, AT, ["observedGeneration", ...counted, "terminatingReplicas", "collisionCount"]),
    ...aboveAll(status, ["updatedReplicas", "readyReplicas", "availableReplicas"]),
    ...aboveReady(status, "readyReplicas"),
    ...collisionErrors(status, old),
  ];
}

/** Returns what is wrong with the status of a ReplicaSet. */
export function replicaSetStatusErrors(set: ApiObject): readonly FieldError[] {
  return replicaErrors(objectIn(set, AT), [...REPLICAS_OF_SETS, "observedGeneration", "terminatingReplicas"]);
}

/** Returns what is wrong with the status of a ReplicationController. */
export function replicationControllerStatusErrors(controller: ApiObject): readonly FieldError[] {
  return replicaErrors(objectIn(controller, AT), [...REPLICAS_OF_SETS, "observedGeneration"]);
}

function replicaErrors(status: MutableJsonObject | undefined, counts: readonly string[]): readonly FieldError[] {
  return [
    ...nonNegativeNumbers(status, AT, counts),
    ...aboveAll(status, ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"]),
    ...aboveReady(status, "readyReplicas"),
  ];
}

/** Returns what is wrong with the status of a StatefulSet. */
export function statefulSetStatusErrors(set: ApiObject, old: ApiObject): readonly FieldError[] {
  const status = objectIn(set, AT);
  const parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
  return [
    ...nonNegativeNumbers(status, AT, ["replicas", ...parts, "observedGeneration", "collisionCount"]),
    ...aboveAll(status, parts),
    ...aboveReady(status, "status.readyReplicas"),
    ...collisionErrors(status, old),
  ];
}

const NODE_COUNTS = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
] as const;

/** Returns what is wrong with the status of a DaemonSet. */
export function daemonSetStatusErrors(set: ApiObject, old: ApiObject): readonly FieldError[] {
  const status = objectIn(set, AT);
  return [...nonNegativeNumbers(status, AT, NODE_COUNTS), ...collisionErrors(status, old)];
}

function aboveAll(status: MutableJsonObject | undefined, names: readonly string[]): readonly FieldError[] {
  const all = integerIn(status, "replicas") ?? 0;
  return names.flatMap((name) => {
    const count = integerIn(status, name) ?? 0;
    return count > all ? [invalidField(`${AT}.${name}`, count, "cannot be greater than status.replicas")] : [];
  });
}

function aboveReady(status: MutableJsonObject | undefined, shownName: string): readonly FieldError[] {
  const available = integerIn(status, "availableReplicas") ?? 0;
  return available > (integerIn(status, "readyReplicas") ?? 0)
    ? [invalidField(`${AT}.availableReplicas`, available, `cannot be greater than ${shownName}`)]
    : [];
}

// The names of dependents contain the count, which must not repeat.
function collisionErrors(status: MutableJsonObject | undefined, old: ApiObject): readonly FieldError[] {
  const former = integerIn(objectIn(old, AT), "collisionCount");
  const count = integerIn(status, "collisionCount");
  const isLess = former !== undefined && (count === undefined || count < former);
  return isLess ? [invalidField(`${AT}.collisionCount`, count ?? 0, "cannot be decremented")] : [];
}
