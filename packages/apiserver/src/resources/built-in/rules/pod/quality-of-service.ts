import { compareQuantities, isZeroQuantity } from "@kubescaffold/k8s";

import { isEnabled } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";

const RESOURCES = ["cpu", "memory"] as const;

/** Returns the quality of service that a pod gets from what it, or else its containers, ask for. */
export function qosClassOf(spec: MutableJsonObject | undefined): "Guaranteed" | "Burstable" | "BestEffort" {
  const holders = decidesForPod(objectIn(spec, "resources"))
    ? [spec]
    : [...objectsIn(spec, "containers"), ...objectsIn(spec, "initContainers")];
  const resources = holders.map((holder) => objectIn(holder, "resources"));
  if (!resources.some((entry) => asksForAnything(entry))) {
    return "BestEffort";
  }
  return resources.every((entry) => asksForAllItGets(entry)) ? "Guaranteed" : "Burstable";
}

// With the feature, resources of a pod that state none of those that pods may have leave the decision to its containers.
function decidesForPod(resources: MutableJsonObject | undefined): boolean {
  if (resources === undefined) return false;
  if (!isEnabled("PodLevelResourcesFixKubeletQOSClass")) return true;
  return ["requests", "limits"].some((part) => Object.keys(objectIn(resources, part) ?? {}).some(isOfPod));
}

function isOfPod(name: string): boolean {
  return (RESOURCES as readonly string[]).includes(name) || name.startsWith("hugepages-");
}

function asksForAnything(resources: MutableJsonObject | undefined): boolean {
  return ["requests", "limits"].some((part) =>
    RESOURCES.some((name) => isPositive(textIn(objectIn(resources, part), name))),
  );
}

function asksForAllItGets(resources: MutableJsonObject | undefined): boolean {
  return RESOURCES.every((name) => {
    const limit = textIn(objectIn(resources, "limits"), name);
    const request = textIn(objectIn(resources, "requests"), name);
    return isPositive(limit) && (request === "" || compareQuantities(request, limit) === 0);
  });
}

const isPositive = (quantity: string): boolean => quantity !== "" && !isZeroQuantity(quantity);
