import { celFieldName } from "../model/cel-field-name.ts";
import type { SchemaNode, ValidationRule } from "../model/schema-node.ts";
import { childOf, type NamedNodes, referencesOf, valueOf } from "../model/schema-parts.ts";
import { itemMatch, keysOf } from "./item-rules.ts";
import { isSet, type Member, type MemberRulesOptions, usesOf } from "./members.ts";
import { argumentOf, isProblem, isSame, listOf, payloadOf } from "./tag-predicates.ts";
import { sameKeys } from "./unique-rules.ts";

const TAG = "k8s:update";
const CONSTRAINTS = ["NoSet", "NoUnset", "NoModify", "NoAddItem", "NoRemoveItem"];

/** Returns the rules of an object about updates of one of its properties: those that must see that it is absent. */
export function updateRules(member: Member, options: MemberRulesOptions): readonly ValidationRule[] {
  return [...constraintRules(member, options), ...immutableItemRules(member, options)];
}

function constraintRules(member: Member, { typeOf, report }: MemberRulesOptions): readonly ValidationRule[] {
  return usesOf(TAG, [member]).flatMap(([, { value, location }]) => {
    if (typeof value !== "string" || !CONSTRAINTS.includes(value)) {
      const message = `+${TAG} has the unknown constraint ${JSON.stringify(value)}`;
      report({ message, hint: `use ${listOf(CONSTRAINTS)}`, location });
      return [];
    }
    const [now, before] = ["self", "oldSelf"].map((object) => isSet(object, member, typeOf));
    if (value === "NoSet")
      return [{ rule: `${before} || !${now}`, message: `${member.name} may not be set once created` }];
    if (value === "NoUnset")
      return [{ rule: `!${before} || ${now}`, message: `${member.name} may not be cleared once set` }];
    if (value === "NoModify") return [];
    const items = sameItem(member.node, typeOf);
    if (items === undefined) {
      const hint = "use it with a map, or with a list of type set or map, or with +k8s:unique";
      report({
        message: `+${TAG}=${value} needs a map, or a list whose items have an identity`,
        hint,
        location,
      });
      return [];
    }
    return [
      value === "NoAddItem"
        ? { rule: eachIn("self", "oldSelf", member, items), message: `items may not be added to ${member.name}` }
        : { rule: eachIn("oldSelf", "self", member, items), message: `items may not be removed from ${member.name}` },
    ];
  });
}

type Identity =
  | { readonly kind: "map" }
  | { readonly kind: "list"; readonly isSame: (left: string, right: string) => string };

function eachIn(from: string, to: string, { name }: Member, identity: Identity): string {
  const field = celFieldName(name);
  const found =
    identity.kind === "map"
      ? `item in ${to}.${field}`
      : `${to}.${field}.exists(other, ${identity.isSame("item", "other")})`;
  return `!has(${from}.${field}) || ${from}.${field}.all(item, has(${to}.${field}) && ${found})`;
}

function sameItem(node: SchemaNode, typeOf: NamedNodes): Identity | undefined {
  if (childOf(node, typeOf, valueOf) !== undefined) return { kind: "map" };
  const nodes = [node, ...referencesOf(node, typeOf).map((each) => typeOf(each))];
  const type = nodes
    .map((each) => each.uniqueItemsOf ?? each["x-kubernetes-list-type"])
    .find((each) => each !== undefined);
  if (type === "set") return { kind: "list", isSame: (left, right) => `${left} == ${right}` };
  if (type !== "map") return undefined;
  const keys = keysOf(node, typeOf);
  return { kind: "list", isSame: (left, right) => sameKeys(left, right, keys) };
}

const IMMUTABLE = "k8s:immutable";

// In Go, an item that is added by an update has changed, too.
function immutableItemRules(
  { name, node, markers }: Member,
  { typeOf, report }: MemberRulesOptions,
): readonly ValidationRule[] {
  const field = celFieldName(name);
  return markers.flatMap((marker) => {
    if (marker.name === "k8s:eachVal" && payloadOf(marker.value).name === IMMUTABLE) {
      const isMap = childOf(node, typeOf, valueOf) !== undefined;
      const found = isMap
        ? `item in oldSelf.${field} && oldSelf.${field}[item] == self.${field}[item]`
        : `oldSelf.${field}.exists(other, other == item)`;
      const rule = `!has(self.${field}) || self.${field}.all(item, has(oldSelf.${field}) && ${found})`;
      return [{ rule, message: `items of ${name} are immutable` }];
    }
    if (marker.name !== "k8s:item") return [];
    const payload = payloadOf(marker.value);
    const isPart = payload.name === "k8s:subfield";
    if ((isPart ? payloadOf(payload.value) : payload).name !== IMMUTABLE) return [];
    const match = itemMatch(marker.value, node, typeOf);
    if (isProblem(match)) {
      report({ message: `+k8s:item ${match[0]}`, hint: match[1], location: marker.location });
      return [];
    }
    const [item, other] = ["item", "other"].map((each) => match.replaceAll("$", each));
    const same = isPart ? isSame("item", "other", argumentOf(payload.value, "field")) : "item == other";
    const found = `has(oldSelf.${field}) && oldSelf.${field}.exists(other, ${other} && ${same})`;
    const rule = `!has(self.${field}) || self.${field}.all(item, !(${item}) || ${found})`;
    return [{ rule, message: `an item of ${name} is immutable` }];
  });
}
