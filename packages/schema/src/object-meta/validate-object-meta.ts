import {
  compareStrings,
  dns1123LabelErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  isGoPrintable,
  type JSONValue,
  labelValueErrors,
  parseApiVersion,
  qualifiedNameErrors,
  requiredField,
  tooLongField,
  unsupportedField,
} from "@kubescaffold/k8s";

import { isJsonList, isJsonObject, memberOf, type JsonObject } from "../json/json-value.ts";
import { childPath, keyPath } from "../model/field-path.ts";

/** Returns the errors of a name, or of the prefix of a generated name. */
export type NameRule = (name: string, isPrefix: boolean) => readonly string[];

/** Options for the validation of metadata. */
export interface ObjectMetaRules {
  /** The path of the metadata in messages. */
  readonly path: string;
  /** Whether the kind is namespaced. */
  readonly isNamespaced: boolean;
  /** Checks the name. */
  readonly nameRule: NameRule;
  /** The words of errors of owner references and managed fields. Default: those of servers up to 1.36. */
  readonly wording?: MetaWording;
}

/** The words of errors of metadata: `indexed` ones, of servers since 1.37, name the item of a list, and tell a missing value from an invalid one. */
export type MetaWording = "general" | "indexed";

/** Validates decoded metadata like kube-apiserver. */
export function validateObjectMeta(
  metadata: JsonObject,
  { path, isNamespaced, nameRule, wording = "general" }: ObjectMetaRules,
): readonly FieldError[] {
  return [
    ...checkNames(metadata, path, nameRule),
    ...checkNamespace(textOf(metadata, "namespace"), isNamespaced, childPath(path, "namespace")),
    ...checkGeneration(memberOf(metadata, "generation"), childPath(path, "generation")),
    ...checkLabels(memberOf(metadata, "labels"), childPath(path, "labels")),
    ...checkAnnotations(memberOf(metadata, "annotations"), childPath(path, "annotations")),
    ...checkOwnerReferences(memberOf(metadata, "ownerReferences"), childPath(path, "ownerReferences"), wording),
    ...checkFinalizers(memberOf(metadata, "finalizers"), childPath(path, "finalizers")),
    ...checkManagedFields(memberOf(metadata, "managedFields"), childPath(path, "managedFields"), wording),
  ];
}

/** Validates what an update of metadata may change, as kube-apiserver does besides {@link validateObjectMeta}. */
export function validateChangedMeta(
  metadata: JsonObject,
  path: string,
  wording: MetaWording = "general",
): readonly FieldError[] {
  return [
    ...checkLabels(memberOf(metadata, "labels"), childPath(path, "labels")),
    ...checkAnnotations(memberOf(metadata, "annotations"), childPath(path, "annotations")),
    ...checkOwnerReferences(memberOf(metadata, "ownerReferences"), childPath(path, "ownerReferences"), wording),
    ...checkManagedFields(memberOf(metadata, "managedFields"), childPath(path, "managedFields"), wording),
  ];
}

function textOf(object: JsonObject, name: string): string {
  const value = memberOf(object, name);
  return typeof value === "string" ? value : "";
}

function checkNames(metadata: JsonObject, path: string, nameRule: NameRule): readonly FieldError[] {
  const name = textOf(metadata, "name");
  const generateName = textOf(metadata, "generateName");
  const prefixProblems = generateName === "" ? [] : nameRule(generateName, true);
  return [
    ...prefixProblems.map((problem) => invalidField(childPath(path, "generateName"), generateName, problem)),
    ...(name === ""
      ? [requiredField(childPath(path, "name"), "name or generateName is required")]
      : nameRule(name, false).map((problem) => invalidField(childPath(path, "name"), name, problem))),
  ];
}

function checkNamespace(namespace: string, isNamespaced: boolean, path: string): readonly FieldError[] {
  if (!isNamespaced) {
    return namespace === "" ? [] : [forbiddenField(path, "not allowed on this type")];
  }
  return namespace === ""
    ? [requiredField(path, "")]
    : dns1123LabelErrors(namespace).map((problem) => invalidField(path, namespace, problem));
}

function checkGeneration(generation: JSONValue | undefined, path: string): readonly FieldError[] {
  return (typeof generation === "number" || typeof generation === "bigint") && generation < 0
    ? [invalidField(path, generation, "must be greater than or equal to 0")]
    : [];
}

function textsOf(map: JSONValue | undefined): readonly (readonly [string, string])[] {
  const entries = Object.entries(isJsonObject(map) ? map : {});
  // The order of errors does not depend on that of the text; upstream's is random.
  if (entries.length > 1) entries.sort(([left], [right]) => compareStrings(left, right));
  return entries.map(([key, value]) => [key, typeof value === "string" ? value : ""]);
}

function checkLabels(labels: JSONValue | undefined, path: string): readonly FieldError[] {
  return textsOf(labels).flatMap(([key, value]) => [
    ...qualifiedNameErrors(key).map((problem) => invalidField(path, key, problem)),
    ...labelValueErrors(value).map((problem) => invalidField(path, value, problem)),
  ]);
}

const MAX_ANNOTATIONS_BYTES = 256 * 1024;

function checkAnnotations(annotations: JSONValue | undefined, path: string): readonly FieldError[] {
  const entries = textsOf(annotations);
  const bytes = entries.reduce((total, [key, value]) => total + byteLength(key) + byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) =>
      qualifiedNameErrors(key.toLowerCase()).map((problem) => invalidField(path, key, problem)),
    ),
    ...(bytes > MAX_ANNOTATIONS_BYTES ? [tooLongField(path, MAX_ANNOTATIONS_BYTES)] : []),
  ];
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function checkOwnerReferences(
  references: JSONValue | undefined,
  path: string,
  wording: MetaWording,
): readonly FieldError[] {
  const owners = isJsonList(references) ? references.filter(isJsonObject) : [];
  const controllers = owners.filter((owner) => memberOf(owner, "controller") === true).map(ownerName);
  return [
    ...owners.flatMap((owner, index) =>
      wording === "general" ? checkOwnerReference(owner, path) : checkIndexedOwner(owner, keyPath(path, index)),
    ),
    ...controllers
      .slice(1)
      .map((controller) =>
        invalidField(
          path,
          owners.map(printedOwner),
          `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0] ?? ""} and ${controller}`,
        ),
      ),
  ];
}

const OWNER_FIELDS = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"] as const;

// Go prints the fields of a struct in the order of its declaration, and texts also where they are empty.
function printedOwner(owner: JsonObject): unknown {
  return new Map(
    OWNER_FIELDS.flatMap((name, index): [string, JSONValue][] => {
      const value = memberOf(owner, name) ?? (index < 4 ? "" : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function ownerName(owner: JsonObject): string {
  return `${textOf(owner, "kind")}/${textOf(owner, "name")}`;
}

function checkOwnerReference(owner: JsonObject, path: string): readonly FieldError[] {
  const apiVersion = textOf(owner, "apiVersion");
  const errors = ["kind", "name", "uid"]
    .filter((name) => textOf(owner, name) === "")
    .map((name) => invalidField(childPath(path, name), "", "must not be empty"));
  return [
    ...(hasVersion(apiVersion)
      ? []
      : [invalidField(childPath(path, "apiVersion"), apiVersion, "version must not be empty")]),
    ...errors,
    ...bannedOwner(owner, path),
  ];
}

function checkIndexedOwner(owner: JsonObject, path: string): readonly FieldError[] {
  const apiVersion = textOf(owner, "apiVersion");
  const required = ["apiVersion", "kind", "name", "uid"]
    .filter((name) => textOf(owner, name) === "")
    .map((name) => requiredField(childPath(path, name), "must not be empty"));
  return [
    ...required,
    ...(apiVersion === "" || hasVersion(apiVersion)
      ? []
      : [invalidField(childPath(path, "apiVersion"), apiVersion, "must be <group>/<version> or <version>")]),
    ...bannedOwner(owner, path),
  ];
}

function hasVersion(apiVersion: string): boolean {
  return parseApiVersion(apiVersion).version !== "" && apiVersion.split("/").length <= 2;
}

function bannedOwner(owner: JsonObject, path: string): readonly FieldError[] {
  const isEvent = textOf(owner, "apiVersion") === "v1" && textOf(owner, "kind") === "Event";
  return isEvent ? [invalidField(path, printedOwner(owner), "/v1, Kind=Event is disallowed from being an owner")] : [];
}

function checkFinalizers(finalizers: JSONValue | undefined, path: string): readonly FieldError[] {
  const names = isJsonList(finalizers) ? finalizers.filter((name) => typeof name === "string") : [];
  const isContradictory = names.includes("orphan") && names.includes("foregroundDeletion");
  return [
    ...names.flatMap((name) => qualifiedNameErrors(name).map((problem) => invalidField(path, name, problem))),
    ...(isContradictory
      ? [invalidField(path, names, "finalizer orphan and foregroundDeletion cannot be both set")]
      : []),
  ];
}

const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

function checkManagedFields(
  managedFields: JSONValue | undefined,
  path: string,
  wording: MetaWording,
): readonly FieldError[] {
  const entries = isJsonList(managedFields) ? managedFields.filter(isJsonObject) : [];
  return entries.flatMap((entry, index) => checkManagedFieldsEntry(entry, keyPath(path, index), wording));
}

function operationError(operation: string, path: string, wording: MetaWording): FieldError {
  if (wording === "general") return invalidField(path, operation, "must be `Apply` or `Update`");
  return operation === ""
    ? requiredField(path, "must not be empty")
    : unsupportedField(path, operation, ["Apply", "Update"]);
}

function checkManagedFieldsEntry(entry: JsonObject, path: string, wording: MetaWording): readonly FieldError[] {
  const operation = textOf(entry, "operation");
  const fieldsType = textOf(entry, "fieldsType");
  const errors: FieldError[] = [];
  if (operation !== "Apply" && operation !== "Update") {
    errors.push(operationError(operation, childPath(path, "operation"), wording));
  }
  if (fieldsType !== "" && fieldsType !== "FieldsV1") {
    errors.push(invalidField(childPath(path, "fieldsType"), fieldsType, "must be `FieldsV1`"));
  }
  errors.push(...checkFieldManager(textOf(entry, "manager"), childPath(path, "manager")));
  if (isLongerThan(textOf(entry, "subresource"), MAX_SUBRESOURCE_BYTES)) {
    errors.push(tooLongField(childPath(path, "subresource"), MAX_SUBRESOURCE_BYTES));
  }
  return errors;
}

/** Checks the name of a field manager: at most 128 bytes, all printable. */
function checkFieldManager(manager: string, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (isLongerThan(manager, MAX_MANAGER_BYTES)) {
    errors.push(tooLongField(path, MAX_MANAGER_BYTES));
  }
  if (PRINTABLE_ASCII.test(manager)) return errors;
  Array.from(manager).forEach((char, index) => {
    if (!isGoPrintable(char)) {
      errors.push(invalidField(path, manager, `invalid character U+${codePoint(char)} (at position ${String(index)})`));
    }
  });
  return errors;
}

const PRINTABLE_ASCII = /^[ -~]*$/;

// A character has three bytes at most, so that short texts need not be encoded.
function isLongerThan(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && byteLength(text) > bytes;
}

function codePoint(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
