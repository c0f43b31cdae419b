import { deepEqual } from "@kubescaffold/schema/values";

import { since } from "../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, objectsIn, setAbsent, setEmpty, textIn } from "../../fields.ts";
import { nextGeneration } from "../../object-meta.ts";
import { loadExpressionEngine } from "../../rule-engine.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { allocatedKeys, claimSpecOf, deviceKey, exactRequestsOf } from "./devices/claim-parts.ts";
import {
  dropDisabledDeviceFields,
  dropDisabledRequests,
  dropDisabledResults,
  dropExtendedResource,
} from "./devices/gated-device-fields.ts";

/** Rules of ResourceClaims beyond their schema: what they ask for never changes. */
export const resourceClaimRules: BuiltInRules = {
  keepsMetadataForStatus: true,
  setDefaults: (claim) => setClaimDefaults(ensureObject(claim, "spec")),
  complete: (claim) => {
    completeDevices(objectIn(claim, "spec"));
    for (const device of objectsIn(objectIn(claim, "status"), "devices")) setAbsent(device, { conditions: null });
  },
  prepareForCreate: (claim) => dropDisabledRequests(objectIn(claim, "spec"), undefined),
  prepareForUpdate: (claim, old, { subresource }) => {
    if (subresource === "status") prepareClaimStatus(claim, old);
    else dropDisabledRequests(objectIn(claim, "spec"), undefined);
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
  prepareForCreate: (template) => dropDisabledRequests(claimSpecOf(template), undefined),
  prepareForUpdate: (template, old) => dropDisabledRequests(claimSpecOf(template), claimSpecOf(old)),
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
  prepareForCreate: (deviceClass) => dropExtendedResource(deviceClass, undefined),
  prepareForUpdate: (deviceClass, old) => dropExtendedResource(deviceClass, old),
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
  // A list without values is printed.
  complete: (slice) => {
    if (!since("1.35")) setAbsent(ensureObject(slice, "spec"), { devices: null });
  },
  selectableFields: {
    "spec.nodeName": (slice) => textIn(objectIn(slice, "spec"), "nodeName"),
    "spec.driver": (slice) => textIn(objectIn(slice, "spec"), "driver"),
  },
  // Quantities that are not pointers are printed.
  setDefaults: (slice) => {
    for (const amounts of amountsOf(objectIn(slice, "spec")))
      for (const name of Object.keys(amounts ?? {})) setAbsent(objectIn(amounts, name), { value: "0" });
  },
  prepareForCreate: (slice, { now }) => {
    setTimeAdded(slice, now);
    dropDisabledDeviceFields(slice, undefined);
  },
  prepareForUpdate: (slice, old, { now }) => {
    setTimeAdded(slice, now);
    // Fields that are dropped count.
    if (!deepEqual(slice["spec"] ?? {}, old["spec"] ?? {})) slice.metadata.generation = nextGeneration(old);
    dropDisabledDeviceFields(slice, old);
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { resourceSliceChecks } = await import("./devices/device-checks.ts");
    return resourceSliceChecks;
  },
};

/** Rules of DeviceTaintRules beyond their schema: a taint states since when it has its effect. */
export const deviceTaintRuleRules: BuiltInRules = {
  allowsUnconditionalUpdate: false,
  keepsMetadataForStatus: true,
  generationFields: ["spec"],
  prepareForCreate: (rule, { now }) => setAbsent(ensureObject(ensureObject(rule, "spec"), "taint"), { timeAdded: now }),
  prepareForUpdate: (rule, old, { now, subresource }) => {
    if (subresource === "status") return;
    const taint = ensureObject(ensureObject(rule, "spec"), "taint");
    setAbsent(taint, { timeAdded: now });
    const former = objectIn(objectIn(old, "spec"), "taint");
    const isMoved = textIn(taint, "effect") !== textIn(former, "effect");
    if (isMoved && taint["timeAdded"] === former?.["timeAdded"]) taint["timeAdded"] = now;
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { deviceTaintRuleChecks } = await import("./devices/device-taint-rule-errors.ts");
    return deviceTaintRuleChecks;
  },
};

// The capacities and counters of a slice, by their names.
function amountsOf(spec: MutableJsonObject | undefined): readonly (MutableJsonObject | undefined)[] {
  const devices = objectsIn(spec, "devices");
  const counterSets = [
    ...objectsIn(spec, "sharedCounters"),
    ...devices.flatMap((device) => objectsIn(device, "consumesCounters")),
  ];
  return [
    ...devices.map((device) => objectIn(device, "capacity")),
    ...counterSets.map((set) => objectIn(set, "counters")),
  ];
}

function setTimeAdded(slice: ApiObject, now: string): void {
  for (const device of objectsIn(objectIn(slice, "spec"), "devices"))
    for (const taint of objectsIn(device, "taints")) setAbsent(taint, { timeAdded: now });
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

// The status of a device ends with its allocation.
function prepareClaimStatus(claim: ApiObject, old: ApiObject): void {
  const status = objectIn(claim, "status");
  const allocation = objectIn(status, "allocation");
  dropDisabledResults(status, objectIn(old, "status"));
  const former = allocatedKeys(objectIn(objectIn(old, "status"), "allocation"));
  const current = allocatedKeys(allocation);
  const kept = objectsIn(status, "devices").filter(
    (device) => !former.has(deviceKey(device)) || current.has(deviceKey(device)),
  );
  if (status === undefined) return;
  if (kept.length === 0) delete status["devices"];
  else status["devices"] = kept;
}
