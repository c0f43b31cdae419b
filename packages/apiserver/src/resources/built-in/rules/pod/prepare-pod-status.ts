import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { keepUserMetadata } from "../../../object-meta.ts";
import { CONTAINER_STATUSES } from "./container-statuses.ts";

/** Keeps what a new status of a Pod must not change or forget, and drops fields of features that are off by default. */
export function preparePodStatus(pod: ApiObject, old: ApiObject): void {
  keepUserMetadata(pod, old, ["ownerReferences"]);
  const [given, former] = [objectIn(pod, "status"), objectIn(old, "status") ?? {}];
  const status: MutableJsonObject = { ...given };
  if (textIn(status, "qosClass") === "" && former["qosClass"] !== undefined) status["qosClass"] = former["qosClass"];
  keepGeneration(status, former);
  keepConditionGenerations(status, former);
  dropDisabledFields(status, former);
  pod["status"] = status;
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

function dropDisabledFields(status: MutableJsonObject, former: MutableJsonObject): void {
  for (const name of ["resources", "allocatedResources", "extendedResourceClaimStatus"]) {
    if (former[name] === undefined) delete status[name];
  }
  for (const list of Object.values(CONTAINER_STATUSES)) {
    for (const each of objectsIn(status, list)) delete each["allocatedResourcesStatus"];
  }
}
