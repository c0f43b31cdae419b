import { type JSONValue, goFloat, goNumber, goNumberType } from "@kubescaffold/k8s";

import { checkerOf } from "../formats/string-formats.ts";
import { deepEqual } from "../json/deep-equal.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { characterCount } from "../text/character-count.ts";
import { compilePattern } from "../text/regexp.ts";
import {
  badFactor,
  boundText,
  brokenRule,
  type Failure,
  goInt64,
  notInEnum,
  outOfRange,
  type Place,
  textTooLong,
  wrongType,
} from "./failures.ts";
import type { Step } from "./validation-step.ts";

/** Checks length and pattern of a text; the first failure only, as upstream. */
export function checkText(
  schema: JsonSchema,
  text: string,
  { place, patterns }: Pick<Step, "place" | "patterns">,
): Failure | undefined {
  const { maxLength, minLength, pattern } = schema;
  if (maxLength !== undefined && characterCount(text) > maxLength) {
    return textTooLong(place, maxLength);
  }
  if (minLength !== undefined && characterCount(text) < minLength) {
    return brokenRule(place, text, `should be at least ${String(minLength)} chars long`);
  }
  return pattern === undefined || pattern === "" ? undefined : checkPattern(pattern, text, { place, patterns });
}

function checkPattern(
  pattern: string,
  text: string,
  { place, patterns }: Pick<Step, "place" | "patterns">,
): Failure | undefined {
  const compiled = compilePattern(pattern);
  if (compiled.kind === "invalid") {
    return brokenRule(place, text, `should match '${pattern}, but pattern is invalid: ${compiled.reason}'`);
  }
  if (text.length > compiled.longestText) {
    const length = `${String(text.length)} characters are too many for it, at most ${String(compiled.longestText)}`;
    return brokenRule(place, text, `should match '${pattern}', but ${length}`);
  }
  patterns.steps -= text.length * compiled.size;
  if (patterns.steps < 0) {
    const rest = "the texts of the object are too long for their patterns, which are not tried any more";
    return brokenRule(place, text, `should match '${pattern}', but ${rest}`);
  }
  return compiled.matches(text) ? undefined : brokenRule(place, text, `should match '${pattern}'`);
}

/** Checks a text against the format of its schema, where servers know the format. */
export function checkFormat(schema: JsonSchema, text: string, place: Place): Failure | undefined {
  const { format } = schema;
  const isValid = format === undefined ? undefined : checkerOf(format);
  if (format === undefined || isValid === undefined || isValid(text)) {
    return undefined;
  }
  return wrongType(place, format, text);
}

/** The type and format whose values a number and its bounds must be: servers since 1.36 check them. */
export interface NumberRange {
  readonly type: "integer" | "number";
  /** Empty for the default one. */
  readonly format: string;
}

/** Checks the range of a number, then multiple, minimum and maximum, in upstream's order. */
export function checkNumber(
  schema: JsonSchema,
  value: number | bigint,
  { place, range }: { readonly place: Place; readonly range: NumberRange | undefined },
): readonly Failure[] {
  const isIn = (number: number | bigint | undefined): boolean =>
    range === undefined || number === undefined || isInRange(number, range);
  const inRange = (prefix: string, number: number | bigint | undefined): Failure | undefined =>
    range === undefined || isIn(number) ? undefined : outOfRange(place, prefix, range);
  const { multipleOf, minimum, maximum } = schema;
  const isInteger = goNumberType(value) === "int64";
  const failures = [
    inRange("Checked", value),
    inRange("MultipleOf", multipleOf),
    checkMultiple(schema, value, { place, isInteger: isInteger && isIn(multipleOf) }),
    inRange("Minimum boundary", minimum),
    checkMinimum(schema, value, { place, isInteger: isInteger && isIn(minimum) }),
    inRange("Maximum boundary", maximum),
    checkMaximum(schema, value, { place, isInteger: isInteger && isIn(maximum) }),
  ];
  return failures.filter((failure) => failure !== undefined);
}

const LARGEST_FLOAT32 = (2 - 2 ** -24) * 2 ** 127;

function isInRange(number: number | bigint, { type, format }: NumberRange): boolean {
  if (type === "number") return format !== "float" || Math.abs(Number(number)) < LARGEST_FLOAT32;
  if (typeof number === "number" && !Number.isInteger(number)) return false;
  const bits = format === "int32" ? 32 : 64;
  return BigInt.asIntN(bits, BigInt(number)) === BigInt(number);
}

interface Comparison {
  readonly place: Place;
  /** Whether the number is compared as an integer, and its bound cut to one; a bound out of range is compared as it is. */
  readonly isInteger: boolean;
}

function checkMultiple(
  { multipleOf }: JsonSchema,
  value: number | bigint,
  { place, isInteger }: Comparison,
): Failure | undefined {
  if (multipleOf === undefined) {
    return undefined;
  }
  const factor = isInteger ? goInt64(multipleOf) : multipleOf;
  if (factor <= 0) {
    return badFactor(place, isInteger && !Number.isSafeInteger(factor) ? BigInt(factor) : factor);
  }
  const factorText = isInteger ? goNumber(BigInt(factor)) : goFloat(factor);
  return isMultipleOf(value, factor, isInteger)
    ? undefined
    : brokenRule(place, value, `should be a multiple of ${factorText}`);
}

function isMultipleOf(value: number | bigint, factor: number, isInteger: boolean): boolean {
  if (isInteger) return typeof value === "bigint" ? value % BigInt(factor) === 0n : value % factor === 0;
  return isWholeFloat(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor);
}

function checkMinimum(
  schema: JsonSchema,
  value: number | bigint,
  { place, isInteger }: Comparison,
): Failure | undefined {
  if (schema.minimum === undefined) {
    return undefined;
  }
  const bound = effectiveBound(schema.minimum, isInteger);
  const isExclusive = schema.exclusiveMinimum === true;
  if (isExclusive ? value > bound : value >= bound) {
    return undefined;
  }
  const words = isExclusive ? "greater than" : "greater than or equal to";
  return brokenRule(place, value, `should be ${words} ${boundText(schema.minimum, isInteger)}`);
}

function checkMaximum(
  schema: JsonSchema,
  value: number | bigint,
  { place, isInteger }: Comparison,
): Failure | undefined {
  if (schema.maximum === undefined) {
    return undefined;
  }
  const bound = effectiveBound(schema.maximum, isInteger);
  const isExclusive = schema.exclusiveMaximum === true;
  if (isExclusive ? value < bound : value <= bound) {
    return undefined;
  }
  const words = isExclusive ? "less than" : "less than or equal to";
  return brokenRule(place, value, `should be ${words} ${boundText(schema.maximum, isInteger)}`);
}

function effectiveBound(bound: number, isInteger: boolean): number {
  return isInteger ? goInt64(bound) : bound;
}

/** Checks that a value is one of the enum's; a fraction meets an integer that it is cut to, as upstream. */
export function checkEnum(schema: JsonSchema, value: JSONValue, place: Place): Failure | undefined {
  const { enum: values } = schema;
  if (values === undefined || values.length === 0) {
    return undefined;
  }
  const isIn = typeof value === "string" ? textsOf(values).has(value) : values.some((item) => isEnumValue(item, value));
  return isIn ? undefined : notInEnum(place, value, values);
}

// Lists may have as many texts as their enum has values.
const enumTexts = new WeakMap<readonly JSONValue[], ReadonlySet<JSONValue>>();

function textsOf(values: readonly JSONValue[]): ReadonlySet<JSONValue> {
  let texts = enumTexts.get(values);
  if (texts === undefined) {
    texts = new Set(values);
    enumTexts.set(values, texts);
  }
  return texts;
}

function isEnumValue(item: JSONValue, value: JSONValue): boolean {
  if (item === null || value === null) {
    return false;
  }
  if (typeof item === "number" && typeof value === "number" && goNumberType(item) === "int64") {
    return Math.trunc(value) === item;
  }
  return deepEqual(item, value) || (typeof value === "bigint" && typeof item === "number" && Number(value) === item);
}

const MAX_JSON_FLOAT = 2 ** 53 - 1;
const EPSILON = 1e-9;

/** Reports whether a float counts as an integer upstream: exactly, or but for rounding. */
export function isWholeFloat(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > MAX_JSON_FLOAT) {
    return false;
  }
  const whole = Math.trunc(value);
  if (value === whole) {
    return true;
  }
  if (whole <= 0) {
    return false;
  }
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < EPSILON;
}
