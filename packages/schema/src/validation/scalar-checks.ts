import { type JSONValue, goNumberType } from "@kubescaffold/k8s";

import { checkerOf } from "../formats/string-formats.ts";
import { deepEqual } from "../json/deep-equal.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { characterCount } from "../text/character-count.ts";
import { compilePattern } from "../text/regexp.ts";
import { brokenRule, type Failure, notInEnum, type Place, textTooLong, wrongType } from "./failures.ts";
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
