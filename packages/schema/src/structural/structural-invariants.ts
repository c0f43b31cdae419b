import { type FieldError, forbiddenField, invalidField, requiredField } from "@kubescaffold/k8s";

import { childPath, keyPath } from "../field-path.ts";
import { additionalSchemaOf, itemsOf, propertyOf, type JsonSchema } from "../json-schema.ts";
import { deepEqual } from "../json/deep-equal.ts";
import { checkCombinationInvariants } from "./combination-invariants.ts";
import { isSet } from "./set-values.ts";

/** Says where a schema stands: rules differ at the root, for items and for members. */
export type SchemaLevel = "root" | "item" | "field";

/** Checks what must hold of a schema itself for it to be structural. */
export function checkInvariants(schema: JsonSchema, level: SchemaLevel, path: string): readonly FieldError[] {
  const items = itemsOf(schema);
  const additional = additionalSchemaOf(schema);
  return [
    ...(schema.type === "array" && items === undefined
      ? [requiredField(childPath(path, "items"), "must be specified")]
      : []),
    ...(items === undefined ? [] : checkInvariants(items, "item", childPath(path, "items"))),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      checkInvariants(property, "field", keyPath(childPath(path, "properties"), name)),
    ),
    ...(schema.additionalProperties !== undefined && level === "root"
      ? [forbiddenField(childPath(path, "additionalProperties"), "must not be used at the root")]
      : []),
    ...(additional === undefined ? [] : checkInvariants(additional, "field", childPath(path, "additionalProperties"))),
    ...checkExtensions(schema, path),
    ...checkCombinationInvariants(schema, {
      path,
      allowsTypesIn: allowedTypes(schema),
    }),
    ...checkTypeOf(schema, level, path),
    ...checkMetaMembers(schema, level, path),
    ...checkEmbeddedMembers(schema, path),
  ];
}

const INT_OR_STRING = [{ type: "integer" }, { type: "string" }];

// Types inside combinations are allowed in one of two places, where they spell out int-or-string.
function allowedTypes(schema: JsonSchema): "anyOf" | "allOf" | "anyOf and allOf" | "nowhere" {
  const inAnyOf = deepEqual(schema.anyOf, INT_OR_STRING);
  const inAllOf = deepEqual(schema.allOf?.[0]?.anyOf, INT_OR_STRING);
  if (inAnyOf) {
    return inAllOf ? "anyOf and allOf" : "anyOf";
  }
  return inAllOf ? "allOf" : "nowhere";
}

function checkExtensions(schema: JsonSchema, path: string): readonly FieldError[] {
  if (schema["x-kubernetes-int-or-string"] !== true) {
    return [];
  }
  return (["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const)
    .filter((name) => schema[name] === true)
    .map((name) => invalidField(childPath(path, name), true, "must be false if x-kubernetes-int-or-string is true"));
}

const EMPTY_TYPE: Readonly<Record<SchemaLevel, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function checkTypeOf(schema: JsonSchema, level: SchemaLevel, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = schema.type ?? "";
  const at = childPath(path, "type");
  if (schema["x-kubernetes-embedded-resource"] === true && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? requiredField(at, detail) : invalidField(at, type, detail));
  } else if (
    type === "" &&
    schema["x-kubernetes-int-or-string"] !== true &&
    schema["x-kubernetes-preserve-unknown-fields"] !== true
  ) {
    errors.push(requiredField(at, EMPTY_TYPE[level]));
  }
  if (schema["x-kubernetes-embedded-resource"] === true && schema.additionalProperties !== undefined) {
    errors.push(
      forbiddenField(
        childPath(path, "additionalProperties"),
        "must not be used if x-kubernetes-embedded-resource is set",
      ),
    );
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalidField(at, type, "must be object at the root"));
  }
  return errors;
}

function checkMetaMembers(schema: JsonSchema, level: SchemaLevel, path: string): readonly FieldError[] {
  const isResource = level === "root" || schema["x-kubernetes-embedded-resource"] === true;
  const at = (name: string): string => keyPath(childPath(path, "properties"), name);
  const errors: FieldError[] = [];
  for (const name of ["kind", "apiVersion"]) {
    const property = propertyOf(schema, name);
    if (isResource && property !== undefined && property.type !== "string") {
      errors.push(invalidField(childPath(at(name), "type"), property.type ?? "", "must be string"));
    }
  }
  const metadata = propertyOf(schema, "metadata");
  if (metadata !== undefined && isResource && metadata.type !== "object") {
    errors.push(invalidField(childPath(at("metadata"), "type"), metadata.type ?? "", "must be object"));
  }
  if (metadata !== undefined && level === "root" && restrictsMetadata(metadata)) {
    const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
    errors.push(forbiddenField(at("metadata"), detail));
  }
  return errors;
}

const IGNORED_IN_METADATA: ReadonlySet<string> = new Set(["type", "default", "example", "externalDocs"]);

function restrictsMetadata(metadata: JsonSchema): boolean {
  const names = Object.keys(metadata.properties ?? {});
  const hasNamesOnly = names.every((name) => name === "name" || name === "generateName");
  return Object.entries(metadata).some(
    ([key, value]) => !IGNORED_IN_METADATA.has(key) && !(key === "properties" && hasNamesOnly) && isSet(value),
  );
}

function checkEmbeddedMembers(schema: JsonSchema, path: string): readonly FieldError[] {
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  return schema["x-kubernetes-embedded-resource"] === true &&
    schema["x-kubernetes-preserve-unknown-fields"] !== true &&
    isEmpty
    ? [
        requiredField(
          childPath(path, "properties"),
          "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
        ),
      ]
    : [];
}
