import { compareQuantities, type FieldError, forbiddenField, invalidField } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn } from "../../../fields.ts";

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const CHANGED =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** Returns what is wrong with the changes of a claim. */
export function claimChangeErrors(claim: ApiObject, old: ApiObject): readonly FieldError[] {
  const [spec, before] = [objectIn(claim, "spec") ?? {}, objectIn(old, "spec") ?? {}];
  const isBound = textIn(objectIn(claim, "status"), "phase") === "Bound";
  const open = [
    ...(textIn(before, "volumeName") === "" ? ["volumeName"] : []),
    ...(isClassAssigned(claim, old) ? ["storageClassName"] : []),
    ...(isBound ? ["volumeAttributesClassName"] : []),
  ];
  const isSame = deepEqual(fixedPart(spec, open, isBound), fixedPart(before, open, isBound));
  return [
    ...annotationErrors(claim, old),
    ...(isSame ? [] : [forbiddenField("spec", CHANGED)]),
    ...sizeErrors(spec, before, objectIn(old, "status")),
    ...(spec["volumeMode"] === before["volumeMode"]
      ? []
      : [invalidField("volumeMode", spec["volumeMode"] ?? null, "field is immutable")]),
    ...attributesErrors(spec, before, objectIn(old, "status")),
  ];
}

// A claim without a class may get the default one, or that of its annotation.
function isClassAssigned(claim: ApiObject, old: ApiObject): boolean {
  const [name, former] = [claim, old].map((each) => objectIn(each, "spec")?.["storageClassName"]);
  const annotation = old.metadata.annotations?.[CLASS_ANNOTATION];
  return name !== undefined && former === undefined && (annotation === undefined || annotation === name);
}

function annotationErrors(claim: ApiObject, old: ApiObject): readonly FieldError[] {
  const [after, before] = [claim, old].map((each) => each.metadata.annotations?.[CLASS_ANNOTATION] ?? "");
  const isMoved = before !== "" && after === "" && isClassAssigned(claim, old);
  return after === before || isMoved
    ? []
    : [invalidField(`metadata.annotations.${CLASS_ANNOTATION}`, after, "field is immutable")];
}

function fixedPart(spec: MutableJsonObject, open: readonly string[], isBound: boolean): unknown {
  const entries = Object.entries(spec).filter(([name]) => !open.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => (name === "resources" && isBound ? [name, withoutStorage(value)] : [name, value])),
  );
}

function withoutStorage(resources: unknown): unknown {
  const { requests, ...others } = resources as MutableJsonObject;
  // Upstream puts the former storage into the requests, where there are any.
  if (requests === undefined || requests === null) return resources;
  const { storage: _storage, ...rest } = requests as MutableJsonObject;
  return { ...others, requests: rest };
}

function sizeErrors(
  spec: MutableJsonObject,
  before: MutableJsonObject,
  status: MutableJsonObject | undefined,
): readonly FieldError[] {
  const sizeOf = (each: MutableJsonObject): string =>
    textIn(objectIn(objectIn(each, "resources"), "requests"), "storage") || "0";
  const [size, former] = [sizeOf(spec), sizeOf(before)];
  const actual = textIn(objectIn(status, "capacity"), "storage") || "0";
  const isTooSmall = compareQuantities(size, former) < 0 && compareQuantities(size, actual) <= 0;
  return isTooSmall
    ? [forbiddenField("spec.resources.requests.storage", "field can not be less than status.capacity")]
    : [];
}

function attributesErrors(
  spec: MutableJsonObject,
  before: MutableJsonObject,
  status: MutableJsonObject | undefined,
): readonly FieldError[] {
  const [name, former] = [spec["volumeAttributesClassName"], before["volumeAttributesClassName"]];
  if (name === former || status?.["currentVolumeAttributesClassName"] === undefined) return [];
  const value = name === undefined ? "nil" : name === "" ? "empty string" : "";
  const detail = `update to ${value} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return value === "" ? [] : [forbiddenField("spec.volumeAttributesClassName", detail)];
}
