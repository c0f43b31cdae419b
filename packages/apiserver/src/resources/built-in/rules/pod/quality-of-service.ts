import { compareQuantities, isZeroQuantity } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";

const RESOURCES = ["cpu", "memory"] as const;

/** Returns the quality of service that a pod gets from what it, or else its containers, ask for. */
export function qosClassOf(spec: MutableJsonObject | undefined): "Guaranteed" | "Burstable" | "BestEffort" {
  const holders =
    objectIn(spec, "resources") === undefined
      ? [...objectsIn(spec, "containers"), ...objectsIn(spec, "initContainers")]
      : [spec];
  const resources = holders.map((holder) => objectIn(holder, "resources"));
  if (!resources.some((entry) => asksForAnything(entry))) {
    return "BestEffort";
  }
  return resources.every((entry) => asksForAllItGets(entry)) ? "Guaranteed" : "Burstable";
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
