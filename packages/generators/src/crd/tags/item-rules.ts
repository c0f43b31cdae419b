import type { MarkerValue, TagValue } from "../../markers/definitions/marker-definition.ts";
import type { MarkerUse } from "../../markers/read-markers.ts";
import { celFieldName } from "../model/cel-field-name.ts";
import type { SchemaNode, ValidationRule } from "../model/schema-node.ts";
import { childOf, type NamedNodes, referencesOf } from "../model/schema-parts.ts";
import { literalOf } from "./declarative-rules.ts";
import {
  argumentOf,
  groupUses,
  isProblem,
  isSame,
  listOf,
  memberOf,
  payloadOf,
  type Predicate,
  predicateOf,
  typeNameOf,
} from "./tag-predicates.ts";

/** The keys of the items of a list, by the markers of the list or of its type. */
export function keysOf(node: SchemaNode, typeOf: NamedNodes): readonly string[] {
  const nodes = [node, ...referencesOf(node, typeOf).map((each) => typeOf(each))];
  const found = nodes.map((each) => each["x-kubernetes-list-map-keys"] ?? each.uniqueKeys);
  return found.find((each) => each !== undefined) ?? [];
}

/** Returns the condition that an item, which is written as `$`, has the keys that `+k8s:item` states. */
export function itemMatch(value: MarkerValue, node: SchemaNode, typeOf: NamedNodes): Predicate {
  const items = childOf(node, typeOf, (each) => each.items);
  const keys = keysOf(node, typeOf);
  if (items === undefined || keys.length === 0)
    return ["needs a list whose items have keys", "add +k8s:listType=map and +k8s:listMapKey above it"];
  const given = (value as TagValue).arguments;
  const isComplete = Object.keys(given).length === keys.length && keys.every((key) => Object.hasOwn(given, key));
  if (!isComplete) return ["does not have exactly the keys of the list", `state ${listOf(keys)}`];
  const conditions: string[] = [];
  for (const key of keys) {
    const member = memberOf(items, key, typeOf);
    if (typeof member === "string" || Array.isArray(member)) return member as Predicate;
    const type = typeNameOf(member as SchemaNode, typeOf);
    const literal = literalOf(type, given[key] ?? null);
    if (literal === undefined)
      return [
        `has a value of ${key} that does not fit its type, which is ${type ?? "not known"}`,
        "quote the value of a string, and write that of an integer or a boolean without quotes",
      ];
    const field = `$.${celFieldName(key)}`;
    conditions.push(`has(${field}) && ${field} == ${literal}`);
  }
  return conditions.join(" && ");
}

// Tags that other rules express.
const ELSEWHERE = new Set(["k8s:immutable", "k8s:unionMember", "k8s:zeroOrOneOfMember", "k8s:ifEnabled"]);

/** Returns the rule of each item for `+k8s:item`; undefined if the rules of the object or of a union have it. */
export function itemRule(
  value: MarkerValue,
  node: SchemaNode,
  typeOf: NamedNodes,
): ValidationRule | readonly [message: string, hint: string] | undefined {
  const match = itemMatch(value, node, typeOf);
  if (isProblem(match)) return match;
  const payload = payloadOf(value);
  if (ELSEWHERE.has(payload.name)) return undefined;
  const isOther = `!(${match.replaceAll("$", () => "self")})`;
  const name = Object.entries((value as TagValue).arguments)
    .map(([key, each]) => `${key} ${JSON.stringify(each)}`)
    .join(" and ");
  if (payload.name === "k8s:update" && payload.value === "NoModify")
    return { rule: `${isOther} || self == oldSelf`, message: `the item with ${name} may not be modified` };
  if (payload.name !== "k8s:subfield")
    return [
      `cannot contain +${payload.name}`,
      "use +k8s:subfield, +k8s:immutable, +k8s:unionMember, or +k8s:update=NoModify",
    ];
  if (payloadOf(payload.value).name === "k8s:immutable") return undefined;
  const view = childOf(node, typeOf, (each) => each.items) ?? {};
  const predicate = predicateOf(payload, { text: "self", view, typeOf });
  if (isProblem(predicate)) return predicate;
  const check = `${isOther} || ${predicate}`;
  return {
    rule: `${check} || oldSelf.hasValue() && ${isSame("self", "oldSelf.value()", argumentOf(payload.value, "field"))}`,
    message: `the item with ${name} is invalid`,
    optionalOldSelf: true,
    withoutOldSelf: check,
  };
}

const UNIONS = [
  { tag: "k8s:unionMember", limit: "== 1", text: "exactly one of these items must be in the list" },
  { tag: "k8s:zeroOrOneOfMember", limit: "<= 1", text: "at most one of these items may be in the list" },
] as const;

/** Returns the rules of a list whose items are the members of unions. */
export function itemUnionRules(
  markers: readonly MarkerUse[],
  node: SchemaNode,
  typeOf: NamedNodes,
): readonly ValidationRule[] {
  return UNIONS.flatMap(({ tag, limit, text }) => {
    const members = markers.filter(({ name, value }) => name === "k8s:item" && payloadOf(value).name === tag);
    const unions = groupUses(members, (value) => argumentOf(payloadOf(value).value, "union"));
    return [...unions.values()].flatMap((uses) => {
      const matches = uses
        .map(({ value }) => itemMatch(value, node, typeOf))
        .filter((each) => typeof each === "string");
      if (matches.length < uses.length) return [];
      const sum = matches
        .map((match) => `(self.exists(item, ${match.replaceAll("$", () => "item")}) ? 1 : 0)`)
        .join(" + ");
      const values = uses.map(({ value }) => JSON.stringify((value as TagValue).arguments));
      // An empty list is not set, as in Go. Servers have no bound for an old list that may be absent, so that comparing with it costs too much.
      return [{ rule: `self.size() == 0 || ${sum} ${limit}`, message: `${text}: ${values.join(", ")}` }];
    });
  });
}
