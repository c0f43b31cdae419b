import type { GateName } from "../../../../release/gate-names.ts";
import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { keepUserMetadata } from "../../../object-meta.ts";
import { CONTAINER_STATUSES } from "./container-statuses.ts";

/** Keeps what a new status of a Pod must not change or forget, and drops fields of features that are off. */
export function preparePodStatus(pod: ApiObject, old: ApiObject): void {
  keepUserMetadata(pod, old, ["ownerReferences"]);
  const [given, former] = [objectIn(pod, "status"), objectIn(old, "status") ?? {}];
  const status: MutableJsonObject = { ...given };
  if (since("1.37")) keepClaims(status, former);
  if (textIn(status, "qosClass") === "" && former["qosClass"] !== undefined) status["qosClass"] = former["qosClass"];
  keepGeneration(status, former);
  keepConditionGenerations(status, former);
  dropDisabledFields(status, former);
  pod["status"] = status;
}

const CLAIMS = [
  "resourceClaimStatuses",
  "extendedResourceClaimStatus",
  "nodeAllocatableResourceClaimStatuses",
] as const;

// Only some writers know of them.
function keepClaims(status: MutableJsonObject, former: MutableJsonObject): void {
  for (const name of CLAIMS) {
    if (status[name] === undefined && former[name] !== undefined) status[name] = former[name];
  }
}

function keepGeneration(object: MutableJsonObject, former: MutableJsonObject | undefined): void {
  const before = integerIn(former, "observedGeneration") ?? 0;
  if ((integerIn(object, "observedGeneration") ?? 0) === 0 && before !== 0) object["observedGeneration"] = before;
}

// Several conditions may have the same type: they are matched in their order.
function keepConditionGenerations(status: MutableJsonObject, former: MutableJsonObject): void {
  const before = [...objectsIn(former, "conditions")];
  for (const condition of objectsIn(status, "conditions")) {
    const index = before.findIndex((each) => textIn(each, "type") === textIn(condition, "type"));
    if (index >= 0) keepGeneration(condition, before.splice(index, 1)[0]);
  }
}

const GATED: readonly (readonly [GateName, readonly string[]])[] = [
  ["InPlacePodLevelResourcesVerticalScaling", ["resources", "allocatedResources"]],
  ["DRAExtendedResource", ["extendedResourceClaimStatus"]],
  ["DRANodeAllocatableResources", ["nodeAllocatableResourceClaimStatuses"]],
  ["CSIVolumeHealth", ["volumeHealth"]],
];

function dropDisabledFields(status: MutableJsonObject, former: MutableJsonObject): void {
  for (const [gate, names] of GATED) {
    if (isEnabled(gate) || names.some((name) => former[name] !== undefined)) continue;
    for (const name of names) delete status[name];
  }
  if (!isEnabled("ResourceHealthStatus")) {
    eachStatus(status, (each) => delete each["allocatedResourcesStatus"]);
  } else if (!isEnabled("ResourceHealthStatusMessage")) {
    eachStatus(status, (each) => {
      for (const allocated of objectsIn(each, "allocatedResourcesStatus"))
        for (const resource of objectsIn(allocated, "resources")) delete resource["message"];
    });
  }
  if (!isEnabled("ImageVolumeWithDigest")) {
    eachStatus(status, (each) => {
      for (const mount of objectsIn(each, "volumeMounts")) delete mount["volumeStatus"];
    });
  }
}

function eachStatus(status: MutableJsonObject, change: (each: MutableJsonObject) => unknown): void {
  for (const list of Object.values(CONTAINER_STATUSES)) for (const each of objectsIn(status, list)) change(each);
}
