import { dns1123SubdomainErrors, type FieldError, invalidField, requiredField } from "@kubescaffold/k8s";

import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, objectIn, objectsIn, statesEmpty, textIn } from "../../../fields.ts";
import { checkedText } from "../checks/field-checks.ts";
import { nodeSelectorErrors } from "../pod/scheduling-errors.ts";
import { driverNameErrors } from "../pod/storage-source-errors.ts";
import { distinctItems, poolNameErrors, shownItem } from "./device-names.ts";
import { counterErrors, sliceDeviceErrors } from "./slice-device-errors.ts";

const MOST_DEVICES = 128;
const MOST_ADVANCED_DEVICES = 64;
const MOST_COUNTER_SETS = 8;

/** Returns what is wrong with a ResourceSlice. */
export function resourceSliceErrors(slice: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(slice, "spec") ?? {};
  return [
    ...driverNameErrors("spec.driver", textIn(spec, "driver")),
    ...poolErrors(objectIn(spec, "pool") ?? {}),
    ...(old === undefined ? [] : immutableErrors(spec, objectIn(old, "spec") ?? {})),
    ...nodeErrors(spec),
    ...(["sharedCounters", "devices"].every((field) => isStated(slice, spec, field)) && since("1.35")
      ? [invalidField("spec", "", "only one of `sharedCounters` or `devices` is allowed")]
      : []),
    ...distinctItems({
      items: objectsIn(spec, "devices"),
      at: "spec.devices",
      most: objectsIn(spec, "devices").some(isAdvanced) ? MOST_ADVANCED_DEVICES : MOST_DEVICES,
      keyOf: (device) => textIn(device, "name"),
      keyField: "name",
      errorsOf: (device, place) => sliceDeviceErrors(device, place, { spec, former: formerDevice(device, old) }),
    }),
    ...distinctItems({
      items: objectsIn(spec, "sharedCounters"),
      at: "spec.sharedCounters",
      most: MOST_COUNTER_SETS,
      keyOf: (set) => textIn(set, "name"),
      keyField: "name",
      shownKey: shownItem((set) => textIn(set, "name")),
      errorsOf: (set, place) => counterErrors(set, place, "name"),
    }),
  ];
}

// An empty list counts, too, unless the server drops the counters.
function isStated(slice: ApiObject, spec: MutableJsonObject, field: string): boolean {
  return spec[field] !== undefined || (isEnabled("DRAPartitionableDevices") && statesEmpty(slice, `spec.${field}`));
}

function isAdvanced(device: MutableJsonObject): boolean {
  return objectsIn(device, "taints").length > 0 || objectsIn(device, "consumesCounters").length > 0;
}

function formerDevice(device: MutableJsonObject, old: ApiObject | undefined): MutableJsonObject | undefined {
  const devices = objectsIn(objectIn(old, "spec"), "devices");
  return devices.find((former) => textIn(former, "name") === textIn(device, "name"));
}

function poolErrors(pool: MutableJsonObject): readonly FieldError[] {
  const [count, generation] = [integerIn(pool, "resourceSliceCount") ?? 0, integerIn(pool, "generation") ?? 0];
  return [
    ...poolNameErrors("spec.pool.name", textIn(pool, "name")),
    ...(count > 0 ? [] : [invalidField("spec.pool.resourceSliceCount", count, "must be greater than zero")]),
    ...(generation < 0
      ? [invalidField("spec.pool.generation", generation, "must be greater than or equal to zero")]
      : []),
  ];
}

function immutableErrors(spec: MutableJsonObject, before: MutableJsonObject): readonly FieldError[] {
  const places: readonly (readonly [string, unknown, unknown])[] = [
    ["spec.pool.name", textIn(objectIn(spec, "pool"), "name"), textIn(objectIn(before, "pool"), "name")],
    ["spec.driver", textIn(spec, "driver"), textIn(before, "driver")],
    ["spec.nodeName", spec["nodeName"] ?? null, before["nodeName"] ?? null],
  ];
  return places
    .filter(([, value, former]) => value !== former)
    .map(([field, value]) => invalidField(field, value, "field is immutable"));
}

const ONE_OF = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

function nodeErrors(spec: MutableJsonObject): readonly FieldError[] {
  const { nodeName, allNodes, perDeviceNodeSelection } = spec;
  const selector = objectIn(spec, "nodeSelector");
  const set = [
    ...(typeof nodeName === "string" && nodeName !== "" ? ["`nodeName`"] : []),
    ...(selector === undefined ? [] : ["`nodeSelector`"]),
    ...(allNodes === true ? ["`allNodes`"] : []),
    ...(perDeviceNodeSelection === true ? ["`perDeviceNodeSelection`"] : []),
  ];
  return [
    ...(typeof nodeName === "string" ? nodeNameErrors(nodeName) : []),
    ...(selector === undefined ? [] : selectorErrors(selector)),
    ...["allNodes", "perDeviceNodeSelection"]
      .filter((name) => spec[name] === false)
      .map((name) => invalidField(`spec.${name}`, false, "must be either unset or set to true")),
    ...(set.length === 0 ? [requiredField("spec", ONE_OF)] : []),
    ...(set.length > 1 ? [invalidField("spec", `{${set.join(", ")}}`, `${ONE_OF}, but multiple fields are set`)] : []),
  ];
}

function nodeNameErrors(name: string): readonly FieldError[] {
  return name === ""
    ? [invalidField("spec.nodeName", name, "must be either unset or set to a non-empty string")]
    : checkedText("spec.nodeName", name, dns1123SubdomainErrors);
}

function selectorErrors(selector: MutableJsonObject): readonly FieldError[] {
  const terms = objectsIn(selector, "nodeSelectorTerms");
  const field = "spec.nodeSelector.nodeSelectorTerms";
  return [
    ...nodeSelectorErrors(selector, "spec.nodeSelector"),
    ...(terms.length === 1 ? [] : [invalidField(field, terms, "must have exactly one node selector term")]),
  ];
}
