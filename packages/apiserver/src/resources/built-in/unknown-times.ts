import type { ApiObject, MutableJsonObject } from "../../storage/api-object.ts";
import { objectIn, objectsIn, setAbsent } from "../fields.ts";
import { CONTAINER_STATUSES } from "./rules/pod/container-statuses.ts";

const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  CertificateSigningRequest: ["lastUpdateTime", "lastTransitionTime"],
  Deployment: ["lastUpdateTime", "lastTransitionTime"],
  Job: ["lastProbeTime", "lastTransitionTime"],
  Node: ["lastHeartbeatTime", "lastTransitionTime"],
  PersistentVolumeClaim: ["lastProbeTime", "lastTransitionTime"],
  Pod: ["lastProbeTime", "lastTransitionTime"],
};
const OTHER_CONDITIONS = ["lastTransitionTime"] as const;

/** Adds nulls for the times of a status, and of the statuses of claim templates, that Go prints although they are absent. */
export function completeTimes(object: ApiObject): void {
  completeStatus(object.kind, objectIn(object, "status"));
  for (const claim of objectsIn(objectIn(object, "spec"), "volumeClaimTemplates"))
    completeStatus("PersistentVolumeClaim", objectIn(claim, "status"));
}

function completeStatus(kind: string, status: MutableJsonObject | undefined): void {
  if (status === undefined) return;
  const names = CONDITIONS[kind] ?? OTHER_CONDITIONS;
  for (const condition of objectsIn(status, "conditions")) addNulls(condition, names);
  for (const device of objectsIn(status, "devices"))
    for (const condition of objectsIn(device, "conditions")) addNulls(condition, OTHER_CONDITIONS);
  for (const name of ["attachError", "detachError"]) addNulls(objectIn(status, name), ["time"]);
  for (const list of Object.values(CONTAINER_STATUSES)) {
    for (const container of objectsIn(status, list)) {
      for (const state of [objectIn(container, "state"), objectIn(container, "lastState")]) {
        addNulls(objectIn(state, "running"), ["startedAt"]);
        addNulls(objectIn(state, "terminated"), ["startedAt", "finishedAt"]);
      }
    }
  }
}

function addNulls(object: MutableJsonObject | undefined, names: readonly string[]): void {
  for (const name of names) setAbsent(object, { [name]: null });
}
