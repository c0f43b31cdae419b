import { type FieldError, forbiddenField, invalidField, requiredField } from "@kubescaffold/k8s";

import { deepEqual } from "../json/deep-equal.ts";
import { childPath, keyPath } from "../model/field-path.ts";
import { type JsonSchema, additionalSchemaOf, itemsOf, propertyOf } from "../model/json-schema.ts";
import { compilePattern } from "../text/regexp.ts";
import { isSet } from "./keyword-rules.ts";

/** Reports where a schema stands: rules differ at the root, for items and for members. */
type SchemaLevel = "root" | "item" | "field";

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

/** Where a schema with combinations stands, and which of its combinations may spell out int-or-string. */
interface CombinationPlace {
  readonly path: string;
  readonly allowsTypesIn: "anyOf" | "allOf" | "anyOf and allOf" | "nowhere";
}

/** Checks that combinations say nothing about structure, and that patterns compile. */
function checkCombinationInvariants(
  schema: JsonSchema,
  { path, allowsTypesIn }: CombinationPlace,
): readonly FieldError[] {
  const inAnyOf = allowsTypesIn === "anyOf" || allowsTypesIn === "anyOf and allOf";
  const inAllOf = allowsTypesIn === "allOf" || allowsTypesIn === "anyOf and allOf";
  return [
    ...(inAnyOf ? [] : branches("anyOf", schema, path)),
    ...(schema.allOf ?? []).flatMap((branch, index) =>
      checkBranch(branch, {
        path: keyPath(childPath(path, "allOf"), index),
        allowsTypesIn: inAllOf && index === 0 ? "anyOf" : "nowhere",
      }),
    ),
    ...branches("oneOf", schema, path),
    ...(schema.not === undefined
      ? []
      : checkBranch(schema.not, { path: childPath(path, "not"), allowsTypesIn: "nowhere" })),
    ...checkPattern(schema.pattern, path),
  ];
}

function branches(key: "anyOf" | "oneOf", schema: JsonSchema, path: string): readonly FieldError[] {
  return (schema[key] ?? []).flatMap((branch, index) =>
    checkBranch(branch, { path: keyPath(childPath(path, key), index), allowsTypesIn: "nowhere" }),
  );
}

function checkPattern(pattern: string | undefined, path: string): readonly FieldError[] {
  const compiled = pattern === undefined || pattern === "" ? undefined : compilePattern(pattern);
  return compiled?.kind === "invalid"
    ? [
        invalidField(
          childPath(path, "pattern"),
          pattern,
          `must be a valid regular expression, but isn't: ${compiled.reason}`,
        ),
      ]
    : [];
}

const STRUCTURAL_KEYWORDS: readonly (readonly [keyof JsonSchema, string])[] = [
  ["type", "must be empty to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function checkBranch(schema: JsonSchema, place: CombinationPlace): readonly FieldError[] {
  const { path } = place;
  const items = itemsOf(schema);
  const at = (name: string): string => keyPath(childPath(path, "properties"), name);
  return [
    ...checkCombinationInvariants(schema, place),
    ...(items === undefined ? [] : checkBranch(items, { path: childPath(path, "items"), allowsTypesIn: "nowhere" })),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      checkBranch(property, { path: at(name), allowsTypesIn: "nowhere" }),
    ),
    ...(additionalSchemaOf(schema) === undefined && schema.additionalProperties !== true
      ? []
      : [forbiddenField(childPath(path, "additionalProperties"), "must be undefined to be structural")]),
    ...STRUCTURAL_KEYWORDS.filter(([key]) => isKeywordSet(key, schema[key])).map(([key, detail]) =>
      forbiddenField(childPath(path, key), detail),
    ),
    ...(propertyOf(schema, "metadata") === undefined
      ? []
      : [forbiddenField(at("metadata"), "must not be specified in a nested context")]),
  ];
}

function isKeywordSet(key: keyof JsonSchema, value: unknown): boolean {
  const isPointer = key === "default" || key === "x-kubernetes-list-type" || key === "x-kubernetes-map-type";
  return isPointer ? value !== undefined && value !== null : isSet(value);
}
