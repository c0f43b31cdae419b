import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn } from "../../../fields.ts";
import { exactRequestsOf } from "./claim-parts.ts";

type Part = MutableJsonObject | undefined;

/** Fields of a feature, and where they are. */
interface GatedFields {
  readonly gate: GateName;
  readonly partsOf: (object: Part) => readonly Part[];
  readonly fields: readonly string[];
}

type GateName = Parameters<typeof isEnabled>[0];

const constraintsOf = (spec: Part): readonly Part[] => objectsIn(objectIn(spec, "devices"), "constraints");
const devicesOf = (spec: Part): readonly Part[] => objectsIn(spec, "devices");
const resultsOf = (status: Part): readonly Part[] =>
  objectsIn(objectIn(objectIn(status, "allocation"), "devices"), "results");

// Capacities and attributes by their names.
function namedPartsOf(name: string): (spec: Part) => readonly Part[] {
  return (spec) =>
    devicesOf(spec).flatMap((device) => {
      const parts = objectIn(device, name) ?? {};
      return Object.keys(parts).map((key) => objectIn(parts, key));
    });
}

// 1.34 forgets to drop two of them.
const REQUEST_FIELDS: readonly GatedFields[] = [
  { gate: "DRADeviceTaints", partsOf: (spec) => (since("1.35") ? exactRequestsOf(spec) : []), fields: ["tolerations"] },
  { gate: "DRAConsumableCapacity", partsOf: exactRequestsOf, fields: ["capacity"] },
  {
    gate: "DRAConsumableCapacity",
    partsOf: (spec) => (since("1.35") ? constraintsOf(spec) : []),
    fields: ["distinctAttribute"],
  },
  { gate: "DRADerivedAttributes", partsOf: exactRequestsOf, fields: ["derivedAttributes"] },
];

const SLICE_FIELDS: readonly GatedFields[] = [
  { gate: "DRADeviceTaints", partsOf: devicesOf, fields: ["taints"] },
  { gate: "DRAPartitionableDevices", partsOf: (spec) => [spec], fields: ["sharedCounters", "perDeviceNodeSelection"] },
  {
    gate: "DRAPartitionableDevices",
    partsOf: devicesOf,
    fields: ["consumesCounters", "nodeName", "nodeSelector", "allNodes"],
  },
  {
    gate: "DRADeviceBindingConditions",
    partsOf: devicesOf,
    fields: ["bindingConditions", "bindingFailureConditions", "bindsToNode"],
  },
  { gate: "DRAConsumableCapacity", partsOf: devicesOf, fields: ["allowMultipleAllocations"] },
  { gate: "DRAConsumableCapacity", partsOf: namedPartsOf("capacity"), fields: ["requestPolicy"] },
  {
    gate: "DRADeviceCompatibilityGroups",
    partsOf: (spec) => devicesOf(spec).flatMap((device) => objectsIn(device, "consumesCounters")),
    fields: ["compatibilityGroups"],
  },
  { gate: "DRANodeAllocatableResources", partsOf: devicesOf, fields: ["nodeAllocatableResources"] },
  { gate: "DRANodeAllocatableResources", partsOf: devicesOf, fields: ["nodeAllocatableResourceMappings"] },
  {
    gate: "DRAListTypeAttributes",
    partsOf: namedPartsOf("attributes"),
    fields: ["bools", "ints", "strings", "versions"],
  },
  { gate: "DRAPartitionableDevicesType", partsOf: (spec) => [spec], fields: ["partitionTypeAttribute"] },
  { gate: "DRAOptionalNodeOperations", partsOf: (spec) => [spec], fields: ["skipNodeOperations"] },
];

const STATUS_FIELDS: readonly GatedFields[] = [
  { gate: "DRAConsumableCapacity", partsOf: resultsOf, fields: ["shareID", "consumedCapacity"] },
  { gate: "DRAConsumableCapacity", partsOf: (status) => objectsIn(status, "devices"), fields: ["shareID"] },
  {
    gate: "DRADeviceBindingConditions",
    partsOf: resultsOf,
    fields: ["bindingConditions", "bindingFailureConditions"],
  },
  // Only 1.34 drops it.
  {
    gate: "DRADeviceBindingConditions",
    partsOf: (status) => (since("1.35") ? [] : [objectIn(status, "allocation")]),
    fields: ["allocationTimestamp"],
  },
  { gate: "DRAOptionalNodeOperations", partsOf: resultsOf, fields: ["skipNodeOperations"] },
];

/** Removes what a claim asks for by features that are off, and that it did not use before. */
export function dropDisabledRequests(spec: Part, former: Part): void {
  dropDisabled(REQUEST_FIELDS, spec, former);
}

/** Removes fields of a ResourceSlice of features that are off, and that it did not use before. */
export function dropDisabledDeviceFields(slice: ApiObject, old: ApiObject | undefined): void {
  dropDisabled(SLICE_FIELDS, objectIn(slice, "spec"), objectIn(old, "spec"));
}

/** Removes fields of the status of a claim of features that are off, and that it did not use before. */
export function dropDisabledResults(status: Part, former: Part): void {
  dropDisabled(STATUS_FIELDS, status, former);
}

/** Removes the name of the extended resource of a class, where that feature is off. */
export function dropExtendedResource(deviceClass: ApiObject, old: ApiObject | undefined): void {
  const isUsed = objectIn(old, "spec")?.["extendedResourceName"] !== undefined;
  if (!isEnabled("DRAExtendedResource") && !isUsed) delete objectIn(deviceClass, "spec")?.["extendedResourceName"];
}

function dropDisabled(all: readonly GatedFields[], object: Part, former: Part): void {
  for (const { gate, partsOf, fields } of all) {
    if (isEnabled(gate) || usesGate(all, gate, former)) continue;
    for (const part of partsOf(object)) for (const field of fields) delete part?.[field];
  }
}

function usesGate(all: readonly GatedFields[], gate: GateName, object: Part): boolean {
  return all.some(
    (gated) =>
      gated.gate === gate &&
      gated.partsOf(object).some((part) => gated.fields.some((field) => part?.[field] !== undefined)),
  );
}
