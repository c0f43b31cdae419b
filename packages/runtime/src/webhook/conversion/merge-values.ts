import { goJson, type JSONValue } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import { itemsOf, type JsonSchema } from "@kubescaffold/schema";
import { deepEqual } from "@kubescaffold/schema/values";

/** The levels of values that are compared and merged member by member; deeper ones are merged as wholes. */
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
 *
 * Guarantees: any number of levels, in time in proportion to the values.
 */
export function mergeValues(
  { was, is }: MergedValues,
  now: JSONValue | undefined,
  schema?: JsonSchema,
): JSONValue | undefined {
  return merge({ was, is }, now, { schema, levels: MERGED_LEVELS });
}

interface MergeStep {
  readonly schema: JsonSchema | undefined;
  /** The levels that are merged below this one. */
  readonly levels: number;
}

function merge({ was, is }: MergedValues, now: JSONValue | undefined, step: MergeStep): JSONValue | undefined {
  if (deepEqual(was, now)) return is;
  if (step.levels === 0) return now;
  if (Array.isArray(was) && Array.isArray(is) && Array.isArray(now)) return mergeLists(was, is, now, step);
  // An object that was absent had none of the fields.
  const before = was === undefined ? {} : was;
  return isRecord(before) && isRecord(is) && isRecord(now) ? mergeObjects(before, is, now, step) : now;
}

type Members = Readonly<Record<string, JSONValue>>;

function mergeObjects(was: Members, is: Members, now: Members, { schema, levels }: MergeStep): JSONValue {
  const { properties = {}, additionalProperties } = schema ?? {};
  const others = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const names = [...new Set([...Object.keys(now), ...Object.keys(is)])];
  const members = names.flatMap((name): readonly (readonly [string, JSONValue])[] => {
    const below = Object.hasOwn(properties, name) ? properties[name] : others;
    const value = merge({ was: was[name], is: is[name] }, now[name], { schema: below, levels: levels - 1 });
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

function mergeLists(
  was: readonly JSONValue[],
  is: readonly JSONValue[],
  now: readonly JSONValue[],
  { schema, levels }: MergeStep,
): JSONValue {
  // Without a pair for each item, the positions mean nothing.
  if (was.length !== is.length) return [...now];
  const below = schema === undefined ? undefined : itemsOf(schema);
  const partners = partnersOf(was, now, schema?.["x-kubernetes-list-map-keys"]);
  return now.map((item, index) => {
    const partner = partners[index];
    if (partner === undefined) return item;
    return merge({ was: was[partner], is: is[partner] }, item, { schema: below, levels: levels - 1 }) ?? item;
  });
}

// For each present item, the position of the earlier item that it corresponds to.
function partnersOf(
  was: readonly JSONValue[],
  now: readonly JSONValue[],
  keys: readonly string[] | undefined,
): readonly (number | undefined)[] {
  if (keys !== undefined) return partnersBy((item) => keyText(item, keys), was, now);
  const equal = partnersBy(goJson, was, now);
  if (was.length !== now.length) return equal;
  const taken = new Set(equal);
  return equal.map((partner, index) => partner ?? (taken.has(index) ? undefined : index));
}

// Lists have any length, so that a search for each item would take too long.
function partnersBy(
  textOf: (item: JSONValue) => string | undefined,
  was: readonly JSONValue[],
  now: readonly JSONValue[],
): readonly (number | undefined)[] {
  const free = new Map<string, number[]>();
  for (const [index, item] of [...was.entries()].toReversed()) {
    const text = textOf(item);
    const places = text === undefined ? [] : free.get(text);
    if (places === undefined) free.set(text as string, [index]);
    else places.push(index);
  }
  return now.map((item) => free.get(textOf(item) ?? "")?.pop());
}

function keyText(item: JSONValue, keys: readonly string[]): string | undefined {
  return isRecord(item) ? goJson(keys.map((key) => item[key] ?? null)) : undefined;
}
