import { type FieldError, forbiddenField, invalidField } from "@kubescaffold/k8s";

import { childPath, keyPath } from "../field-path.ts";
import { additionalSchemaOf, itemsOf, propertyOf, type JsonSchema } from "../json-schema.ts";
import { compilePattern } from "../regexp.ts";
import { isSet } from "./set-values.ts";

/** Where a schema with combinations stands, and which of its combinations may spell out int-or-string. */
export interface CombinationPlace {
  readonly path: string;
  readonly allowsTypesIn: "anyOf" | "allOf" | "anyOf and allOf" | "nowhere";
}

/** Checks that combinations say nothing about structure, and that patterns compile. */
export function checkCombinationInvariants(
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
