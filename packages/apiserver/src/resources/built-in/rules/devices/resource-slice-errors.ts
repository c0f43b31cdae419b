import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  requiredField,
  tooLongField,
} from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { checkedText } from "../checks/field-checks.ts";
import { nodeSelectorErrors } from "../pod/scheduling-errors.ts";
import { driverNameErrors } from "../pod/storage-source-errors.ts";
import { attributeNameErrors, distinctItems, keyedPath, poolNameErrors } from "./device-names.ts";

const MOST_DEVICES = 128;

/** Returns what is wrong with a ResourceSlice. */
export function resourceSliceErrors(slice: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(slice, "spec") ?? {};
  return [
    ...driverNameErrors("spec.driver", textIn(spec, "driver")),
    ...poolErrors(objectIn(spec, "pool") ?? {}),
    ...(old === undefined ? [] : immutableErrors(spec, objectIn(old, "spec") ?? {})),
    ...nodeErrors(spec),
    ...distinctItems({
      items: objectsIn(spec, "devices"),
      at: "spec.devices",
      most: MOST_DEVICES,
      keyOf: (device) => textIn(device, "name"),
      errorsOf: deviceErrors,
    }),
  ];
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
  const { nodeName, allNodes } = spec;
  const selector = objectIn(spec, "nodeSelector");
  const set = [
    ...(typeof nodeName === "string" && nodeName !== "" ? ["`nodeName`"] : []),
    ...(selector === undefined ? [] : ["`nodeSelector`"]),
    ...(allNodes === true ? ["`allNodes`"] : []),
  ];
  return [
    ...(typeof nodeName === "string" ? nodeNameErrors(nodeName) : []),
    ...(selector === undefined ? [] : selectorErrors(selector)),
    ...(allNodes === false ? [invalidField("spec.allNodes", false, "must be either unset or set to true")] : []),
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

const MOST_ENTRIES = 32;

function deviceErrors(device: MutableJsonObject, at: string): readonly FieldError[] {
  const attributes = Object.entries(objectIn(device, "attributes") ?? {});
  const capacities = Object.entries(objectIn(device, "capacity") ?? {});
  const count = attributes.length + capacities.length;
  return [
    ...checkedText(`${at}.name`, textIn(device, "name"), dns1123LabelErrors),
    ...(count > MOST_ENTRIES
      ? [invalidField(at, count, `the total number of attributes and capacities must not exceed ${MOST_ENTRIES}`)]
      : []),
    ...attributes.flatMap(([name, attribute]) => {
      const place = keyedPath(`${at}.attributes`, name);
      return [...attributeNameErrors(place, name), ...attributeErrors(attribute as MutableJsonObject, place)];
    }),
    ...capacities.flatMap(([name]) => attributeNameErrors(keyedPath(`${at}.capacity`, name), name)),
  ];
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
  const values = ["bool", "int", "string", "version"].filter((name) => attribute[name] !== undefined);
  const tooLong = (name: string, value: unknown): readonly FieldError[] =>
    typeof value === "string" && Buffer.byteLength(value) > LONGEST_VALUE
      ? [tooLongField(`${at}.${name}`, LONGEST_VALUE)]
      : [];
  const problem = "exactly one value must be specified";
  return [
    ...tooLong("string", string),
    ...(typeof version === "string" && !VERSION.test(version)
      ? [invalidField(`${at}.version`, version, "must be a string compatible with semver.org spec 2.0.0")]
      : []),
    ...tooLong("version", version),
    ...(values.length === 0 ? [invalidField(at, "", problem)] : []),
    ...(values.length > 1 ? [invalidField(at, attribute, problem)] : []),
  ];
}
