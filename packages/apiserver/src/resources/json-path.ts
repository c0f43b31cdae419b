import { type JsonPathStep, parseJsonPath } from "@kubescaffold/schema";

import { isJsonObject } from "../request/json.ts";

/** Returns what stands at a simple path, or undefined. */
export function readPath(object: unknown, path: string): unknown {
  let value = object;
  for (const segment of pathSegments(path)) {
    if (!isJsonObject(value) || !Object.hasOwn(value, segment)) {
      return undefined;
    }
    value = value[segment];
  }
  return value;
}

/** Returns what stands at a simple path as text; the empty string when there is nothing. */
export function readText(object: unknown, path: string): string {
  const value = readPath(object, path);
  return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

/** Sets what stands at a simple path, making the objects on the way. */
export function writePath(object: Record<string, unknown>, path: string, value: unknown): void {
  const segments = pathSegments(path);
  let parent = object;
  for (const segment of segments.slice(0, -1)) {
    const child = parent[segment];
    const next = isJsonObject(child) ? { ...child } : {};
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

const FILTER = /^\?\(\s*@([^=!<>]+?)\s*(==|!=)\s*["']?([^"']*?)["']?\s*\)$/;

function select(value: unknown, text: string): readonly unknown[] {
  const filter = FILTER.exec(text);
  if (filter !== null) {
    const [, field = "", operator, expected] = filter;
    const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return items.filter((item) => (readText(item, field) === expected) === (operator === "=="));
  }
  if (text === "*") {
    return Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  }
  if (Array.isArray(value)) {
    const item: unknown = value.at(Number(text));
    return item === undefined ? [] : [item];
  }
  return member(value, text);
}

function member(value: unknown, name: string): readonly unknown[] {
  return isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : [];
}
