import type { SchemaNode, ValidationRule } from "../model/schema-node.ts";

/**
 * Returns a rule that an update need not meet if it leaves everything as it is that the rule is about.
 *
 * `facts` are the expressions of what it is about, for an object with a given name; `others` are further conditions of an update that changes none of it.
 * Where an object has no old value, the rule is the condition alone.
 */
export function ratchetedRule(
  check: string,
  facts: readonly ((object: string) => string)[],
  message: string,
  others: readonly string[] = [],
): ValidationRule {
  const kept = [...facts.map((fact) => `${fact("self")} == ${fact("oldSelf.value()")}`), ...others];
  return {
    rule: `oldSelf.hasValue() && ${kept.join(" && ")} || ${check}`,
    message,
    optionalOldSelf: true,
    withoutOldSelf: check,
  };
}

/**
 * Returns a finished schema with the rules that servers accept at their places: items of lists without keys have no old value.
 *
 * Guarantees: the nodes given are not changed, and nodes without such rules keep their identity.
 */
export function placeRules(node: SchemaNode, hasOld = true): SchemaNode {
  if (Object.isFrozen(node)) return node;
  const changed: SchemaNode = {};
  const { items, properties, additionalProperties } = node;
  const rules = node["x-kubernetes-validations"];
  if (rules?.some((each) => each.withoutOldSelf !== undefined) === true)
    changed["x-kubernetes-validations"] = rules.map((each) => placeRule(each, hasOld));
  if (items !== undefined) changed.items = placeRules(items, hasOld && node["x-kubernetes-list-type"] === "map");
  if (properties !== undefined) {
    const entries = Object.entries(properties).map(([name, each]) => [name, placeRules(each, hasOld)] as const);
    changed.properties = entries.every(([name, each]) => properties[name] === each)
      ? properties
      : Object.fromEntries(entries);
  }
  if (additionalProperties !== undefined && additionalProperties !== true)
    changed.additionalProperties = placeRules(additionalProperties, hasOld);
  const isSame = Object.entries(changed).every(([key, value]) => node[key as keyof SchemaNode] === value);
  return isSame ? node : { ...node, ...changed };
}

function placeRule({ withoutOldSelf, ...rule }: ValidationRule, hasOld: boolean): ValidationRule {
  if (withoutOldSelf === undefined || hasOld) return rule;
  const { optionalOldSelf: _optionalOldSelf, ...plain } = rule;
  return { ...plain, rule: withoutOldSelf };
}
