import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  requiredField,
  tooLongField,
  tooManyField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { areDeclared, declaredNameErrors } from "../checks/declared-rules.ts";
import { checkedText } from "../checks/field-checks.ts";
import { nodeSelectorErrors } from "../pod/scheduling-errors.ts";
import { bindingConditionErrors } from "./binding-condition-errors.ts";
import { attributeNameErrors, distinctItems, keyedPath, shownItem } from "./device-names.ts";
import { deviceTaintsErrors } from "./device-taints.ts";
import { requestPolicyErrors } from "./request-policy-errors.ts";

const MOST_ENTRIES = 32;
const MOST_CONSUMED_SETS = 2;

interface DevicePlace {
  /** The specification of the slice that the device is in. */
  readonly spec: MutableJsonObject;
  /** The device of that name as it was. */
  readonly former: MutableJsonObject | undefined;
}

/** Returns what is wrong with a device of a ResourceSlice. */
export function sliceDeviceErrors(
  device: MutableJsonObject,
  at: string,
  { spec, former }: DevicePlace,
): readonly FieldError[] {
  const attributes = Object.entries(objectIn(device, "attributes") ?? {});
  const count = attributes.length + Object.keys(objectIn(device, "capacity") ?? {}).length;
  const isSame = (name: string): boolean => former !== undefined && deepEqual(former[name], device[name]);
  return [
    ...checkedText(`${at}.name`, textIn(device, "name"), dns1123LabelErrors),
    ...(count > MOST_ENTRIES
      ? [invalidField(at, count, `the total number of attributes and capacities must not exceed ${MOST_ENTRIES}`)]
      : []),
    ...attributeValueErrors(attributes, at),
    ...attributes.flatMap(([name, attribute]) => [
      ...attributeNameErrors(namePath(`${at}.attributes`, name), name),
      ...attributeErrors(attribute as MutableJsonObject, keyedPath(`${at}.attributes`, name)),
    ]),
    ...(isSame("capacity") && since("1.37") ? [] : capacityErrors(device, at)),
    ...(isSame("taints") ? [] : deviceTaintsErrors(device, at)),
    ...distinctItems({
      items: objectsIn(device, "consumesCounters"),
      at: `${at}.consumesCounters`,
      most: MOST_CONSUMED_SETS,
      keyOf: (set) => textIn(set, "counterSet"),
      keyField: "counterSet",
      shownKey: shownItem((set) => textIn(set, "counterSet")),
      errorsOf: (set, place) => counterErrors(set, place, "counterSet"),
    }),
    ...deviceNodeErrors(device, at, spec["perDeviceNodeSelection"] === true),
    ...bindingConditionErrors(device, at),
  ];
}

// Where the errors of a name of an attribute or a capacity are.
function namePath(at: string, name: string): string {
  return since("1.36") ? at : keyedPath(at, name);
}

function capacityErrors(device: MutableJsonObject, at: string): readonly FieldError[] {
  return Object.entries(objectIn(device, "capacity") ?? {}).flatMap(([name, capacity]) => [
    ...attributeNameErrors(namePath(`${at}.capacity`, name), name),
    ...requestPolicyErrors(
      capacity as MutableJsonObject,
      keyedPath(`${at}.capacity`, name),
      device["allowMultipleAllocations"] === true,
    ),
  ]);
}

const MOST_COUNTERS = 32;

/** Returns what is wrong with the counters of a set, which the field `name` names. */
export function counterErrors(set: MutableJsonObject, at: string, name: string): readonly FieldError[] {
  const counters = Object.keys(objectIn(set, "counters") ?? {});
  const field = `${at}.counters`;
  const setName = textIn(set, name);
  const names = counters.flatMap((counter) =>
    declaredNameErrors(since("1.36") ? field : `${field}[${counter}]`, counter, dns1123LabelErrors),
  );
  return [
    ...(setName === ""
      ? [requiredField(`${at}.${name}`)]
      : declaredNameErrors(`${at}.${name}`, setName, dns1123LabelErrors)),
    ...(counters.length === 0 ? [requiredField(field)] : []),
    ...(counters.length > MOST_COUNTERS ? [tooManyField(field, counters.length, MOST_COUNTERS)] : names),
  ];
}

const NODES =
  "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
const NO_NODES =
  "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

function deviceNodeErrors(device: MutableJsonObject, at: string, isSelected: boolean): readonly FieldError[] {
  const { nodeName, allNodes } = device;
  const selector = objectIn(device, "nodeSelector");
  if (!isSelected) {
    const isSet = nodeName !== undefined || selector !== undefined || allNodes !== undefined;
    return isSet ? [invalidField(at, null, NO_NODES)] : [];
  }
  const set = [
    ...(typeof nodeName === "string" && nodeName !== "" ? ["`nodeName`"] : []),
    ...(selector === undefined ? [] : ["`nodeSelector`"]),
    ...(allNodes === true ? ["`allNodes`"] : []),
  ];
  return [
    ...(nodeName === "" ? [invalidField(`${at}.nodeName`, "", "must not be empty")] : []),
    ...(typeof nodeName === "string" && nodeName !== ""
      ? checkedText(`${at}.nodeName`, nodeName, dns1123SubdomainErrors)
      : []),
    ...(selector === undefined ? [] : nodeSelectorErrors(selector, `${at}.nodeSelector`)),
    ...(allNodes === false ? [invalidField(`${at}.allNodes`, false, "must be either unset or set to true")] : []),
    ...(set.length === 0 ? [requiredField(at, NODES)] : []),
    ...(set.length > 1 ? [invalidField(at, `{${set.join(", ")}}`, NODES)] : []),
  ];
}

const MOST_VALUES = 48;
const LISTS = ["ints", "bools", "strings", "versions"] as const;

function attributeValueErrors(attributes: readonly (readonly [string, unknown])[], at: string): readonly FieldError[] {
  const count = attributes.reduce((sum, [, attribute]) => sum + valueCount(attribute as MutableJsonObject), 0);
  return count > MOST_VALUES && since("1.36")
    ? [invalidField(at, count, `the total number of attribute values must not exceed ${MOST_VALUES}`)]
    : [];
}

function valueCount(attribute: MutableJsonObject): number {
  const count = LISTS.reduce((sum, name) => sum + valuesIn(attribute, name).length, 0);
  return Math.max(1, count);
}

function valuesIn(attribute: MutableJsonObject, name: string): readonly unknown[] {
  const values = attribute[name];
  return Array.isArray(values) ? values : [];
}

const LONGEST_VALUE = 64;
const NUMBER = String.raw`(?:0|[1-9]\d*)`;
const PRERELEASE = String.raw`(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const BUILD = "[0-9a-zA-Z-]+";
const VERSION = new RegExp(
  String.raw`^${NUMBER}\.${NUMBER}\.${NUMBER}(?:-${PRERELEASE}(?:\.${PRERELEASE})*)?(?:\+${BUILD}(?:\.${BUILD})*)?$`,
  "u",
);

function attributeErrors(attribute: MutableJsonObject, at: string): readonly FieldError[] {
  const { string, version } = attribute;
  const tooLong = (name: string, value: unknown): readonly FieldError[] =>
    typeof value === "string" && Buffer.byteLength(value) > LONGEST_VALUE
      ? [tooLongField(`${at}.${name}`, LONGEST_VALUE)]
      : [];
  return [
    ...tooLong("string", string),
    ...(typeof version === "string" && !VERSION.test(version)
      ? [invalidField(`${at}.version`, version, "must be a string compatible with semver.org spec 2.0.0")]
      : []),
    ...tooLong("version", version),
    ...valueErrors(attribute, at),
  ];
}

const VALUES = ["int", "bool", "string", "version", ...LISTS];

function valueErrors(attribute: MutableJsonObject, at: string): readonly FieldError[] {
  const given = VALUES.filter((name) => attribute[name] !== undefined);
  if (given.length === 1) return [];
  if (given.length === 0 && !since("1.35")) return [requiredField(at, "exactly one value must be specified")];
  if (!areDeclared())
    return [invalidField(at, given.length === 0 ? "" : attribute, "exactly one value must be specified")];
  const names = VALUES.map((name) => `\`${name}\``).join(", ");
  return given.length === 0
    ? [invalidField(at, "", `must specify one of: ${names}`)]
    : [invalidField(at, `{${given.join(", ")}}`, `must specify exactly one of: ${names}`)];
}
