import type { ResourceType } from "../resources/resource-type.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** Returns a stored object in the version of a resource, after asking what converts it; without any wait where nothing does. */
export function storedView(type: ResourceType, stored: ApiObject): ApiObject | Promise<ApiObject> {
  const strategy = type.strategy();
  const asking = strategy.prepareRead?.([stored], { reuses: false });
  return asking === undefined ? strategy.fromStored(stored) : asking.then(() => strategy.fromStored(stored));
}
