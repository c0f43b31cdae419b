import {
  type FieldError,
  goFloat,
  goJson,
  goNumber,
  goQuote,
  goValue,
  invalidField,
  invalidFieldType,
  type JSONValue,
  requiredField,
  tooLongField,
  tooManyField,
  unsupportedField,
} from "@kubescaffold/k8s";

import { childPath, fieldName, type FieldPath } from "../model/field-path.ts";

/** A failed check: what is reported, and upstream's sentence, by which the same failure counts once. */
export interface Failure {
  readonly sentence: string;
  readonly error: FieldError;
}

/**
 * Collects the failures of one value against one schema.
 *
 * The count of passed checks decides which branch of `anyOf` and `oneOf` explains a failure best.
 */
export interface SchemaResult {
  readonly failures: Failure[];
  /** The sentences of the failures, once there are many. */
  sentences?: Set<string>;
  matchCount: number;
}

/** Returns an empty result. */
export function emptyResult(): SchemaResult {
  return { failures: [], matchCount: 0 };
}

const FEW = 8;

/** Adds a failure unless the same sentence is there already. */
export function addFailure(result: SchemaResult, failure: Failure): void {
  const { failures } = result;
  if (failures.length < FEW) {
    if (!failures.some((known) => known.sentence === failure.sentence)) failures.push(failure);
    return;
  }
  result.sentences ??= new Set(failures.map(({ sentence }) => sentence));
  if (result.sentences.has(failure.sentence)) return;
  result.sentences.add(failure.sentence);
  failures.push(failure);
}

/** Adds failures and count of another result. */
export function mergeResult(result: SchemaResult, other: SchemaResult): void {
  for (const failure of other.failures) {
    addFailure(result, failure);
  }
  result.matchCount += other.matchCount;
}

/** Is where a value stands: under the path of the caller, and by the name that validation sentences use. */
export interface Place {
  readonly parent: FieldPath;
  /** The name relative to the parent: empty for the value itself, `.a` for members of a map at the root. */
  readonly name: string;
}

/** Reports a value of another type than the schema's. */
export function wrongType(place: Place, expected: string, actual: string): Failure {
  const sentence = `${place.name} in body must be of type ${expected}: ${goQuote(actual)}`;
  return { sentence, error: invalidFieldType(pathOf(place), actual, sentence) };
}

/** Reports a number, or a bound of it, that its type and format do not have; upstream leaves out where. */
export function outOfRange(
  { parent, name }: Place,
  prefix: string,
  { type, format }: { readonly type: string; readonly format: string },
): Failure {
  const kind = format === "" ? `${type} (default format)` : `${type} with format ${format}`;
  const sentence = `${prefix} value must be of type ${kind} in ${name.replace(/^\./, "")}`;
  return { sentence, error: invalidField(fieldName(parent), "", sentence) };
}

/** Reports a required member that is absent. */
export function missingMember(place: Place, member: string): Failure {
  const name = `${place.name}.${member}`;
  return { sentence: `${name} in body is required`, error: requiredField(pathOf({ ...place, name }), "") };
}

/** Reports a value that is none of the enum's. */
export function notInEnum(place: Place, value: JSONValue, values: readonly JSONValue[]): Failure {
  const texts = enumTextsOf(values);
  const sentence = `${place.name} in body should be one of ${texts.shown}`;
  return { sentence, error: { ...unsupportedField(pathOf(place), value, []), detail: texts.detail } };
}

// Sentences are compared and never shown.
function shortened(text: string): string {
  return text.length <= LONG_TEXT ? text : `${text.slice(0, LONG_TEXT)}${text.slice(-LONG_TEXT)}${String(text.length)}`;
}

const LONG_TEXT = 200;

interface EnumTexts {
  readonly shown: string;
  readonly detail: string;
}

// Many values may share one long enum and its texts.
const enumTexts = new WeakMap<readonly JSONValue[], EnumTexts>();

function enumTextsOf(values: readonly JSONValue[]): EnumTexts {
  const known = enumTexts.get(values);
  if (known !== undefined) return known;
  const supported = values.map((item) => (typeof item === "string" ? item : goJson(item)));
  const texts = { shown: shortened(goValue(values)), detail: unsupportedField("", "", supported).detail };
  enumTexts.set(values, texts);
  return texts;
}

/** Reports a text that is longer than allowed. */
export function textTooLong(place: Place, max: number): Failure {
  const sentence = `${place.name} in body should be at most ${String(max)} chars long`;
  return { sentence, error: tooLongField(pathOf(place), max) };
}

/** Reports a list that has more items than allowed. */
export function tooManyItems(place: Place, actual: number, max: number): Failure {
  const sentence = `${place.name} in body should have at most ${String(max)} items`;
  return { sentence, error: tooManyField(pathOf(place), actual, max) };
}

/** Reports an object that has more members than allowed. */
export function tooManyMembers(place: Place, actual: number, max: number): Failure {
  const sentence = `${place.name} in body should have at most ${String(max)} properties`;
  return { sentence, error: tooManyField(pathOf(place), actual, max) };
}

/** Reports a value that breaks a rule of its schema; the rule follows the value's name. */
export function brokenRule(place: Place, badValue: unknown, rule: string): Failure {
  const sentence = `${place.name} in body ${rule}`;
  return { sentence, error: invalidField(pathOf(place), badValue, sentence) };
}

/** Reports a member where only declared ones are allowed. */
export function forbiddenMember(place: Place, member: string): Failure {
  const sentence = `${place.name}.${member} in body is a forbidden property`;
  return { sentence, error: invalidField(pathOf(place), member, sentence) };
}

/** Reports a factor that is not positive once upstream has cut it to the value's type. */
export function badFactor(place: Place, factor: number | bigint): Failure {
  const sentence = `factor MultipleOf declared for ${place.name} must be positive: ${goNumber(factor)}`;
  return { sentence, error: invalidField(pathOf(place), factor, sentence) };
}

/** Reports a failed combination of schemas; upstream reports these for the whole object, naming the place in the sentence. */
export function failedCombination(place: Place, rule: string): Failure {
  const sentence = `${goQuote(place.name)} ${rule}`;
  return { sentence, error: invalidField(fieldName(place.parent), "", sentence) };
}

/** Cuts a bound to an integer of 64 bits as Go does: one that does not fit, such as the largest one as a floating-point number, becomes the smallest. */
export function goInt64(bound: number): number {
  return bound >= 2 ** 63 || bound < -(2 ** 63) ? -(2 ** 63) : Math.trunc(bound);
}

/** Prints a bound as upstream does: cut to an integer beside a whole value. */
export function boundText(bound: number, isInteger: boolean): string {
  return isInteger ? goNumber(BigInt(goInt64(bound))) : goFloat(bound);
}

function pathOf(place: Place): string {
  if (place.name === "" || place.name === ".") {
    return fieldName(place.parent);
  }
  return childPath(place.parent, place.name.startsWith(".") ? place.name.slice(1) : place.name);
}
