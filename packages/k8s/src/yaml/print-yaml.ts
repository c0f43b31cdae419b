import { RECURSIVE_LEVELS } from "../json/levels.ts";
import { printLosslessJson } from "../json/lossless-json.ts";
import { YamlUnprintableError } from "./errors.ts";
import { sortYamlKeys } from "./key-order.ts";
import { type ScalarStyle, analyzeScalar, scalarStyle } from "./scalar-style.ts";
import { type WrittenBlock, YamlWriter } from "./yaml-writer.ts";

const LONGEST_SIMPLE_KEY = 128;
// Each level is indented by more than the one before, so that the text of thousands of levels would be many times as long as the value. Generated schemas have
// at most 1,000 levels of types.
const INDENTED_LEVELS = 1100;
// Many deep objects side by side have long texts, too. The indentation of the largest generated definitions is some MB.
const MOST_INDENTATION = 32 * 1024 * 1024;
// Each level keeps the lines of all levels below it.
const SHARED_LEVELS = 32;
/** Below, indentation is in proportion to the value. */
const ALWAYS_INDENTED_LEVELS = 16;

/**
 * Prints a JSON value like controller-gen, byte for byte: sorted keys, two spaces, lists at the column of their key.
 *
 * Properties that are `undefined` are left out, as JSON leaves them out. Objects and lists beyond 1,100 levels are printed as JSON, which is YAML, too, and so are those
 * beyond 16 levels with which all indentation would exceed 32 MiB.
 *
 * Fails: {@link YamlUnprintableError} for what JSON cannot hold.
 *
 * @example
 * printYaml({ kind: "Guestbook", apiVersion: "demo/v1" }); // "apiVersion: demo/v1\nkind: Guestbook\n"
 */
export function printYaml(value: unknown): string {
  const writer = new YamlWriter();
  printNode({ writer, path: "", level: 0 }, value);
  return writer.finish();
}

/** Prints several values as one text, with `---` before each. */
export function printYamlDocuments(values: readonly unknown[]): string {
  return values.map((value) => `---\n${printYaml(value)}`).join("");
}

interface Position {
  readonly writer: YamlWriter;
  /** Where the value stands, for the message of an error. */
  readonly path: string;
  /** The number of objects and lists around the value. */
  readonly level: number;
}

function printNode(at: Position, value: unknown): void {
  switch (typeof value) {
    case "string":
      printString(at.writer, value);
      return;
    case "number":
      if (!Number.isFinite(value)) throw new YamlUnprintableError(at.path, String(value));
      at.writer.plain(printNumber(value));
      return;
    case "bigint":
    case "boolean":
      at.writer.plain(String(value));
      return;
    case "object":
      printObject(at, value);
      return;
    case "undefined":
    case "function":
    case "symbol":
      throw new YamlUnprintableError(at.path, value === undefined ? "undefined" : `a ${typeof value}`);
  }
}

function printObject(at: Position, value: object | null): void {
  if (value === null) at.writer.plain("null");
  else if (isTooDeep(at, value)) at.writer.plain(printLosslessJson(value));
  else if (at.level === RECURSIVE_LEVELS) printManyLevels(at, value);
  else for (const part of partsOf(at, value)) printPart(part);
}

// Without recursion.
function printManyLevels(at: Position, value: object): void {
  const open = [partsOf(at, value)];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value: part } = top.next();
    if (done === true) open.pop();
    else if (isObject(part.value) && !isTooDeep(part.at, part.value)) open.push(partsOf(part.at, part.value));
    else printNode(part.at, part.value);
  }
}

/** A member or item, which is printed before the next one is asked for. */
interface Part {
  readonly at: Position;
  readonly value: unknown;
  readonly isShared: boolean;
}

function partsOf(at: Position, value: object): Iterator<Part, void> & Iterable<Part> {
  if (Array.isArray(value)) return itemsOf(at, value);
  if (isPlainObject(value)) return membersOf(at, value);
  throw new YamlUnprintableError(at.path, `an instance of ${value.constructor.name}`);
}

function printPart({ at, value, isShared }: Part): void {
  if (isShared) printShared(at, value as Readonly<Record<string, unknown>>);
  else printNode(at, value);
}

function isTooDeep({ writer, level }: Position, value: object): boolean {
  if (level < ALWAYS_INDENTED_LEVELS) return false;
  const lines = Array.isArray(value) ? value.length : Object.keys(value).length;
  const isOver = writer.indentation + lines * Math.max(writer.indent, 0) > MOST_INDENTATION;
  if (isOver) writer.hasReachedLimit = true;
  return isOver || level >= INDENTED_LEVELS;
}

function* itemsOf(at: Position, items: readonly unknown[]): Generator<Part, void> {
  if (items.length === 0) {
    at.writer.indicator("[]");
    return;
  }
  at.writer.beginSequence();
  for (const [index, item] of items.entries()) {
    at.writer.item();
    const inner = { writer: at.writer, path: `${at.path}[${index}]`, level: at.level + 1 };
    yield { at: inner, value: item === undefined ? null : item, isShared: false };
  }
  at.writer.endCollection();
}

function* membersOf(at: Position, fields: Readonly<Record<string, unknown>>): Generator<Part, void> {
  const keys = sortYamlKeys(Object.keys(fields).filter((key) => fields[key] !== undefined));
  if (keys.length === 0) {
    at.writer.indicator("{}");
    return;
  }
  at.writer.beginMapping();
  for (const key of keys) {
    const value = fields[key];
    const isSimple = printKey(at.writer, key);
    const inner = { writer: at.writer, path: at.path === "" ? key : `${at.path}.${key}`, level: at.level + 1 };
    yield { at: inner, value, isShared: isSimple && inner.level < SHARED_LEVELS && isSharedMapping(value) };
    at.writer.endValue();
  }
  at.writer.endCollection();
}

// Deeply frozen values cannot change, so their lines are cached for each indentation.
const written = new WeakMap<object, Map<number, WrittenBlock>>();
const frozen = new WeakSet();

function isSharedMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && isFrozenThroughout(value) && isPlainObject(value) && hasFields(value);
}

function isFrozenThroughout(value: object): boolean {
  if (!Object.isFrozen(value)) return false;
  if (frozen.has(value)) return true;
  const found = [value];
  for (const each of found) {
    for (const field of Object.values(each) as readonly unknown[]) {
      if (!isObject(field) || frozen.has(field)) continue;
      if (!Object.isFrozen(field)) return false;
      found.push(field);
    }
  }
  for (const each of found) frozen.add(each);
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function hasFields(value: object): boolean {
  return Object.values(value).some((field) => field !== undefined);
}

function printShared(at: Position, fields: Readonly<Record<string, unknown>>): void {
  const blocks = written.get(fields) ?? new Map<number, WrittenBlock>();
  written.set(fields, blocks);
  const known = blocks.get(at.writer.indent);
  if (known !== undefined && at.writer.indentation + known.indentation <= MOST_INDENTATION) {
    at.writer.repeat(known);
    return;
  }
  const block = at.writer.record(() => printObject(at, fields));
  // Parts of it may be JSON that are not JSON in a shorter text.
  if (!at.writer.hasReachedLimit) blocks.set(at.writer.indent, block);
}

function printKey(writer: YamlWriter, key: string): boolean {
  const { text, style, isSimple } = keys.of(key);
  writer.beginKey(isSimple);
  writer.scalar(text, style);
  writer.endKey(isSimple);
  return isSimple;
}

function printString(writer: YamlWriter, value: string): void {
  const { text, style } = value.length <= LONGEST_KNOWN ? values.of(value) : valueForm(value);
  writer.scalar(text, style);
}

interface ScalarForm {
  readonly text: string;
  readonly style: ScalarStyle;
}

interface KeyForm extends ScalarForm {
  readonly isSimple: boolean;
}

function keyForm(key: string): KeyForm {
  const text = wellFormed(key);
  const analysis = analyzeScalar(text);
  const isSimple = !analysis.isMultiline && Buffer.byteLength(text) <= LONGEST_SIMPLE_KEY;
  return { text, style: scalarStyle(text, analysis, isSimple), isSimple };
}

function valueForm(value: string): ScalarForm {
  const text = wellFormed(value);
  return { text, style: scalarStyle(text, analyzeScalar(text), false) };
}

/** Knows the forms of the latest texts, since manifests say the same words again and again. */
class KnownForms<Form> {
  readonly #known = new Map<string, Form>();
  readonly #formOf: (text: string) => Form;

  constructor(formOf: (text: string) => Form) {
    this.#formOf = formOf;
  }

  of(text: string): Form {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const form = this.#formOf(text);
    this.#known.set(text, form);
    return form;
  }
}

const LONGEST_KNOWN = 64;
const MOST_KNOWN = 2000;
const keys = new KnownForms(keyForm);
const values = new KnownForms(valueForm);

// UTF-8 has no form for half a surrogate pair; JSON encoders write the replacement character.
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

// The shortest digits of -2^63 itself lie below the range of 64 bits.
const BELOW_INTEGERS = -(2 ** 63);
const ABOVE_INTEGERS = 2 ** 64;

/** Prints a finite number as yaml.v2 does after JSON: integers in full, fractions with an exponent from a million on. */
function printNumber(value: number): string {
  if (Object.is(value, -0)) return "0";
  if (Number.isInteger(value) && value > BELOW_INTEGERS && value < ABOVE_INTEGERS) return String(value);
  const [mantissa = "0", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) return `${mantissa}e${printExponent(exponent)}`;
  return String(exponent < 0 ? withoutExponent(mantissa, exponent) : value);
}

function printExponent(exponent: number): string {
  return `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function withoutExponent(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith("-") ? "-" : "";
  return `${sign}0.${"0".repeat(-exponent - 1)}${mantissa.replace(/[-.]/g, "")}`;
}
