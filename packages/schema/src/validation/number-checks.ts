import { goFloat, goNumber, goNumberType } from "@kubescaffold/k8s";

import type { JsonSchema } from "../model/json-schema.ts";
import { badFactor, boundText, brokenRule, type Failure, goInt64, outOfRange, type Place } from "./failures.ts";
import { isWholeFloat } from "./scalar-checks.ts";

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
