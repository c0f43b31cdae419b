import { goValue, type JSONValue } from "@kubescaffold/k8s";

import { isJsonObject, memberOf } from "../../json/json-value.ts";
import { InvalidPatchError, PatchTypeError } from "../../model/errors.ts";
import { keyFinder, requireKey, requireObject, type List } from "./patch-lists.ts";

/** Two orders that a merged list must respect: that of the patch wins over that of the live list. */
export interface ElementOrder {
  /** The name of the key by which objects are known; empty for scalars. */
  readonly mergeKey: string;
  readonly kind: "objects" | "scalars";
  readonly patchOrder: List;
  readonly serverOrder: List;
}

/** Brings a merged list into the order of the patch, with items of the server only in between where they were. */
export function orderElements(merged: List, order: ElementOrder): List {
  const isListed = listedIn(order.patchOrder, order.mergeKey);
  const isInPatch = merged.map(isListed);
  const patchItems = merged.filter((_, index) => isInPatch[index]);
  const serverItems = merged.filter((_, index) => !isInPatch[index]);
  const sortedPatch = sortByOrder(patchItems, order.patchOrder, order);
  const sortedServer = sortByOrder(serverItems, order.serverOrder, order);
  return interleave(sortedServer, sortedPatch, order);
}

function listedIn(list: List, mergeKey: string): (item: JSONValue) => boolean {
  if (mergeKey === "") {
    const items = new Set(list);
    return (item) => items.has(item);
  }
  const hasKey = keyFinder(list, mergeKey);
  return (item) => hasKey(requireKey(requireObject(item), mergeKey));
}

type KeyedBy = Pick<ElementOrder, "mergeKey" | "kind">;

/** Sorts items by where they stand in another list; items that are to be deleted go last. */
export function sortByOrder(items: List, order: List, keyed: KeyedBy): List {
  if (keyed.kind === "scalars") {
    return sorted(items, order, keyed);
  }
  [...items, ...order].forEach((item) => requireKey(requireObject(item), keyed.mergeKey));
  const toDelete = items.filter(isDeletion);
  return [
    ...sorted(
      items.filter((item) => !isDeletion(item)),
      order,
      keyed,
    ),
    ...toDelete,
  ];
}

// Upstream's comparison calls everything that is not listed smaller than what stands before it; insertion, its way of
// sorting short lists, moves such an item to the front at its time: before the listed item that was the first until then.
function sorted(items: List, order: List, keyed: KeyedBy): List {
  const positionOf = positionsIn(order, keyed);
  const listed: ListedItem[] = [];
  const last: JSONValue[] = [];
  let first: ListedItem | undefined;
  for (const item of items) {
    const position = positionOf(item);
    if (position < 0) {
      (first?.before ?? last).push(item);
      continue;
    }
    const current: ListedItem = { item, position, before: [] };
    listed.push(current);
    if (first === undefined || position < first.position) first = current;
  }
  listed.sort((left, right) => left.position - right.position);
  return [...listed.flatMap(({ item, before }) => [...before.reverse(), item]), ...last.reverse()];
}

interface ListedItem {
  readonly item: JSONValue;
  readonly position: number;
  /** The items that go before it, the last one first. */
  readonly before: JSONValue[];
}

/** Reports whether an item of a patch's list asks for the deletion of its counterpart. */
function isDeletion(item: JSONValue): boolean {
  return isJsonObject(item) && memberOf(item, "$patch") === "delete";
}

// The order given by the live list decides where both are known there; otherwise the patch goes first.
function interleave(server: List, patch: List, order: ElementOrder): List {
  const positionOf = positionsIn(order.serverOrder, order);
  const result: JSONValue[] = [];
  let next = 0;
  for (const item of patch) {
    const position = positionOf(item);
    for (
      let before = server[next];
      before !== undefined && isBetween(positionOf(before), position);
      before = server[next]
    ) {
      result.push(before);
      next++;
    }
    result.push(item);
  }
  return [...result, ...server.slice(next)];
}

function isBetween(server: number, patch: number): boolean {
  return server >= 0 && server < patch;
}

// Looks items up by key, or themselves where they are scalars; what is not listed is at -1.
function positionsIn(list: List, keyed: KeyedBy): (item: JSONValue) => number {
  const positions = new Map<JSONValue | undefined, number>();
  list.forEach((item, index) => {
    const key = keyOf(item, keyed);
    if (!positions.has(key)) {
      positions.set(key, index);
    }
  });
  return (item) => positions.get(keyOf(item, keyed)) ?? -1;
}

function keyOf(item: JSONValue, { mergeKey, kind }: KeyedBy): JSONValue | undefined {
  if (kind === "scalars") {
    return item;
  }
  return isJsonObject(item) ? memberOf(item, mergeKey) : undefined;
}

/** Checks that a patch's list agrees with the `$setElementOrder` list beside it: same order, nothing besides. */
export function checkOrderList(patchList: List, orderList: List, mergeKey: string): void {
  if (orderList.length === 0 || patchList.length === 0) {
    return;
  }
  const items = mergeKey === "" ? patchList : patchList.filter((item) => !isDeletion(requireObject(item)));
  let patchIndex = 0;
  let orderIndex = 0;
  while (patchIndex < items.length && orderIndex < orderList.length) {
    const item = items[patchIndex];
    if (isJsonObject(item) && memberOf(item, "$patch") !== undefined) {
      patchIndex++;
      continue;
    }
    if (hasSameKey(item ?? null, orderList[orderIndex] ?? null, mergeKey)) {
      patchIndex++;
    }
    orderIndex++;
  }
  if (patchIndex < items.length) {
    throw new PatchTypeError(
      `The order in patch list:\n${goValue(patchList)}\n doesn't match $setElementOrder list:\n${goValue(orderList)}\n`,
    );
  }
}

/** Reports whether two items are the same one, by their key or, for scalars, themselves. */
export function hasSameKey(left: JSONValue, right: JSONValue, mergeKey: string): boolean {
  if (mergeKey === "") {
    return left === right;
  }
  const [leftItem, rightItem] = [requireObject(left), requireObject(right)];
  return requireKey(leftItem, mergeKey) === requireKey(rightItem, mergeKey);
}

/** Returns the field that a directive such as `$setElementOrder/ports` names. */
export function directiveField(key: string, directive: string): string {
  const slash = key.indexOf("/");
  if (slash < 0 || key.slice(0, slash) !== directive) {
    throw new InvalidPatchError(
      directive === "$setElementOrder"
        ? "invalid patch format of setElementOrder list"
        : "invalid patch format of primitive list",
    );
  }
  return key.slice(slash + 1);
}
