import type { JSONValue } from "@kubescaffold/k8s";

import { type DeepCalls, runDeep } from "../../json/deep-calls.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { ForeignValue } from "../../structured-merge/foreign-value.ts";
import { elementsOf } from "../values/cel-list.ts";
import { CelMessage } from "../values/cel-message.ts";
import { CelOptional } from "../values/cel-optional.ts";
import { CelDuration, CelTimestamp } from "../values/cel-time.ts";
import { CelList, CelMap, CelUint, type CelValue } from "../values/cel-value.ts";
import { PlainList, PlainMap } from "../values/plain-value.ts";
import { CelTypeValue, runtimeType } from "../values/runtime-type.ts";
import type { MutationOutcome } from "./mutation-evaluation.ts";

/** Returns the apply configuration that a mutation made; what JSON does not have is a `ForeignValue`. */
export function applyConfigurationOf(value: CelValue): MutationOutcome<JsonObject> {
  if (!(value instanceof CelMessage)) {
    return failed(`unsupported return type from ApplyConfiguration expression: ${runtimeType(value).name}`);
  }
  const native = typeProblem(value) ?? messageValue(value);
  if (native instanceof ForeignValue) return failed("invalid return type: *dynamic.ObjectVal");
  return "kind" in native && native.kind === "error"
    ? (native as MutationFailure)
    : { kind: "value", value: native as JsonObject };
}

/** Returns the JSON patch that a mutation made. */
export function jsonPatchOf(value: CelValue): MutationOutcome<readonly JSONValue[]> {
  const operations: JSONValue[] = [];
  for (const element of value instanceof CelList ? elementsOf(value) : []) {
    const outcome = operationOf(element instanceof CelMessage ? element.fields : new Map());
    if (outcome.kind === "error") return outcome;
    operations.push(outcome.value);
  }
  return { kind: "value", value: operations };
}

interface MutationFailure {
  readonly kind: "error";
  readonly message: string;
}

function failed(message: string): MutationFailure {
  return { kind: "error", message };
}

function operationOf(fields: CelMessage["fields"]): MutationOutcome<JSONValue> {
  const value = fields.get("value");
  const problem = value instanceof CelMessage ? typeProblem(value) : undefined;
  if (problem !== undefined) return problem;
  const json = value === undefined ? undefined : jsonOf(value);
  if (json?.kind === "error") {
    return failed(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${json.message}`);
  }
  return {
    kind: "value",
    value: {
      ...quoted("op", fields.get("op") ?? ""),
      ...quoted("path", fields.get("path") ?? ""),
      ...(fields.get("from") === undefined ? {} : quoted("from", fields.get("from") ?? "")),
      ...(json === undefined ? {} : { value: json.value }),
    },
  };
}

// Upstream quotes in Go's syntax, and reads JSON, which does not have all of its escapes.
const ESCAPES = "\b\t\n\f\r";

function hasNoJson(text: string): boolean {
  return Array.from(text).some((sign) => (sign < " " && !ESCAPES.includes(sign)) || sign === "\u007f");
}

function quoted(name: string, value: CelValue): JsonObject {
  const isAbsent = typeof value !== "string" || (name === "from" && value === "") || hasNoJson(value);
  return isAbsent ? {} : { [name]: value };
}

// The types of objects have the names of the fields that they are in.
function typeProblem(value: CelMessage): MutationFailure | undefined {
  const problems = misnamedTypes(value, value.type.name);
  return problems.length === 0 ? undefined : failed(`type mismatch: ${problems.join("\n")}`);
}

function misnamedTypes(value: CelValue, path: string): readonly string[] {
  if (value instanceof CelMessage) {
    const { name } = value.type;
    const expected = `expected ${JSON.stringify(path)}, which matches field name path from root Object type`;
    const own = name === path ? [] : [`unexpected type name ${JSON.stringify(name)}, ${expected}`];
    return [...own, ...[...value.fields].flatMap(([field, inner]) => misnamedTypes(inner, `${path}.${field}`))];
  }
  if (value instanceof PlainList || value instanceof PlainMap) return [];
  if (value instanceof CelList) return elementsOf(value).flatMap((element) => misnamedTypes(element, path));
  if (value instanceof CelMap) return value.keys().flatMap((key) => misnamedTypes(value.find(key) ?? null, path));
  return [];
}

type Native = JSONValue | ForeignValue;

// Upstream converts the fields of a message, and what is directly in a list or map that is one; deeper literals stay values of CEL.
function messageValue({ fields }: CelMessage): JsonObject | ForeignValue {
  const converted: Record<string, JSONValue> = {};
  for (const [name, value] of fields) {
    const field = fieldValue(value);
    if (field instanceof KeyProblem) {
      return new ForeignValue("*types.Err", `fail to convert field "${name}": ${field.text}`);
    }
    converted[name] = field as JSONValue;
  }
  return converted;
}

class KeyProblem {
  readonly text: string;

  constructor(key: CelValue) {
    const shown = typeof key === "bigint" ? goRune(key) : String(key);
    this.text = `map key ${shown} is of type ${GO_VALUES[runtimeType(key).name] ?? runtimeType(key).name}, not string`;
  }
}

const GO_VALUES: Readonly<Record<string, string>> = {
  int: "types.Int",
  uint: "types.Uint",
  double: "types.Double",
  bool: "types.Bool",
};

// Go prints the character of a number.
function goRune(code: bigint): string {
  const number = Number(code);
  return number < 0x20 ? `'\\x${number.toString(16).padStart(2, "0")}'` : `'${String.fromCodePoint(number)}'`;
}

function fieldValue(value: CelValue): Native | KeyProblem {
  if (isLiteralList(value)) return elementsOf(value).map((element) => innerValue(element)) as JSONValue[];
  if (!isLiteralMap(value)) return innerValue(value);
  const badKey = value.keys().find((key) => typeof key !== "string");
  if (badKey !== undefined) return new KeyProblem(badKey);
  return Object.fromEntries(
    value.keys().map((key) => [key as string, innerValue(value.find(key) ?? null)]),
  ) as JSONValue;
}

function isLiteralList(value: CelValue): value is CelList {
  return value instanceof CelList && !(value instanceof PlainList);
}

function isLiteralMap(value: CelValue): value is CelMap {
  return value instanceof CelMap && !(value instanceof PlainMap);
}

function innerValue(value: CelValue): Native {
  if (value instanceof CelMessage) return messageValue(value);
  if (value instanceof CelOptional && value.held !== undefined) return innerValue(value.held);
  if (value instanceof PlainList || value instanceof PlainMap) return value.json;
  if (typeof value === "bigint") return jsonInteger(value);
  if (value instanceof CelTypeValue) return value.toString();
  if (value === null) return new ForeignValue("structpb.NullValue", "NULL_VALUE", "0");
  if (typeof value !== "object") return value;
  return foreignValue(value);
}

function jsonInteger(value: bigint): JSONValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : (value as unknown as JSONValue);
}

function foreignValue(value: Exclude<CelValue, null | boolean | bigint | number | string>): ForeignValue {
  if (value instanceof CelUint) return new ForeignValue("uint64", value.toString(), `0x${value.value.toString(16)}`);
  if (value instanceof Uint8Array) {
    const bytes = [...value];
    const syntax = `[]uint8{${bytes.map((byte) => `0x${byte.toString(16)}`).join(", ")}}`;
    return new ForeignValue("[]uint8", `[${bytes.join(" ")}]`, syntax);
  }
  if (isLiteralList(value)) return new ForeignValue("[]ref.Val", `[${printElements(value)}]`);
  if (isLiteralMap(value)) return new ForeignValue("map[ref.Val]ref.Val", `map[${printEntries(value, ":", " ")}]`);
  if (value instanceof CelDuration) return new ForeignValue("time.Duration", value.toString(), String(value.nanos));
  return new ForeignValue(runtimeType(value).name, value.toString());
}

function printElements(list: CelList): string {
  return elementsOf(list)
    .map((element) => printValue(element))
    .join(" ");
}

function printEntries(map: CelMap, colon: string, comma: string, print = printValue): string {
  return map
    .keys()
    .map((key) => `${print(key)}${colon}${print(map.find(key) ?? null)}`)
    .join(comma);
}

// Lists and maps in others are printed as CEL prints them.
function printValue(value: CelValue): string {
  return runDeep(value, { run: printDeepValue, placeholder: "" });
}

function printDeepValue(value: CelValue, calls: DeepCalls<CelValue, string>): string {
  const print = (part: CelValue): string => calls.call(part);
  if (value instanceof CelList) return `[${elementsOf(value).map(print).join(", ")}]`;
  return value instanceof CelMap ? `{${printEntries(value, ": ", ", ", print)}}` : String(value);
}

/** Converts a value to JSON as CEL defines it: large integers, times, and bytes are texts. */
function jsonOf(value: CelValue): MutationOutcome<JSONValue> {
  return runDeep(value, { run: deepJsonOf, placeholder: succeeded(null) });
}

type JsonCalls = DeepCalls<CelValue, MutationOutcome<JSONValue>>;

function deepJsonOf(value: CelValue, calls: JsonCalls): MutationOutcome<JSONValue> {
  if (value instanceof CelMessage) return structOf(value);
  if (value instanceof CelList) return allOf(elementsOf(value), calls, (values) => values);
  if (value instanceof CelMap) return mapOf(value, calls);
  if (typeof value === "bigint") {
    return succeeded(Number.isSafeInteger(Number(value)) ? Number(value) : String(value));
  }
  if (value instanceof CelUint) return deepJsonOf(value.value, calls);
  if (value instanceof Uint8Array) return succeeded(Buffer.from(value).toString("base64"));
  if (value instanceof CelTimestamp || value instanceof CelDuration) return succeeded(value.toString());
  if (value === null || typeof value !== "object") return succeeded(value);
  const name = runtimeType(value).name.split(".").at(-1) ?? "";
  return failed(`type conversion error from '${name}' to '*structpb.Value'`);
}

function succeeded(value: JSONValue): MutationOutcome<JSONValue> {
  return { kind: "value", value };
}

function mapOf(map: CelMap, calls: JsonCalls): MutationOutcome<JSONValue> {
  const keys = map.keys();
  const badKey = keys.find((key) => typeof key !== "string");
  if (badKey !== undefined) return failed(`unsupported type conversion from '${runtimeType(badKey).name}' to string`);
  return allOf(
    keys.map((key) => map.find(key) ?? null),
    calls,
    (values) => Object.fromEntries(values.map((value, index) => [String(keys[index]), value])),
  );
}

// The fields of a message are converted as those of an apply configuration are, before JSON is made of them.
function structOf(message: CelMessage): MutationOutcome<JSONValue> {
  const native = messageValue(message);
  const foreign = foreignIn(native);
  return foreign === undefined ? succeeded(native as JSONValue) : failed(`proto: invalid type: ${foreign.goType}`);
}

function foreignIn(value: Native): ForeignValue | undefined {
  const later: Native[] = [value];
  for (let next = later.pop(); next !== undefined; next = later.pop()) {
    if (next instanceof ForeignValue) return next;
    if (typeof next === "object" && next !== null) {
      for (const member of Object.values(next).toReversed()) later.push(member);
    }
  }
  return undefined;
}

function allOf(
  values: readonly CelValue[],
  calls: JsonCalls,
  make: (values: readonly JSONValue[]) => JSONValue,
): MutationOutcome<JSONValue> {
  const converted: JSONValue[] = [];
  for (const value of values) {
    const outcome = calls.call(value);
    if (outcome.kind === "error") return outcome;
    converted.push(outcome.value);
  }
  return succeeded(make(converted));
}
