import { type FieldError, forbiddenField, invalidField, requiredField, unsupportedField } from "@kubescaffold/k8s";

import { childPath, keyPath } from "../model/field-path.ts";
import { type JsonSchema, isSchemaList } from "../model/json-schema.ts";
import { checkListKeywords } from "./list-rules.ts";
import { checkRuleForm } from "./rule-form.ts";

/** What is required beyond the rules that always hold; a CRD that broke one before may go on doing so. */
interface KeywordRequirements {
  readonly validTypes: boolean;
  readonly atomicSets: boolean;
  readonly mapKeys: boolean;
}

/** Checks the keywords of a schema and of all schemas in it. */
export function checkKeywords(
  schema: JsonSchema,
  path: string,
  requirements: KeywordRequirements,
): readonly FieldError[] {
  return checkSchema(schema, { path, requirements, isRoot: true, isInsideMeta: false });
}

interface KeywordStep {
  readonly path: string;
  readonly requirements: KeywordRequirements;
  readonly isRoot: boolean;
  readonly isInsideMeta: boolean;
  /** Says why a default is refused here; undefined where it is allowed. */
  readonly refusesDefaults?: string | undefined;
}

function checkSchema(schema: JsonSchema, step: KeywordStep): readonly FieldError[] {
  const { path, requirements } = step;
  return [
    ...checkForbiddenKeywords(schema, step),
    ...(schema.uniqueItems === true
      ? [
          forbiddenField(
            childPath(path, "uniqueItems"),
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
          ),
        ]
      : []),
    ...checkAdditionalProperties(schema, step),
    ...checkProperties(schema, step),
    ...checkNested(schema, step),
    ...(schema["x-kubernetes-preserve-unknown-fields"] === false
      ? [invalidField(childPath(path, "x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined")]
      : []),
    ...checkMapType(schema, path),
    ...checkListKeywords(schema, path, requirements),
    ...checkRuleForm(schema, path),
  ];
}

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];

function checkForbiddenKeywords(
  schema: JsonSchema,
  { path, requirements, isInsideMeta, refusesDefaults }: KeywordStep,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (key: string, isThere: boolean, detail: string): void => {
    if (isThere) {
      errors.push(forbiddenField(childPath(path, key), detail));
    }
  };
  if (requirements.validTypes && isSet(schema.type) && !TYPES.includes(schema.type ?? "")) {
    errors.push(unsupportedField(childPath(path, "type"), schema.type, TYPES));
  }
  refuse(
    "default",
    schema.default !== undefined && refusesDefaults !== undefined,
    `must not be set ${refusesDefaults ?? ""}`,
  );
  refuse("id", isSet(schema.id), "id is not supported");
  refuse("additionalItems", schema.additionalItems !== undefined, "additionalItems is not supported");
  refuse("patternProperties", isSet(schema.patternProperties), "patternProperties is not supported");
  refuse("definitions", isSet(schema.definitions), "definitions is not supported");
  refuse("dependencies", schema.dependencies !== undefined, "dependencies is not supported");
  refuse("$ref", schema.$ref !== undefined, "$ref is not supported");
  refuse("type", schema.type === "null", "type cannot be set to null, use nullable as an alternative");
  refuse(
    "items",
    isSchemaList(schema.items) && schema.items.length > 0,
    "items must be a schema object and not an array",
  );
  refuse(
    "x-kubernetes-embedded-resource",
    isInsideMeta && schema["x-kubernetes-embedded-resource"] === true,
    "must not be used inside of resource meta",
  );
  return errors;
}

function checkAdditionalProperties(schema: JsonSchema, step: KeywordStep): readonly FieldError[] {
  const { additionalProperties } = schema;
  if (additionalProperties === undefined) {
    return [];
  }
  const at = childPath(step.path, "additionalProperties");
  const isExclusive = isSet(schema.properties) && additionalProperties !== true;
  const refusesDefaults = step.isInsideMeta
    ? "inside additionalProperties applying to object metadata"
    : step.refusesDefaults;
  return [
    ...(isExclusive ? [forbiddenField(at, "additionalProperties and properties are mutual exclusive")] : []),
    ...(typeof additionalProperties === "object"
      ? checkSchema(additionalProperties, { ...step, path: at, isRoot: false, refusesDefaults })
      : []),
  ];
}

const META_MEMBERS: ReadonlySet<string> = new Set(["metadata", "kind", "apiVersion"]);

function checkProperties(schema: JsonSchema, step: KeywordStep): readonly FieldError[] {
  const isResource = step.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const isMeta = isResource && META_MEMBERS.has(name);
    return checkSchema(property, {
      ...step,
      path: keyPath(childPath(step.path, "properties"), name),
      isRoot: false,
      isInsideMeta: step.isInsideMeta || isMeta,
      refusesDefaults: isMeta && step.isRoot ? `in top-level ${name}` : step.refusesDefaults,
    });
  });
}

function checkNested(schema: JsonSchema, step: KeywordStep): readonly FieldError[] {
  const { path } = step;
  const visit = (child: JsonSchema, at: string): readonly FieldError[] =>
    checkSchema(child, { ...step, path: at, isRoot: false });
  const listed = (key: "allOf" | "oneOf" | "anyOf"): readonly FieldError[] =>
    (schema[key] ?? []).flatMap((child, index) => visit(child, keyPath(childPath(path, key), index)));
  const { items } = schema;
  const itemSchemas = isSchemaList(items)
    ? items.flatMap((child, index) => visit(child, keyPath(childPath(path, "items"), index)))
    : items === undefined
      ? []
      : visit(items, childPath(path, "items"));
  return [
    ...(schema.not === undefined ? [] : visit(schema.not, childPath(path, "not"))),
    ...listed("allOf"),
    ...listed("oneOf"),
    ...listed("anyOf"),
    ...Object.entries(schema.definitions ?? {}).flatMap(([name, child]) =>
      visit(child, keyPath(childPath(path, "definitions"), name)),
    ),
    ...itemSchemas,
    ...Object.entries(schema.dependencies ?? {}).flatMap(([name, child]) =>
      isDependencyList(child) ? [] : visit(child, keyPath(childPath(path, "dependencies"), name)),
    ),
  ];
}

function isDependencyList(dependency: JsonSchema | readonly string[]): dependency is readonly string[] {
  return Array.isArray(dependency);
}

function checkMapType(schema: JsonSchema, path: string): readonly FieldError[] {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) {
    return [];
  }
  const detail = "must be object if x-kubernetes-map-type is specified";
  const at = childPath(path, "type");
  const type = schema.type ?? "";
  return [
    ...(type === "object" ? [] : [type === "" ? requiredField(at, detail) : invalidField(at, type, detail)]),
    ...(mapType === "atomic" || mapType === "granular"
      ? []
      : [unsupportedField(childPath(path, "x-kubernetes-map-type"), mapType, ["atomic", "granular"])]),
  ];
}

/** Reports whether a keyword has a value that is not the empty one of its Go type. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") {
    return false;
  }
  return typeof value !== "object" || Object.keys(value).length > 0;
}
