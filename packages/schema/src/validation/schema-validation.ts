import { goNumberType, type FieldError, type JSONValue, serverInteger } from "@kubescaffold/k8s";

import { checkerOf, isFormatOfType } from "../formats/string-formats.ts";
import { runDeep } from "../json/deep-calls.ts";
import { isJsonList, isJsonObject } from "../json/json-value.ts";
import type { FieldPath } from "../model/field-path.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { resolveSchema } from "../model/resolve-schema.ts";
import { checkList, checkObject } from "./composite-checks.ts";
import {
  addFailure,
  emptyResult,
  failedCombination,
  type Failure,
  mergeResult,
  type SchemaResult,
  wrongType,
} from "./failures.ts";
import { checkEnum, checkFormat, checkNumber, checkText, isWholeFloat, type NumberRange } from "./scalar-checks.ts";
import { visitRatcheting, type Step, type StepOptions } from "./validation-step.ts";

/** What schema validation may be given besides schema and value. */
export interface SchemaValidationOptions extends StepOptions {
  /** The prefix of every path; absent for a whole object. */
  readonly path?: FieldPath;
  /** The object before an update: what is invalid already and unchanged is not reported. */
  readonly previous?: JSONValue | undefined;
}

// Upstream has no limit, and lets other requests go on meanwhile. This is four times what a single text may take.
const MOST_PATTERN_STEPS = 2 ** 28;

/** Checks a value against the value rules of a schema, with upstream's sentences, in the order of the schema. */
export function validateAgainstSchema(
  schema: JsonSchema,
  value: JSONValue,
  options: SchemaValidationOptions,
): readonly FieldError[] {
  const { previous } = options;
  const correlation = previous === undefined ? undefined : { value, previous, schema };
  const place = { parent: options.path, name: "" };
  const step = { options, place, correlation, patterns: { steps: MOST_PATTERN_STEPS }, visit: visitWhole };
  return visitRatcheting(schema, value, step).failures.map((failure) => failure.error);
}

/** A value that is checked against a schema. */
interface Visit {
  readonly schema: JsonSchema;
  readonly value: JSONValue;
  readonly step: Step;
}

function visitWhole(schema: JsonSchema, value: JSONValue, step: Step): SchemaResult {
  return runDeep<Visit, SchemaResult>(
    { schema, value, step },
    {
      run: (task, calls) => {
        if (task.step.visit !== visitWhole) return validateValue(task.schema, task.value, task.step);
        const visit: Step["visit"] = (inner, part, below) => calls.call({ schema: inner, value: part, step: below });
        return validateValue(task.schema, task.value, { ...task.step, visit });
      },
      placeholder: emptyResult(),
    },
  );
}

function validateValue(unresolved: JsonSchema, given: JSONValue, step: Step): SchemaResult {
  // Clients also read integers beyond 64 bits as a bigint.
  const value = typeof given === "bigint" ? (serverInteger(given) as number) : given;
  const schema = resolveSchema(unresolved, step.options);
  const result = emptyResult();
  if (value === null) {
    addChecked(result, checkNull(schema, step));
    addOptional(result, checkEnum(schema, value, step.place));
    return result;
  }
  if (typesOf(schema, step.options).length > 0 || formatOf(schema, step.options) !== undefined) {
    addChecked(result, checkType(schema, value, step));
    result.matchCount++;
  }
  if (hasCombinations(schema)) mergeResult(result, checkCombinations(schema, value, step));
  else result.matchCount++;
  result.matchCount++;
  checkByKind(result, schema, value, step);
  addOptional(result, checkEnum(schema, value, step.place));
  result.matchCount++;
  if (isJsonObject(value)) {
    mergeResult(result, checkObject(schema, value, step));
    result.matchCount++;
  }
  result.matchCount++;
  return result;
}

// Format before numbers before lists is upstream's order; only one of them applies to a value.
function checkByKind(result: SchemaResult, schema: JsonSchema, value: JSONValue, step: Step): void {
  if (typeof value === "string") {
    addOptional(result, checkText(schema, value, step));
    result.matchCount++;
    const format = formatOf(schema, step.options);
    if (format !== undefined && checkerOf(format) !== undefined) {
      addOptional(result, checkFormat(schema, value, step.place));
      result.matchCount++;
    }
  } else if (isNumber(value)) {
    checkNumber(schema, value, { place: step.place, range: rangeOf(schema, step.options) }).forEach((failure) =>
      addFailure(result, failure),
    );
    result.matchCount += 2;
  } else if (isJsonList(value)) {
    mergeResult(result, checkList(schema, value, step));
    result.matchCount++;
  }
}

function addChecked(result: SchemaResult, failure: Failure | undefined): void {
  if (failure === undefined) {
    result.matchCount++;
  } else {
    addFailure(result, failure);
  }
}

function addOptional(result: SchemaResult, failure: Failure | undefined): void {
  if (failure !== undefined) {
    addFailure(result, failure);
  }
}

function checkNull(schema: JsonSchema, { options, place }: Step): Failure | undefined {
  const types = typesOf(schema, options);
  return types.length > 0 && !types.includes("null") && schema.nullable !== true
    ? wrongType(place, types.join(","), "null")
    : undefined;
}

function checkType(schema: JsonSchema, value: JSONValue, { options, place }: Step): Failure | undefined {
  const types = typesOf(schema, options);
  const format = formatOf(schema, options);
  const actual = goTypeOf(value);
  const fits = types.includes(actual.type) || isNumberInDisguise(types, value, actual.type);
  const isTextual = typeof value === "string" || isJsonList(value);
  if (format !== undefined && !isTextual && !fits && actual.format !== format) {
    return wrongType(place, format, actual.format);
  }
  // A format lifts the check of the type from texts, and upstream takes lists for texts here.
  const isNumeric = types.includes("number") || types.includes("integer");
  if (format !== undefined && isTextual && !isNumeric) {
    return undefined;
  }
  return fits ? undefined : wrongType(place, types.join(","), actual.type);
}

function isNumberInDisguise(types: readonly string[], value: unknown, type: string): boolean {
  if (!isNumber(value)) {
    return false;
  }
  return type === "number" ? types.includes("integer") && isWholeFloat(Number(value)) : types.includes("number");
}

// An integer beyond 2^53 is a bigint, which the type of JSON values does not name.
function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function typesOf(schema: JsonSchema, options: StepOptions): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true && options.isForDefault !== true) {
    return ["integer", "string"];
  }
  return schema.type === undefined || schema.type === "" ? [] : [schema.type];
}

// Servers drop the formats that they do not know, except when they check defaults.
function formatOf(schema: JsonSchema, options: StepOptions): string | undefined {
  const { format } = schema;
  if (format === undefined || format === "") return undefined;
  const isKept =
    options.isForDefault === true ||
    (options.checksNumberFormats === true
      ? isFormatOfType(format, typesOf(schema, options))
      : checkerOf(format) !== undefined);
  return isKept ? format : undefined;
}

// Servers before 1.36 compare numbers without regard to the range of their type.
function rangeOf(schema: JsonSchema, options: StepOptions): NumberRange | undefined {
  if (options.checksNumberFormats !== true) return undefined;
  const [type, ...others] = typesOf(schema, options);
  if (others.length > 0 || (type !== "integer" && type !== "number")) return undefined;
  const { format = "" } = schema;
  return { type, format: isFormatOfType(format, [type]) ? format : "" };
}

function goTypeOf(value: JSONValue): { readonly type: string; readonly format: string } {
  if (isNumber(value)) {
    return goNumberType(value) === "int64"
      ? { type: "integer", format: "int64" }
      : { type: "number", format: "float64" };
  }
  if (typeof value === "string" || typeof value === "boolean") {
    return { type: typeof value, format: "" };
  }
  return { type: isJsonList(value) ? "array" : "object", format: "" };
}

// Most schemas have none.
function hasCombinations({ anyOf, oneOf, allOf, not }: JsonSchema): boolean {
  return anyOf !== undefined || oneOf !== undefined || allOf !== undefined || not !== undefined;
}

/** Checks `anyOf`, `oneOf`, `allOf` and `not`; a failed choice is explained by its most promising branch. */
function checkCombinations(schema: JsonSchema, value: JSONValue, step: Step): SchemaResult {
  const result = emptyResult();
  checkAnyOf(result, schema.anyOf ?? [], { value, step });
  checkOneOf(result, schema.oneOf ?? [], { value, step });
  checkAllOf(result, schema.allOf ?? [], { value, step });
  if (schema.not !== undefined && isValid(step.visit(schema.not, value, step))) {
    addFailure(result, failedCombination(step.place, "must not validate the schema (not)"));
  }
  result.matchCount++;
  return result;
}

interface Checked {
  readonly value: JSONValue;
  readonly step: Step;
}

function checkAnyOf(result: SchemaResult, branches: readonly JsonSchema[], { value, step }: Checked): void {
  if (branches.length === 0) {
    return;
  }
  let best: SchemaResult | undefined;
  for (const branch of branches) {
    const outcome = step.visit(branch, value, step);
    if (isValid(outcome)) {
      mergeResult(result, outcome);
      return;
    }
    best = betterOf(best, outcome);
  }
  addFailure(result, failedCombination(step.place, "must validate at least one schema (anyOf)"));
  mergeResult(result, best ?? emptyResult());
}

function checkOneOf(result: SchemaResult, branches: readonly JsonSchema[], { value, step }: Checked): void {
  if (branches.length === 0) {
    return;
  }
  const outcomes = branches.map((branch) => step.visit(branch, value, step));
  const valid = outcomes.filter(isValid);
  const [onlyValid] = valid;
  if (valid.length === 1 && onlyValid !== undefined) {
    mergeResult(result, onlyValid);
    return;
  }
  const found = valid.length === 0 ? "Found none valid" : `Found ${String(valid.length)} valid alternatives`;
  addFailure(result, failedCombination(step.place, `must validate one and only one schema (oneOf). ${found}`));
  if (valid.length === 0) {
    mergeResult(result, outcomes.reduce<SchemaResult | undefined>(betterOf, undefined) ?? emptyResult());
  }
}

function checkAllOf(result: SchemaResult, branches: readonly JsonSchema[], { value, step }: Checked): void {
  const outcomes = branches.map((branch) => step.visit(branch, value, step));
  outcomes.forEach((outcome) => mergeResult(result, outcome));
  const validCount = outcomes.filter(isValid).length;
  if (validCount !== branches.length) {
    const remark = validCount === 0 ? ". None validated" : "";
    addFailure(result, failedCombination(step.place, `must validate all the schemas (allOf)${remark}`));
  }
}

function betterOf(best: SchemaResult | undefined, outcome: SchemaResult): SchemaResult {
  return best === undefined || outcome.matchCount > best.matchCount ? outcome : best;
}

function isValid(result: SchemaResult): boolean {
  return result.failures.length === 0;
}
