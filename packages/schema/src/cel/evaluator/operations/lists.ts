import { CelArray, elementsOf } from "../../values/cel-list.ts";
import { CelOptional, NO_VALUE, optionalValue } from "../../values/cel-optional.ts";
import { CelDuration } from "../../values/cel-time.ts";
import { CelError, CelList, CelMap, CelObject, CelUint, type CelValue } from "../../values/cel-value.ts";
import { equalAs, noSuchOverload } from "../../values/equality.ts";
import { runtimeType } from "../../values/runtime-type.ts";
import { add, compareValues } from "./arithmetic.ts";
import { insertEntry } from "./collected-values.ts";
import type { Invoke, Operations } from "./invoke.ts";

const COMPARABLE = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
const ZEROS: Readonly<Record<string, CelValue>> = {
  int: 0n,
  uint: new CelUint(0n),
  double: 0,
  duration: new CelDuration(0n),
};

/** Implements functions of lists, sets and optionals. */
export const LISTS: Operations = {
  ...Object.fromEntries(
    COMPARABLE.flatMap((type) => [
      [`list_${type}_is_sorted_bool`, onList(isSorted)],
      [`list_${type}_min_${type}`, onList((list) => extreme(list, "min"))],
      [`list_${type}_max_${type}`, onList((list) => extreme(list, "max"))],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ZEROS).map(([type, zero]) => [`list_${type}_sum_${type}`, onList((list) => sum(list, zero))]),
  ),
  list_a_index_of_int: onList((list, item) => BigInt(elementsOf(list).findIndex((one) => equalAs(one, item) === true))),
  list_a_last_index_of_int: onList((list, item) =>
    BigInt(elementsOf(list).findLastIndex((one) => equalAs(one, item) === true)),
  ),
  list_slice: onList((list, start, end) => slice(list, Number(start), Number(end))),
  list_flatten: onList((list) => flatten(list, 1)),
  list_flatten_int: onList((list, depth) => flatten(list, Number(depth))),
  sort: onList((list) => sortBy(list, list)),
  "@sortByAssociatedKeys": onList((list, keys) => (keys instanceof CelList ? sortBy(list, keys) : noSuchOverload())),
  lists_range: (count) => range(Number(count)),
  list_reverse: onList((list) => new CelArray(elementsOf(list).toReversed())),
  list_distinct: onList((list) => distinct(list)),
  list_sets_contains_list: onList((list, part) => contains(list, part)),
  list_sets_equivalent_list: onList((list, other) => equivalent(list, other)),
  list_sets_intersects_list: onList((list, other) => {
    return other instanceof CelList && elementsOf(list).some((element) => other.contains(element) === true);
  }),
  "@mapInsert_map_key_value": (map, key = null, value = null) =>
    map instanceof CelMap ? insertEntry(map, key, value) : noSuchOverload(),
  "@mapInsert_map_map": (map, added) =>
    map instanceof CelMap && added instanceof CelMap ? insertAll(map, added) : noSuchOverload(),
  optional_of: (value = null) => new CelOptional(value),
  optional_ofNonZeroValue: (value = null) => (isZero(value) ? NO_VALUE : new CelOptional(value)),
  optional_none: () => NO_VALUE,
  optional_value: (optional) => (optional instanceof CelOptional ? optional.value() : noSuchOverload()),
  optional_hasValue: (optional) => optional instanceof CelOptional && optional.held !== undefined,
  optional_unwrap: onList(unwrap),
  optional_unwrapOpt: onList(unwrap),
  list_first: onList((list) => optionalValue(list.length === 0 ? undefined : list.at(0))),
  list_last: onList((list) => optionalValue(list.length === 0 ? undefined : list.at(list.length - 1))),
};

function onList(work: (list: CelList, first: CelValue, second: CelValue) => CelValue): Invoke {
  return (list, first = null, second = null) =>
    list instanceof CelList ? work(list, first, second) : noSuchOverload();
}

// A list that is longer exceeds the limit of an expression's cost, which is a million, when it is there.
const LONGEST_RANGE = 1_000_001;

function range(count: number): CelValue {
  const length = Math.min(Math.max(count, 0), LONGEST_RANGE);
  return new CelArray(Array.from({ length }, (_, index) => BigInt(index)));
}

// What cannot be compared with the element before it does not stand in the wrong order.
function isSorted(list: CelList): CelValue {
  const elements = elementsOf(list);
  return elements.every((element, index) => index === 0 || compareValues(elements[index - 1] ?? null, element) !== 1);
}

function sum(list: CelList, zero: CelValue): CelValue {
  let total = zero;
  for (const element of elementsOf(list)) {
    total = add(total, element);
    if (total instanceof CelError) return total;
  }
  return total;
}

function extreme(list: CelList, name: "min" | "max"): CelValue {
  const [first, ...rest] = elementsOf(list);
  if (first === undefined) return new CelError(`${name} called on empty list`);
  const better = name === "min" ? 1 : -1;
  let best = first;
  for (const element of rest) if (compareValues(best, element) === better) best = element;
  return best;
}

function slice(list: CelList, start: number, end: number): CelValue {
  const call = `cannot slice(${String(start)}, ${String(end)})`;
  if (start < 0 || end < 0) return new CelError(`${call}, negative indexes not supported`);
  if (start > end) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (end > list.length) return new CelError(`${call}, list is length ${String(list.length)}`);
  return new CelArray(Array.from({ length: end - start }, (_, index) => list.at(start + index)));
}

function flatten(list: CelList, depth: number): CelValue {
  if (depth < 0) return new CelError("level must be non-negative");
  return new CelArray(flattened(list, depth));
}

function flattened(list: CelList, depth: number): readonly CelValue[] {
  return elementsOf(list).flatMap((element) =>
    element instanceof CelList && depth > 0 ? flattened(element, depth - 1) : [element],
  );
}

function sortBy(list: CelList, keys: CelList): CelValue {
  if (list.length !== keys.length) {
    const sizes = `${String(list.length)} and ${String(keys.length)} elements respectively`;
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${sizes}`,
    );
  }
  if (list.length === 0) return list;
  const all = elementsOf(keys);
  const type = runtimeType(all[0] ?? null).name;
  if (!["int", "uint", "double", "bool", "string", "bytes"].includes(type) && !type.startsWith("google.protobuf.")) {
    return new CelError("list elements must be comparable");
  }
  if (all.some((key) => runtimeType(key).name !== type)) return new CelError("list elements must have the same type");
  const order = all.map((_, index) => index);
  order.sort((left, right) => Number(compareValues(all[left] ?? null, all[right] ?? null)));
  return new CelArray(order.map((index) => list.at(index)));
}

function distinct(list: CelList): CelValue {
  if (list.length === 0) return list;
  const kept: CelValue[] = [];
  for (const element of elementsOf(list)) {
    if (!kept.some((one) => equalAs(element, one) === true)) kept.push(element);
  }
  return new CelArray(kept);
}

function contains(list: CelList, part: CelValue): CelValue {
  if (!(part instanceof CelList)) return noSuchOverload();
  for (const element of elementsOf(part)) {
    const isThere = list.contains(element);
    if (isThere !== true) return isThere;
  }
  return true;
}

function equivalent(list: CelList, other: CelValue): CelValue {
  const isThere = contains(list, other);
  return isThere === true && other instanceof CelList ? contains(other, list) : isThere;
}

function insertAll(map: CelMap, added: CelMap): CelValue {
  let result: CelValue = map;
  for (const key of added.keys()) {
    result = result instanceof CelMap ? insertEntry(result, key, added.find(key) ?? null) : result;
  }
  return result;
}

function unwrap(list: CelList): CelValue {
  const held: CelValue[] = [];
  for (const element of elementsOf(list)) {
    if (!(element instanceof CelOptional)) return new CelError("value is not optional");
    if (element.held !== undefined) held.push(element.held);
  }
  return new CelArray(held);
}

function isZero(value: CelValue): boolean {
  if (value instanceof CelObject) return value.isZero() === true;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  return value === null || value === false || value === 0 || value === 0n || value === "";
}
