import { compareStrings, type JSONValue, printServerJson } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import { type JsonPathStep, parseJsonPath, unfold } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../storage/api-object.ts";

/** Returns the object in a field, or undefined. */
export function objectIn(parent: MutableJsonObject | undefined, name: string): MutableJsonObject | undefined {
  const value = parent?.[name];
  return isRecord(value) ? value : undefined;
}

/** Returns the objects of the list in a field; none where there is no list. */
export function objectsIn(parent: MutableJsonObject | undefined, name: string): readonly MutableJsonObject[] {
  const value = parent?.[name];
  return Array.isArray(value) ? value.filter((item) => isRecord(item)) : [];
}

/** Returns the object in a field, which is made when absent. */
export function ensureObject(parent: MutableJsonObject, name: string): MutableJsonObject {
  const value = parent[name];
  if (isRecord(value)) {
    return value;
  }
  const made: MutableJsonObject = {};
  parent[name] = made;
  return made;
}

/** Returns a field of 64 bits as a number: an integer beyond 2^53 is a bigint, which the types of kinds do not name. */
export function numberOf(value: number | bigint): number {
  return Number(value);
}

/** Sets each field that is absent. */
export function setAbsent(parent: MutableJsonObject | undefined, defaults: MutableJsonObject): void {
  for (const [name, value] of parent === undefined ? [] : Object.entries(defaults)) {
    if ((parent as MutableJsonObject)[name] === undefined) {
      (parent as MutableJsonObject)[name] = value;
    }
  }
}

/** Sets each text that is absent or empty. */
export function setEmpty(parent: MutableJsonObject | undefined, defaults: Readonly<Record<string, string>>): void {
  for (const [name, value] of parent === undefined ? [] : Object.entries(defaults)) {
    const given = (parent as MutableJsonObject)[name];
    if (given === undefined || given === "") {
      (parent as MutableJsonObject)[name] = value;
    }
  }
}

/** Returns the text in a field, the empty string where there is none. */
export function textIn(parent: MutableJsonObject | undefined, name: string): string {
  return textOf(parent?.[name]);
}

/** Returns a value that is a text, and the empty string for any other. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the number in a field, the nearest one to an integer beyond 2^53, or undefined. */
export function numberIn(parent: MutableJsonObject | undefined, name: string): number | undefined {
  const value = parent?.[name];
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" ? value : undefined;
}

/** Returns the integer in a field, with all digits, or undefined. */
export function integerIn(parent: MutableJsonObject | undefined, name: string): number | bigint | undefined {
  const value = parent?.[name];
  return typeof value === "number" || typeof value === "bigint" ? value : undefined;
}

/** Returns the texts of the list in a field. */
export function textsIn(parent: MutableJsonObject | undefined, name: string): readonly string[] {
  const value = parent?.[name];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** Returns what stands at a simple path, or undefined. */
export function readPath(object: unknown, path: string): unknown {
  let value = object;
  for (const segment of pathSegments(path)) {
    if (!isRecord(value) || !Object.hasOwn(value, segment)) {
      return undefined;
    }
    value = value[segment];
  }
  return value;
}

/** Returns what stands at a simple path as text; the empty string when there is nothing. */
export function readText(object: unknown, path: string): string {
  const value = readPath(object, path);
  return value === undefined || value === null ? "" : typeof value === "string" ? value : printServerJson(value);
}

/** Sets what stands at a simple path, making the objects on the way. */
export function writePath(object: Record<string, unknown>, path: string, value: unknown): void {
  const segments = pathSegments(path);
  let parent = object;
  for (const segment of segments.slice(0, -1)) {
    const child = parent[segment];
    const next = isRecord(child) ? { ...child } : {};
    parent[segment] = next;
    parent = next;
  }
  const last = segments.at(-1);
  if (last !== undefined) {
    parent[last] = value;
  }
}

/** Returns all values that a path with indexes, `[*]` and filters `[?(@.a=="b")]` leads to. */
export function readAll(object: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [object];
  for (const step of parseJsonPath(path) ?? []) {
    values = values.flatMap((value) => (step.kind === "member" ? member(value, step.name) : select(value, step.text)));
  }
  return values;
}

// The names of the fields of a simple path such as `.spec.replicas` or `.spec.a['b.c']`.
function pathSegments(path: string): readonly string[] {
  const steps: readonly JsonPathStep[] = parseJsonPath(path) ?? [];
  return steps.flatMap((step) => (step.kind === "member" ? [step.name] : []));
}

interface Filter {
  readonly field: string;
  readonly expected: string;
  readonly isEqual: boolean;
}

const FILTER = /^\?\(\s*@(?<field>[^=!<>]+)(?<operator>==|!=)(?<value>[^]*)\)$/;
const VALUE = /^["']?(?<text>[^"']*)["']?$/;

function filterOf(text: string): Filter | undefined {
  const { field = "", operator, value = "" } = FILTER.exec(text)?.groups ?? {};
  const expected = VALUE.exec(value.trim())?.groups?.["text"];
  return operator === undefined || expected === undefined
    ? undefined
    : { field: field.trimEnd(), expected, isEqual: operator === "==" };
}

function select(value: unknown, text: string): readonly unknown[] {
  const filter = filterOf(text);
  if (filter !== undefined) {
    const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return items.filter((item) => (readText(item, filter.field) === filter.expected) === filter.isEqual);
  }
  if (text === "*") {
    return Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  }
  if (Array.isArray(value)) {
    const item: unknown = value.at(Number(text));
    return item === undefined ? [] : [item];
  }
  return member(value, text);
}

function member(value: unknown, name: string): readonly unknown[] {
  return isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : [];
}

/** Returns a copy of a value whose objects have their members in the order of their names, as Go prints maps. */
export function withSortedKeys(value: unknown): unknown {
  return unfold<unknown>(value, (part) => {
    if (Array.isArray(part)) return { kind: "list", items: part as readonly unknown[] };
    if (!isRecord(part)) return { kind: "value", value: part as JSONValue };
    const members = Object.entries(part).toSorted(([left], [right]) => compareStrings(left, right));
    return { kind: "object", members, isOptional: false };
  });
}

// Decoding drops empty lists and maps, as upstream's storage does; the checks of a few fields see a difference before.
const pathsOf = new WeakMap<ApiObject, ReadonlySet<string>>();

/** Notes the paths of the empty lists and maps that a request stated, and that its decoded object does not have. */
export function noteStatedEmpty(object: ApiObject, paths: readonly string[]): void {
  if (paths.length > 0) pathsOf.set(object, new Set(paths));
}

/** Returns a copy of a decoded object with sorted members, of which it is known as well what its request stated empty. */
export function withSortedMembers(object: ApiObject): ApiObject {
  const sorted = withSortedKeys(object) as ApiObject;
  const paths = pathsOf.get(object);
  if (paths !== undefined) pathsOf.set(sorted, paths);
  return sorted;
}

/** Reports whether a request stated an empty list or map where its decoded object has none. */
export function statesEmpty(object: ApiObject, path: string): boolean {
  return pathsOf.get(object)?.has(path) === true;
}
