import type { MarkerUse } from "../../markers/read-markers.ts";
import type { SchemaNode } from "../model/schema-node.ts";
import type { NamedNodes } from "../model/schema-parts.ts";
import { addRule } from "./declarative-rules.ts";
import { itemUnionRules, keysOf } from "./item-rules.ts";
import { isSame } from "./tag-predicates.ts";

/** Adds the rules of a list that follow from several of its markers: those of unions of items, and those of `+k8s:unique`. */
export function addListRules(node: SchemaNode, markers: readonly MarkerUse[], typeOf: NamedNodes): void {
  for (const rule of itemUnionRules(markers, node, typeOf)) addRule(node, rule);
  const isCompared = node.uniqueItemsOf !== undefined && !markers.some(({ name }) => name === "k8s:customUnique");
  if (!isCompared) return;
  const keys = keysOf(node, typeOf);
  if (node.uniqueItemsOf === "map" && keys.length === 0) return;
  const same = node.uniqueItemsOf === "set" ? "item == other" : sameKeys("item", "other", keys);
  addRule(node, {
    rule: `self.all(item, self.exists_one(other, ${same}))`,
    message: node.uniqueItemsOf === "set" ? "items must be unique" : `items must differ in ${keys.join(" and ")}`,
  });
}

/** Returns the condition that two items of a list have the same keys. */
export function sameKeys(left: string, right: string, keys: readonly string[]): string {
  return keys.map((key) => isSame(left, right, key)).join(" && ");
}
