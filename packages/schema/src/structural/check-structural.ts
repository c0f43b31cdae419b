import {
  type FieldError,
  compareStrings,
  fieldErrorToString,
  forbiddenField,
  invalidField,
  requiredField,
} from "@kubescaffold/k8s";

import { childPath, keyPath } from "../model/field-path.ts";
import { type JsonSchema, isSchemaList, itemsOf, propertyOf } from "../model/json-schema.ts";
import type { MetaWording } from "../object-meta/validate-object-meta.ts";
import { checkDefaults } from "./default-rules.ts";
import { checkKeywords, isSet } from "./keyword-rules.ts";
import type { RuleChecks } from "./rule-checks.ts";
import { checkInvariants } from "./structural-invariants.ts";

/** Options for the check of a CRD schema. */
export interface StructuralOptions {
  /** The path of the schema. Default: upstream's path for CRDs whose versions have the same schema. */
  readonly path?: string;
  /** Reports that the version has the status subresource, which restricts the root. */
  readonly hasStatus?: boolean;
  /** The schemas of the CRD before an update: rules that one of them broke already are not enforced. */
  readonly previous?: readonly JsonSchema[];
  /** Reports that an update does not change the schema: a single CEL rule may then cost what it did before. */
  readonly isUnchanged?: boolean;
  /** Checks the expressions of CEL rules; without it, only the form of rules is checked. */
  readonly rules?: RuleChecks;
  /** The words of errors in the metadata of defaults. Default: those of servers up to 1.36. */
  readonly metaWording?: MetaWording;
  /** Whether the ranges of numbers are checked in defaults, as servers do since 1.36. Default: false. */
  readonly checksNumberFormats?: boolean;
  /** Whether the names in metadata have a bound by which rules cost less, as for servers since 1.37. Default: false. */
  readonly boundsNames?: boolean;
}

const DEFAULT_PATH = "spec.validation.openAPIV3Schema";

/**
 * Checks whether an API server accepts a schema in a CustomResourceDefinition, with upstream's messages.
 *
 * Guarantees: violations come in upstream's order of checks, and within one check in the order of the schema.
 */
export function checkStructural(schema: JsonSchema, options: StructuralOptions = {}): readonly FieldError[] {
  const path = options.path ?? DEFAULT_PATH;
  const previous = options.previous ?? [];
  const problem = previous.some(isNonStructural) ? undefined : unconvertible(schema);
  const checksStructure = problem === undefined && !previous.some(isNonStructural);
  const structureErrors = checksStructure ? checkStructure(schema, path, { ...options, previous }) : [];
  const keywordErrors = checkKeywords(schema, path, {
    validTypes: !previous.some((old) => breaks(old, "validTypes")),
    atomicSets: !previous.some((old) => breaks(old, "atomicSets")),
    mapKeys: !previous.some((old) => breaks(old, "mapKeys")),
  });
  const { rules } = options;
  const isUnchanged = options.isUnchanged === true;
  const errors = [
    ...(options.hasStatus === true ? checkStatusRoot(schema, path) : []),
    ...(schema.nullable === true
      ? [forbiddenField(childPath(path, "nullable"), "nullable cannot be true at the root")]
      : []),
    ...structureErrors,
    ...keywordErrors,
    ...(rules !== undefined && checksStructure && structureErrors.length === 0
      ? rules.checkExpressions(schema, {
          path,
          schemaErrors: keywordErrors,
          isUnchanged,
          boundsNames: options.boundsNames === true,
        })
      : []),
  ];
  return errors.length === 0 && problem !== undefined ? [invalidField(path, "", problem)] : errors;
}

function checkStructure(
  schema: JsonSchema,
  path: string,
  {
    previous,
    rules,
    metaWording,
    checksNumberFormats,
  }: StructuralOptions & { readonly previous: readonly JsonSchema[] },
): readonly FieldError[] {
  const violations = [...checkInvariants(schema, "root", path), ...checkCompleteness(schema, path)];
  if (violations.length > 0) {
    return violations.sort((left, right) => compareStrings(fieldErrorToString(left), fieldErrorToString(right)));
  }
  return checkDefaults(schema, path, {
    requiresPruned: !previous.some(hasUnprunedDefaults),
    rules,
    metaWording,
    checksNumberFormats,
  });
}

// Upstream cannot even read these as structural schemas; most have their own error too.
function unconvertible(schema: JsonSchema): string | undefined {
  const keyword = (
    ["id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"] as const
  ).find((name) => schema[name] !== undefined);
  if (keyword !== undefined) {
    return `OpenAPIV3Schema '${keyword === "$schema" ? "schema" : keyword}' is not supported`;
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (isSchemaList(schema.items)) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  return children(schema)
    .map(unconvertible)
    .find((problem) => problem !== undefined);
}

function children(schema: JsonSchema): readonly JsonSchema[] {
  const { items, additionalProperties, not } = schema;
  return [
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(not === undefined ? [] : [not]),
    ...(items === undefined || isSchemaList(items) ? [] : [items]),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
}

function isNonStructural(schema: JsonSchema): boolean {
  const isBroken = [...checkInvariants(schema, "root", ""), ...checkCompleteness(schema, "")].length > 0;
  return unconvertible(schema) !== undefined || isBroken;
}

function hasUnprunedDefaults(schema: JsonSchema): boolean {
  return (
    checkDefaults(schema, "", { requiresPruned: true }).length >
    checkDefaults(schema, "", { requiresPruned: false }).length
  );
}

type Requirement = "validTypes" | "atomicSets" | "mapKeys";

function breaks(schema: JsonSchema, requirement: Requirement): boolean {
  const none = { validTypes: false, atomicSets: false, mapKeys: false };
  return checkKeywords(schema, "", { ...none, [requirement]: true }).length > checkKeywords(schema, "", none).length;
}

// The keywords that may stand at the root, by the names that upstream's message gives them.
const ALLOWED = new Map([
  ["description", "Description"],
  ["type", "Type"],
  ["format", "Format"],
  ["title", "Title"],
  ["maximum", "Maximum"],
  ["exclusiveMaximum", "ExclusiveMaximum"],
  ["minimum", "Minimum"],
  ["exclusiveMinimum", "ExclusiveMinimum"],
  ["maxLength", "MaxLength"],
  ["minLength", "MinLength"],
  ["pattern", "Pattern"],
  ["maxItems", "MaxItems"],
  ["minItems", "MinItems"],
  ["uniqueItems", "UniqueItems"],
  ["multipleOf", "MultipleOf"],
  ["required", "Required"],
  ["items", "Items"],
  ["properties", "Properties"],
  ["externalDocs", "ExternalDocs"],
  ["example", "Example"],
  ["x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields"],
  ["x-kubernetes-validations", "XValidations"],
]);

/** Checks the root of a schema with the status subresource, whose objects are validated by `properties.status` alone. */
function checkStatusRoot(schema: JsonSchema, path: string): readonly FieldError[] {
  const type = schema.type ?? "";
  if (type !== "" && type !== "object") {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalidField(childPath(path, "type"), type, detail)];
  }
  const isOffending = Object.entries(schema).some(([name, value]) => isStated(name, value) && !ALLOWED.has(name));
  const names = [...ALLOWED.values()].join(" ");
  const detail = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return isOffending ? [invalidField(path, schema, detail)] : [];
}

// These are pointers upstream, so even their empty values count as set.
function isStated(name: string, value: unknown): boolean {
  return name === "default" || name === "additionalProperties" || name === "not" ? value !== undefined : isSet(value);
}

/** Checks that all that combinations talk about is specified outside of them too. */
function checkCompleteness(schema: JsonSchema, path: string): readonly FieldError[] {
  return checkCombinations(schema, { structure: schema, structurePath: path, path });
}

interface Counterpart {
  /** The schema outside of combinations that stands for the same value. */
  readonly structure: JsonSchema;
  readonly structurePath: string;
  readonly path: string;
}

function checkCombinations(schema: JsonSchema, counterpart: Counterpart): readonly FieldError[] {
  const { path } = counterpart;
  const named = (key: "allOf" | "anyOf" | "oneOf"): readonly FieldError[] =>
    (schema[key] ?? []).flatMap((branch, index) =>
      checkBranch(branch, { ...counterpart, path: keyPath(childPath(path, key), index) }),
    );
  return [
    ...(schema.not === undefined ? [] : checkBranch(schema.not, { ...counterpart, path: childPath(path, "not") })),
    ...named("allOf"),
    ...named("anyOf"),
    ...named("oneOf"),
  ];
}

function checkBranch(schema: JsonSchema, counterpart: Counterpart): readonly FieldError[] {
  const { structure, structurePath, path } = counterpart;
  const items = itemsOf(schema);
  return [
    ...checkCombinations(schema, counterpart),
    ...(items === undefined
      ? []
      : checkPart(items, itemsOf(structure), {
          structurePath: childPath(structurePath, "items"),
          path: childPath(path, "items"),
        })),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      checkPart(property, propertyOf(structure, name), {
        structurePath: keyPath(childPath(structurePath, "properties"), name),
        path: keyPath(childPath(path, "properties"), name),
      }),
    ),
  ];
}

function checkPart(
  schema: JsonSchema,
  structure: JsonSchema | undefined,
  { structurePath, path }: Omit<Counterpart, "structure">,
): readonly FieldError[] {
  return structure === undefined
    ? [requiredField(structurePath, `because it is defined in ${path}`)]
    : checkBranch(schema, { structure, structurePath, path });
}
