import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";

/** Returns the specification of the claims of a ResourceClaimTemplate. */
export function claimSpecOf(template: ApiObject): MutableJsonObject | undefined {
  return objectIn(objectIn(template, "spec"), "spec");
}

/** Returns the requests of a claim. */
export function requestsOf(spec: MutableJsonObject | undefined): readonly MutableJsonObject[] {
  return objectsIn(objectIn(spec, "devices"), "requests");
}

/** Returns what tells a device apart from all others. */
export function deviceKey(device: MutableJsonObject): string {
  return ["driver", "pool", "device", "shareID"].map((name) => textIn(device, name)).join("\n");
}

/** Returns the keys of the devices that are allocated. */
export function allocatedKeys(allocation: MutableJsonObject | undefined): ReadonlySet<string> {
  return new Set(objectsIn(objectIn(allocation, "devices"), "results").map((result) => deviceKey(result)));
}

/** Returns what the requests of a claim ask for: exactly one class of devices, or the first one available. */
export function exactRequestsOf(spec: MutableJsonObject | undefined): readonly MutableJsonObject[] {
  return requestsOf(spec).flatMap((request) => {
    const exactly = objectIn(request, "exactly");
    return [...(exactly === undefined ? [] : [exactly]), ...objectsIn(request, "firstAvailable")];
  });
}
