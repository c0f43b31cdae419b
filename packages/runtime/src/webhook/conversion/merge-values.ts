import type { JSONValue } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import { deepEqual, itemsOf, type JsonSchema } from "@kubescaffold/schema";

/** The level from which values are merged and compared as a whole: a server stores more levels than functions can call themselves. */
export const MERGED_LEVELS = 100;

/** A value before and after a change. */
export interface MergedValues {
  readonly was?: JSONValue | undefined;
  readonly is?: JSONValue | undefined;
}

/**
 * Merges a change into the present value, as a three-way merge does; where both were changed, the present value remains.
 *
 * Items of lists correspond if they have equal keys, for lists of the type `map`; else if they are equal, or have the same position in lists of
 * the same length.
 */
export function mergeValues(
  { was, is }: MergedValues,
  now: JSONValue | undefined,
  schema?: JsonSchema,
  level = 0,
): JSONValue | undefined {
  if (isSame(was, now)) return is;
  if (level === MERGED_LEVELS) return now;
  const place = { schema, level: level + 1 };
  if (Array.isArray(was) && Array.isArray(is) && Array.isArray(now)) return mergeLists(was, is, now, place);
  // An object that was absent had none of the fields.
  const before = was === undefined ? {} : was;
  return isRecord(before) && isRecord(is) && isRecord(now) ? mergeObjects(before, is, now, place) : now;
}

interface Place {
  readonly schema: JsonSchema | undefined;
  readonly level: number;
}

type Members = Readonly<Record<string, JSONValue>>;

function mergeObjects(was: Members, is: Members, now: Members, { schema, level }: Place): JSONValue {
  const { properties = {}, additionalProperties } = schema ?? {};
  const others = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const names = [...new Set([...Object.keys(now), ...Object.keys(is)])];
  const members = names.flatMap((name): readonly (readonly [string, JSONValue])[] => {
    const below = Object.hasOwn(properties, name) ? properties[name] : others;
    const value = mergeValues({ was: was[name], is: is[name] }, now[name], below, level);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

function mergeLists(
  was: readonly JSONValue[],
  is: readonly JSONValue[],
  now: readonly JSONValue[],
  { schema, level }: Place,
): JSONValue {
  // Without a pair for each item, the positions mean nothing.
  if (was.length !== is.length) return [...now];
  const below = schema === undefined ? undefined : itemsOf(schema);
  const partners = partnersOf(was, now, schema?.["x-kubernetes-list-map-keys"]);
  return now.map((item, index) => {
    const partner = partners[index];
    if (partner === undefined) return item;
    return mergeValues({ was: was[partner], is: is[partner] }, item, below, level) ?? item;
  });
}

// For each present item, the position of the earlier item that it corresponds to.
function partnersOf(
  was: readonly JSONValue[],
  now: readonly JSONValue[],
  keys: readonly string[] | undefined,
): readonly (number | undefined)[] {
  const free = new Set(was.keys());
  const take = (index: number | undefined): number | undefined => {
    if (index !== undefined) free.delete(index);
    return index;
  };
  if (keys !== undefined)
    return now.map((item) => take([...free].find((index) => haveEqualKeys(was[index], item, keys))));
  const equal = now.map((item) => take([...free].find((index) => isSame(was[index], item))));
  if (was.length !== now.length) return equal;
  return equal.map((partner, index) => partner ?? (free.has(index) ? take(index) : undefined));
}

function haveEqualKeys(left: JSONValue | undefined, right: JSONValue, keys: readonly string[]): boolean {
  return isRecord(left) && isRecord(right) && keys.every((key) => isSame(left[key], right[key]));
}

/** Reports whether two values are the same in JSON: a member that is undefined is absent. */
export function isSame(left: unknown, right: unknown, level = 0): boolean {
  if (left === right) return true;
  if (level === MERGED_LEVELS) return deepEqual(left, right);
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isSame(item, right[index], level + 1));
  if (!isRecord(left) || !isRecord(right)) return false;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSame(left[name], right[name], level + 1));
}
