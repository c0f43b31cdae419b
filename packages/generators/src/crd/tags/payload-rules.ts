import type { MarkerValue, PayloadTag } from "../../markers/definitions/marker-definition.ts";
import { celFieldName } from "../model/cel-field-name.ts";
import type { SchemaNode } from "../model/schema-node.ts";
import { childOf, type NamedNodes, valueOf } from "../model/schema-parts.ts";
import { addRule, showValue } from "./declarative-rules.ts";
import { itemRule } from "./item-rules.ts";
import { withoutValidation } from "./opaque-type.ts";
import { argumentOf, isProblem, memberOf, payloadOf, predicateOf, typeNameOf } from "./tag-predicates.ts";

type TagProblem = string | readonly [message: string, hint: string] | undefined;

/** Where a tag that contains another one is applied. */
interface TagPlace {
  /** The whole schema that the node is a part of or adds to. */
  readonly view: SchemaNode;
  readonly typeOf: NamedNodes;
  /** Whether the tag is inside another one. */
  readonly isInside: boolean;
  /** Whether the tag is above a type, whose rules do not see that the value is absent. */
  readonly isType: boolean;
  /** Applies the tag inside to the node of a part of the value. */
  readonly apply: (tag: PayloadTag, node: SchemaNode, view: SchemaNode) => TagProblem;
}

type PayloadRule = (node: SchemaNode, value: MarkerValue, place: TagPlace) => TagProblem;

/** What the tags write into a schema that contain other tags, or depend on other markers, by name. */
export const PAYLOAD_RULES: ReadonlyMap<string, PayloadRule> = new Map<string, PayloadRule>([
  ["k8s:eachVal", applyToValues],
  ["k8s:eachKey", applyToKeys],
  ["k8s:subfield", applyToProperty],
  ["k8s:item", applyToItem],
  ["k8s:forbidden", forbid],
  ["k8s:update", applyUpdate],
  ["k8s:unique", applyUnique],
  ["k8s:customUnique", applyCustomUnique],
  ["k8s:opaqueType", applyOpaqueType],
]);

// Tags about a property in its object, which values of lists and maps do not have.
const OF_PROPERTIES = new Set([
  "k8s:required",
  "k8s:optional",
  "k8s:forbidden",
  "k8s:unionMember",
  "k8s:unionDiscriminator",
  "k8s:zeroOrOneOfMember",
  "k8s:dependentRequired",
  "k8s:dependentForbidden",
  "k8s:modeDiscriminator",
  "k8s:ifMode",
]);

const CHANGE = "remove the marker or change the type";

function cannotContain({ name }: PayloadTag): TagProblem {
  return [`cannot contain +${name}`, "write it above a property"];
}

function applyToValues(node: SchemaNode, value: MarkerValue, place: TagPlace): TagProblem {
  const payload = payloadOf(value);
  if (OF_PROPERTIES.has(payload.name)) return cannotContain(payload);
  const part = partOf(node, place);
  if (part === undefined) return ["needs a list or a map", CHANGE];
  // The rules of the object express it, because added items count as changed.
  if (payload.name === "k8s:immutable") return place.isInside || place.isType ? cannotContain(payload) : undefined;
  return place.apply(payload, part.node, part.view);
}

/** Returns the items of a list or the values of a map: the node to change, and the schema that it is a part of. */
function partOf(
  node: SchemaNode,
  { view, typeOf }: TagPlace,
): { readonly node: SchemaNode; readonly view: SchemaNode } | undefined {
  const items = childOf(view, typeOf, (each) => each.items);
  const values = childOf(view, typeOf, valueOf);
  const child = items ?? values;
  if (child === undefined) return undefined;
  const own = items === undefined ? valueOf(node) : node.items;
  const part = own === undefined ? overlayOf(child, typeOf) : { ...own };
  if (items === undefined) {
    node.additionalProperties = part;
  } else {
    node.items = part;
    if (own === undefined) node.hasItemsOverlay = true;
  }
  return { node: part, view: child };
}

// What is added to a named type at one of its uses.
function overlayOf(view: SchemaNode, typeOf: NamedNodes): SchemaNode {
  const type = typeNameOf(view, typeOf);
  return type === undefined ? {} : { type };
}

function applyToKeys(node: SchemaNode, value: MarkerValue, { view, typeOf }: TagPlace): TagProblem {
  if (childOf(view, typeOf, valueOf) === undefined) return ["needs a map", CHANGE];
  const check = predicateOf(payloadOf(value), { text: "key", view: { type: "string" }, typeOf });
  if (isProblem(check)) return check;
  addRule(node, {
    rule: `self.all(key, oldSelf.hasValue() && key in oldSelf.value() || ${check})`,
    message: "a key is invalid",
    optionalOldSelf: true,
    withoutOldSelf: `self.all(key, ${check})`,
  });
  return undefined;
}

function applyToProperty(node: SchemaNode, value: MarkerValue, place: TagPlace): TagProblem {
  const name = argumentOf(value, "field");
  const payload = payloadOf(value);
  const member = memberOf(place.view, name, place.typeOf);
  if (typeof member === "string" || Array.isArray(member)) return member as readonly [string, string];
  const field = celFieldName(name);
  if (payload.name === "k8s:optional") return undefined;
  if (payload.name === "k8s:required") {
    addRule(node, {
      rule: `has(self.${field}) || oldSelf.hasValue() && !has(oldSelf.value().${field})`,
      message: `${name} must be set`,
      optionalOldSelf: true,
      withoutOldSelf: `has(self.${field})`,
    });
    return undefined;
  }
  if (payload.name === "k8s:immutable") {
    const rule = `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || self.${field} == oldSelf.${field})`;
    addRule(node, { rule, message: `${name} is immutable` });
    return undefined;
  }
  const isOfProperty = OF_PROPERTIES.has(payload.name) && payload.name !== "k8s:forbidden";
  if (isOfProperty || (payload.name === "k8s:update" && payload.value !== "NoModify")) return cannotContain(payload);
  if (payload.name === "k8s:subfield") return ["cannot contain itself", "write it above the property"];
  const own = node.properties?.[name];
  const part = own === undefined ? overlayOf(member as SchemaNode, place.typeOf) : { ...own };
  node.properties = { ...node.properties, [name]: part };
  return place.apply(payload, part, member as SchemaNode);
}

function applyToItem(node: SchemaNode, value: MarkerValue, place: TagPlace): TagProblem {
  const { view, typeOf } = place;
  const rule = itemRule(value, view === node ? node : { ...view, ...node }, typeOf);
  const payload = payloadOf(value);
  const inner = payload.name === "k8s:subfield" ? payloadOf(payload.value) : payload;
  if (inner.name === "k8s:immutable" && (place.isInside || place.isType)) return cannotContain(inner);
  if (rule === undefined) return undefined;
  if (!("rule" in rule)) return rule;
  const part = partOf(node, place);
  if (part !== undefined) addRule(part.node, rule);
  return undefined;
}

// A list with nothing in it is not set, as in Go.
function forbid(node: SchemaNode, _: MarkerValue, { view, typeOf }: TagPlace): TagProblem {
  const isMap = childOf(view, typeOf, valueOf) !== undefined;
  const isCollection = isMap || typeNameOf(view, typeOf) === "array";
  addRule(node, { rule: isCollection ? "self.size() == 0" : "false", message: "may not be set" });
  return undefined;
}

// The other constraints are rules of the object, which see that the property is absent.
function applyUpdate(node: SchemaNode, value: MarkerValue, { view, typeOf, isInside }: TagPlace): TagProblem {
  if (value !== "NoModify")
    return isInside ? [`cannot be ${showValue(value)} inside another tag`, "write it above the property"] : undefined;
  const isMap = childOf(view, typeOf, valueOf) !== undefined;
  if (isMap || typeNameOf(view, typeOf) === "array")
    return ["cannot be NoModify for lists and maps", "use +k8s:eachVal=+k8s:update=NoModify"];
  addRule(node, { rule: "self == oldSelf", message: "may not be modified once set" });
  return undefined;
}

function applyUnique(node: SchemaNode, value: MarkerValue, { view, typeOf }: TagPlace): TagProblem {
  if (typeNameOf(view, typeOf) !== "array") return ["needs a list", CHANGE];
  if (value !== "set" && value !== "map")
    return [`expects set or map, found ${JSON.stringify(value)}`, "write set or map"];
  node.uniqueItemsOf = value;
  return undefined;
}

function applyCustomUnique(node: SchemaNode, _: MarkerValue, { view, typeOf }: TagPlace): TagProblem {
  if (typeNameOf(view, typeOf) !== "array") return ["needs a list", CHANGE];
  const type = node["x-kubernetes-list-type"] ?? view["x-kubernetes-list-type"];
  if (type === "set" || type === "map")
    return [
      `has no effect on a list of type ${type}, whose items API servers compare`,
      "use +k8s:listType=atomic, and compare the items in an admission webhook",
    ];
  return undefined;
}

function applyOpaqueType(node: SchemaNode, _: MarkerValue, { view, typeOf }: TagPlace): TagProblem {
  if (view.reference === undefined) return ["needs a named type", "remove the tag, and the markers in the type"];
  const opaque = withoutValidation(view, typeOf);
  for (const key of Object.keys(node)) if (key !== "description") delete node[key as keyof SchemaNode];
  const { description: _description, ...schema } = opaque;
  Object.assign(node, schema);
  return undefined;
}
