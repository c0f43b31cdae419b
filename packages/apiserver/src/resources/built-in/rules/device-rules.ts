import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, objectsIn, setAbsent, setEmpty, textIn } from "../../fields.ts";
import { nextGeneration } from "../../object-meta.ts";
import { loadExpressionEngine } from "../../rule-engine.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { allocatedKeys, claimSpecOf, deviceKey, requestsOf } from "./devices/claim-parts.ts";

/** Rules of ResourceClaims beyond their schema: what they ask for never changes. */
export const resourceClaimRules: BuiltInRules = {
  keepsMetadataForStatus: true,
  setDefaults: (claim) => setClaimDefaults(ensureObject(claim, "spec")),
  complete: (claim) => {
    completeDevices(objectIn(claim, "spec"));
    for (const device of objectsIn(objectIn(claim, "status"), "devices")) setAbsent(device, { conditions: null });
  },
  prepareForCreate: (claim) => dropDisabledRequests(objectIn(claim, "spec")),
  prepareForUpdate: (claim, old, { subresource }) => {
    if (subresource === "status") prepareClaimStatus(claim, old);
    else dropDisabledRequests(objectIn(claim, "spec"));
  },
  prepareChecks: (claim) => loadExpressionEngine(hasSelectors(objectIn(claim, "spec"))),
  checksEveryField: true,
  loadChecks: async () => {
    const { claimChecks } = await import("./devices/device-checks.ts");
    return claimChecks;
  },
};

/** Rules of ResourceClaimTemplates beyond their schema. */
export const resourceClaimTemplateRules: BuiltInRules = {
  setDefaults: (template) => setClaimDefaults(ensureObject(ensureObject(template, "spec"), "spec")),
  complete: (template) => completeDevices(claimSpecOf(template)),
  prepareForCreate: (template) => dropDisabledRequests(claimSpecOf(template)),
  prepareForUpdate: (template) => dropDisabledRequests(claimSpecOf(template)),
  prepareChecks: (template) => loadExpressionEngine(hasSelectors(claimSpecOf(template))),
  checksEveryField: true,
  loadChecks: async () => {
    const { claimTemplateChecks } = await import("./devices/device-checks.ts");
    return claimTemplateChecks;
  },
};

/** Rules of DeviceClasses beyond their schema. */
export const deviceClassRules: BuiltInRules = {
  nameRule: "generated-subdomain",
  generationFields: ["spec"],
  prepareForCreate: (deviceClass) => dropExtendedResource(deviceClass),
  prepareForUpdate: (deviceClass) => dropExtendedResource(deviceClass),
  prepareChecks: (deviceClass) =>
    loadExpressionEngine(objectsIn(objectIn(deviceClass, "spec"), "selectors").length > 0),
  checksEveryField: true,
  loadChecks: async () => {
    const { deviceClassChecks } = await import("./devices/device-checks.ts");
    return deviceClassChecks;
  },
};

/** Rules of ResourceSlices beyond their schema. */
export const resourceSliceRules: BuiltInRules = {
  generationFields: ["spec"],
  selectableFields: {
    "spec.nodeName": (slice) => textIn(objectIn(slice, "spec"), "nodeName"),
    "spec.driver": (slice) => textIn(objectIn(slice, "spec"), "driver"),
  },
  setDefaults: (slice) => {
    for (const device of objectsIn(objectIn(slice, "spec"), "devices")) {
      const capacity = objectIn(device, "capacity") ?? {};
      for (const name of Object.keys(capacity)) setAbsent(objectIn(capacity, name), { value: "0" });
    }
  },
  prepareForCreate: (slice) => dropDisabledDeviceFields(slice),
  prepareForUpdate: (slice, old) => {
    // Fields that are dropped count.
    if (!deepEqual(slice["spec"] ?? {}, old["spec"] ?? {})) slice.metadata.generation = nextGeneration(old);
    dropDisabledDeviceFields(slice);
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { resourceSliceChecks } = await import("./devices/device-checks.ts");
    return resourceSliceChecks;
  },
};

// What requests ask for: exactly one class of devices, or the first one available.
function exactRequestsOf(spec: MutableJsonObject | undefined): readonly MutableJsonObject[] {
  return requestsOf(spec).flatMap((request) => {
    const exactly = objectIn(request, "exactly");
    return [...(exactly === undefined ? [] : [exactly]), ...objectsIn(request, "firstAvailable")];
  });
}

function setClaimDefaults(spec: MutableJsonObject | undefined): void {
  for (const request of exactRequestsOf(spec)) {
    setEmpty(request, { allocationMode: "ExactCount" });
    if (request["allocationMode"] === "ExactCount" && (request["count"] ?? 0) === 0) request["count"] = 1;
  }
}

// A list without values is printed.
function completeDevices(spec: MutableJsonObject | undefined): void {
  if (spec !== undefined) setAbsent(ensureObject(spec, "devices"), { requests: null });
}

function hasSelectors(spec: MutableJsonObject | undefined): boolean {
  return exactRequestsOf(spec).some((request) => objectsIn(request, "selectors").length > 0);
}

// Fields of features that a 1.35 server has turned off by default.
function dropDisabledRequests(spec: MutableJsonObject | undefined): void {
  for (const request of exactRequestsOf(spec)) {
    delete request["tolerations"];
    delete request["capacity"];
  }
  for (const constraint of objectsIn(objectIn(spec, "devices"), "constraints")) delete constraint["distinctAttribute"];
}

function dropExtendedResource(deviceClass: ApiObject): void {
  delete objectIn(deviceClass, "spec")?.["extendedResourceName"];
}

const DISABLED_DEVICE_FIELDS = [
  "taints",
  "consumesCounters",
  "nodeName",
  "nodeSelector",
  "allNodes",
  "bindingConditions",
  "bindingFailureConditions",
  "bindsToNode",
  "allowMultipleAllocations",
] as const;

function dropDisabledDeviceFields(slice: ApiObject): void {
  const spec = objectIn(slice, "spec");
  delete spec?.["sharedCounters"];
  delete spec?.["perDeviceNodeSelection"];
  for (const device of objectsIn(spec, "devices")) {
    for (const name of DISABLED_DEVICE_FIELDS) delete device[name];
    const capacity = objectIn(device, "capacity") ?? {};
    for (const name of Object.keys(capacity)) delete objectIn(capacity, name)?.["requestPolicy"];
  }
}

const DISABLED_RESULT_FIELDS = [
  "shareID",
  "consumedCapacity",
  "bindingConditions",
  "bindingFailureConditions",
] as const;

// The status of a device ends with its allocation.
function prepareClaimStatus(claim: ApiObject, old: ApiObject): void {
  const status = objectIn(claim, "status");
  const allocation = objectIn(status, "allocation");
  for (const result of objectsIn(objectIn(allocation, "devices"), "results"))
    for (const name of DISABLED_RESULT_FIELDS) delete result[name];
  for (const device of objectsIn(status, "devices")) delete device["shareID"];
  const former = allocatedKeys(objectIn(objectIn(old, "status"), "allocation"));
  const current = allocatedKeys(allocation);
  const kept = objectsIn(status, "devices").filter(
    (device) => !former.has(deviceKey(device)) || current.has(deviceKey(device)),
  );
  if (status === undefined) return;
  if (kept.length === 0) delete status["devices"];
  else status["devices"] = kept;
}
