import type { JSONValue } from "@kubescaffold/k8s";

import { type DeepCalls, runDeep } from "../json/deep-calls.ts";
import { isJsonList, isJsonObject, memberOf, setMember } from "../json/json-value.ts";
import type { JsonSchema, SchemaOptions } from "../model/json-schema.ts";
import { shapeOf } from "./merge-shape.ts";

/** Merges what an owner applies into an object; the inputs are not changed. */
export function mergeValues(
  live: JSONValue,
  applied: JSONValue,
  { schema, ...options }: SchemaOptions & { readonly schema: JsonSchema },
): JSONValue {
  return runDeep<Merge, JSONValue>(
    { live, applied, schema },
    { run: (task, calls) => merge(task, calls, options), placeholder: null },
  );
}

interface Merge {
  readonly live: JSONValue;
  readonly applied: JSONValue;
  readonly schema: JsonSchema;
}

function merge(
  { live, applied, schema }: Merge,
  calls: DeepCalls<Merge, JSONValue>,
  options: SchemaOptions,
): JSONValue {
  if (typeof applied !== "object") return applied;
  if (applied === null) return mergeNull(live, schema, options);
  const shape = shapeOf(schema, applied, options);
  if (shape.kind === "map" && isJsonObject(live) && isJsonObject(applied)) {
    const merged: { [name: string]: JSONValue } = {};
    for (const name of Object.keys(live)) {
      const [left = null, right] = [live[name], memberOf(applied, name)];
      const task = right === undefined ? undefined : { live: left, applied: right, schema: shape.fieldOf(name).schema };
      setMember(merged, name, task === undefined ? left : calls.call(task));
    }
    for (const name of Object.keys(applied)) {
      if (memberOf(live, name) === undefined) setMember(merged, name, applied[name] ?? null);
    }
    return merged;
  }
  if (shape.kind !== "list" || !isJsonList(live) || !isJsonList(applied)) return applied;
  return mergeLists(live, applied, (item) => shape.elementOf(item)).map(({ left, right }) =>
    left === undefined || right === undefined
      ? (right ?? left ?? null)
      : calls.call({ live: left, applied: right, schema: shape.items }),
  );
}

// Null is an object or a list without elements, and merging removes none: what a manager no longer states is removed afterwards.
function mergeNull(live: JSONValue, schema: JsonSchema, options: SchemaOptions): JSONValue {
  const isFilled = isJsonObject(live) ? Object.keys(live).length > 0 : isJsonList(live) && live.length > 0;
  return isFilled && shapeOf(schema, live, options).kind !== "leaf" ? live : null;
}

interface ListPair {
  readonly left: JSONValue | undefined;
  readonly right: JSONValue | undefined;
}

// What is applied keeps its order; what only the object has stays behind the element that it stood behind.
function mergeLists(
  live: readonly JSONValue[],
  applied: readonly JSONValue[],
  elementOf: (item: JSONValue) => string,
): readonly ListPair[] {
  const lefts = live.map((item) => elementOf(item));
  const rights = applied.map((item) => elementOf(item));
  const places = firstPlaces(lefts);
  const wanted = new Set(rights);
  const shared = rights.filter((each) => places.has(each));
  const merged: ListPair[] = [];
  const taken = new Set<string>();
  let [l, r, s] = [0, 0, 0];
  while (l < lefts.length || r < rights.length) {
    const [left, right] = [lefts[l], rights[r]];
    if (left !== undefined && !wanted.has(left)) {
      merged.push({ left: live[l], right: undefined });
      l += 1;
    } else if (left !== undefined && left === right) {
      l += 1;
      take(right);
    } else if (left !== undefined && right !== undefined && s < shared.length && shared[s] !== left) {
      // A shared element has its place where it is applied.
      l += 1;
    } else {
      if (left !== undefined && taken.has(left)) l += 1;
      take(right);
    }
  }
  return merged;

  function take(right: string | undefined): void {
    if (right === undefined) return;
    const place = places.get(right);
    merged.push({ left: place === undefined ? undefined : live[place], right: applied[r] });
    taken.add(right);
    if (shared[s] === right) s += 1;
    r += 1;
  }
}

function firstPlaces(elements: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, element] of elements.entries()) {
    if (!places.has(element)) places.set(element, index);
  }
  return places;
}
