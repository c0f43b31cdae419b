import type { MarkerValue, PayloadTag, TagValue } from "../../markers/definitions/marker-definition.ts";
import type { MarkerUse } from "../../markers/read-markers.ts";
import { celFieldName } from "../model/cel-field-name.ts";
import type { SchemaNode } from "../model/schema-node.ts";
import { childOf, membersOf, type NamedNodes, valueOf } from "../model/schema-parts.ts";
import { formatPredicate, literalOf, showValue } from "./declarative-rules.ts";

/** A value that a condition in CEL is about. */
export interface Subject {
  /** The expression of the value. */
  readonly text: string;
  /** The schema of the value, its references not yet replaced. */
  readonly view: SchemaNode;
  readonly typeOf: NamedNodes;
}

/** A condition in CEL, or why the tag has none, with a hint. */
export type Predicate = string | readonly [message: string, hint: string];

/** Returns the condition of a tag for a value that is set. */
export function predicateOf({ name, value }: PayloadTag, subject: Subject): Predicate {
  const make = PREDICATES.get(name);
  if (make !== undefined) return make(value, subject);
  return [`cannot contain +${name}`, "write the tag above a property or a type"];
}

/** Reports whether a tag has no condition. */
export function isProblem(predicate: Predicate): predicate is readonly [string, string] {
  return typeof predicate !== "string";
}

/** Returns the type of a node, that of a named type included. */
export function typeNameOf(view: SchemaNode, typeOf: NamedNodes): string | undefined {
  if (view.type !== undefined || view.reference === undefined) return view.type;
  return typeNameOf(typeOf(view.reference), typeOf);
}

/** Returns the schema of a property, or of what a reference to an object has under that name. */
export function memberOf(view: SchemaNode, name: string, typeOf: NamedNodes): Predicate | SchemaNode {
  const members = membersOf(view, typeOf);
  const member = members.get(name);
  if (member !== undefined) return member;
  if (members.size === 0) return ["needs an object with properties", "remove the tag or change the type"];
  return [`names ${JSON.stringify(name)}, which the type does not have`, `use ${listOf([...members.keys()])}`];
}

/** Returns the condition that two expressions have the same value at a property, which may be absent. */
export function isSame(left: string, right: string, name: string): string {
  const field = celFieldName(name);
  return `has(${left}.${field}) == has(${right}.${field}) && (!has(${left}.${field}) || ${left}.${field} == ${right}.${field})`;
}

const LIST = new Intl.ListFormat("en-US", { type: "disjunction" });

/** Lists names, the last one after "or". */
export function listOf(names: readonly string[]): string {
  return LIST.format(names);
}

type MakePredicate = (value: MarkerValue, subject: Subject) => Predicate;

const PREDICATES: ReadonlyMap<string, MakePredicate> = new Map<string, MakePredicate>([
  ["k8s:minLength", size("string", ">=")],
  ["k8s:maxLength", size("string", "<=")],
  ["k8s:maxBytes", forType("string", (value, { text }) => `bytes(${text}).size() <= ${showValue(value)}`)],
  ["k8s:minItems", size("array", ">=")],
  ["k8s:maxItems", size("array", "<=")],
  ["k8s:minProperties", size("object", ">=")],
  ["k8s:maxProperties", size("object", "<=")],
  ["k8s:minimum", forType("integer", (value, { text }) => `${text} >= ${showValue(value)}`)],
  ["k8s:maximum", forType("integer", (value, { text }) => `${text} <= ${showValue(value)}`)],
  ["k8s:format", forType("string", (value, { text }) => formatPredicate(value, text))],
  ["k8s:neq", notEqual],
  ["k8s:eachVal", eachValue],
  ["k8s:eachKey", eachKey],
  ["k8s:subfield", ofProperty],
  ["k8s:ifEnabled", () => "true"],
]);

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  array: "a list",
  object: "a map",
  integer: "an integer",
};

function forType(type: string, make: MakePredicate): MakePredicate {
  return (value, subject) => {
    const found = typeNameOf(subject.view, subject.typeOf);
    if (found === type) return make(value, subject);
    return [
      `needs ${KINDS[type] ?? type}, but the type is ${found ?? "not known"}`,
      "remove the tag or change the type",
    ];
  };
}

function size(type: string, operator: "<=" | ">="): MakePredicate {
  return forType(type, (value, { text }) => `${text}.size() ${operator} ${showValue(value)}`);
}

function notEqual(value: MarkerValue, { text, view, typeOf }: Subject): Predicate {
  const type = typeNameOf(view, typeOf);
  const literal = literalOf(type, value);
  if (literal !== undefined) return `${text} != ${literal}`;
  return [
    `expects a value of the type, which is ${type ?? "not known"}, found ${showValue(value)}`,
    "use it with a string, an integer, or a boolean, and a value of that type",
  ];
}

/** Groups uses of a tag by a text that their values state. */
export function groupUses(
  uses: readonly MarkerUse[],
  keyOf: (value: MarkerValue) => string,
): ReadonlyMap<string, readonly MarkerUse[]> {
  const groups = new Map<string, readonly MarkerUse[]>();
  for (const use of uses) groups.set(keyOf(use.value), [...(groups.get(keyOf(use.value)) ?? []), use]);
  return groups;
}

/** Returns the tag that another tag contains. */
export function payloadOf(value: MarkerValue): PayloadTag {
  return (value as TagValue)["payload"] as PayloadTag;
}

/** Returns an argument of a tag, which is empty if it is not there. */
export function argumentOf(value: MarkerValue, name: string): string {
  const found = (value as TagValue).arguments[name];
  return typeof found === "string" ? found : "";
}

function eachValue(value: MarkerValue, { text, view, typeOf }: Subject): Predicate {
  const items = childOf(view, typeOf, (node) => node.items);
  const values = childOf(view, typeOf, valueOf);
  const variable = `v${String(text.length)}`;
  if (items !== undefined)
    return inside(
      predicateOf(payloadOf(value), { text: variable, view: items, typeOf }),
      (each) => `${text}.all(${variable}, ${each})`,
    );
  if (values === undefined) return ["needs a list or a map", "remove the tag or change the type"];
  const one = `${text}[${variable}]`;
  return inside(
    predicateOf(payloadOf(value), { text: one, view: values, typeOf }),
    (each) => `${text}.all(${variable}, ${each})`,
  );
}

const KEY: SchemaNode = { type: "string" };

function eachKey(value: MarkerValue, { text, view, typeOf }: Subject): Predicate {
  if (childOf(view, typeOf, valueOf) === undefined) return ["needs a map", "remove the tag or change the type"];
  const variable = `k${String(text.length)}`;
  const predicate = predicateOf(payloadOf(value), { text: variable, view: KEY, typeOf });
  return inside(predicate, (each) => `${text}.all(${variable}, ${each})`);
}

function inside(predicate: Predicate, wrap: (text: string) => string): Predicate {
  return isProblem(predicate) ? predicate : wrap(predicate);
}

function ofProperty(value: MarkerValue, { text, view, typeOf }: Subject): Predicate {
  const name = argumentOf(value, "field");
  const member = memberOf(view, name, typeOf);
  if (typeof member === "string" || Array.isArray(member)) return member as Predicate;
  const field = `${text}.${celFieldName(name)}`;
  const payload = payloadOf(value);
  if (payload.name === "k8s:required") return `has(${field})`;
  if (payload.name === "k8s:optional") return "true";
  if (payload.name === "k8s:forbidden") return `!has(${field})`;
  const predicate = predicateOf(payload, { text: field, view: member as SchemaNode, typeOf });
  return inside(predicate, (each) => `(!has(${field}) || ${each})`);
}
