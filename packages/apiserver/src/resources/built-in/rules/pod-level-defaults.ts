import { compareQuantities } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../storage/api-object.ts";
import { objectIn, objectsIn, textOf } from "../../fields.ts";
import { isHugePages } from "./checks/resource-names.ts";
import { totalOf } from "./containers/container-amounts.ts";

/**
 * Completes the resources of a Pod as a whole, where it states some: limits of huge pages are those of its containers; requests are those of its
 * containers, or else its limits.
 */
export function setPodLevelResources(spec: MutableJsonObject): void {
  const resources = objectIn(spec, "resources");
  if (resources === undefined) return;
  setHugePageLimits(spec, resources);
  setRequests(spec, resources);
}

/**
 * Completes the resources of a Pod as a whole, where it states some, once all its containers are known: also the limits, where each container has one.
 */
export function completePodLevelResources(spec: MutableJsonObject): void {
  const resources = objectIn(spec, "resources");
  if (resources === undefined || namesIn(resources, "requests").length + namesIn(resources, "limits").length === 0) {
    return;
  }
  setHugePageLimits(spec, resources);
  const limits = Object.entries(objectIn(resources, "limits") ?? {});
  const ofContainers = [...totalOf(spec, "requests")].filter(([name]) => SHARED.includes(name));
  complete(resources, "requests", [
    ...limits.filter(([name]) => SHARED.includes(name) || isHugePages(name)),
    ...ofContainers,
  ]);
  setLimits(spec, resources);
}

const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

// A Pod may use what it requests, also where its containers are limited to less.
function setLimits(spec: MutableJsonObject, resources: MutableJsonObject): void {
  const containers = CONTAINER_LISTS.flatMap((list) => objectsIn(spec, list));
  const totals = totalOf(spec, "limits");
  const requests = Object.entries(objectIn(resources, "requests") ?? {});
  const amounts = requests.flatMap(([name, request]): readonly (readonly [string, string])[] => {
    const isLimited = containers.every(
      (container) => objectIn(objectIn(container, "resources"), "limits")?.[name] !== undefined,
    );
    const total = totals.get(name);
    if (!(SHARED.includes(name) || isHugePages(name)) || !isLimited || total === undefined) return [];
    const requested = textOf(request);
    return [[name, compareQuantities(requested, total) > 0 ? requested : total]];
  });
  complete(resources, "limits", amounts);
}

function namesIn(resources: MutableJsonObject, part: "requests" | "limits"): readonly string[] {
  return Object.keys(objectIn(resources, part) ?? {});
}

function setHugePageLimits(spec: MutableJsonObject, resources: MutableJsonObject): void {
  const [requests = {}, limits = {}] = [objectIn(resources, "requests"), objectIn(resources, "limits")];
  if (Object.keys(requests).length + Object.keys(limits).length === 0) return;
  const missing = [...totalOf(spec, "limits")].filter(([name]) => isHugePages(name) && requests[name] === undefined);
  complete(resources, "limits", missing);
}

function setRequests(spec: MutableJsonObject, resources: MutableJsonObject): void {
  const limits = Object.entries(objectIn(resources, "limits") ?? {});
  if (limits.length === 0) return;
  const ofContainers = [...totalOf(spec, "requests")].filter(([name]) => SHARED.includes(name));
  const ofLimits = limits.filter(([name]) => SHARED.includes(name) || isHugePages(name));
  complete(resources, "requests", [...ofLimits, ...ofContainers]);
}

// A Pod may request less of these than it is limited to.
const SHARED: readonly string[] = ["cpu", "memory"];

// The last amount of a resource counts, unless the Pod states one; maps are stored in the order of their keys.
function complete(
  resources: MutableJsonObject,
  part: "requests" | "limits",
  amounts: readonly (readonly [string, unknown])[],
): void {
  const completed = { ...Object.fromEntries(amounts), ...objectIn(resources, part) };
  const entries = Object.entries(completed).toSorted(([left], [right]) => (left < right ? -1 : 1));
  if (entries.length > 0) resources[part] = Object.fromEntries(entries);
}
