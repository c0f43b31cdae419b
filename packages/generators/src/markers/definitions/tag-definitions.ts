import {
  type ArgumentDefinition,
  FLAG,
  type MarkerDefinition,
  type MarkerGrammar,
  type MarkerTarget,
  optional,
  required,
  STRING,
  type TagGrammar,
  valueOf,
} from "./marker-definition.ts";

const BOTH: readonly MarkerTarget[] = ["type", "field"];
const FIELD: readonly MarkerTarget[] = ["field"];

const UNION = optional("union", STRING, "The name of the union, if the type has several.");
const MODALITY = optional("modality", STRING, "The name of the discriminator, if the type has several.");
const SINCE = optional(
  "since",
  STRING,
  "The Kubernetes version that added the validation, such as 1.37; without effect.",
);

/** Tags of validation-gen about several properties, about parts of values, and about updates. */
export const TAG_DEFINITIONS: readonly MarkerDefinition[] = [
  tag("k8s:unionMember", FIELD, "Makes the property a member of a union, of which exactly one member must be set.", {
    arguments: [UNION, optional("memberName", STRING, "The value of the discriminator. Default: the name as in Go.")],
  }),
  tag(
    "k8s:unionDiscriminator",
    FIELD,
    "Makes the string the discriminator of a union, which names the member that is set.",
    {
      arguments: [UNION],
    },
  ),
  tag(
    "k8s:zeroOrOneOfMember",
    FIELD,
    "Makes the property a member of a union, of which at most one member may be set.",
    {
      arguments: [UNION, optional("memberName", STRING, "A name of the member; without effect.")],
    },
  ),
  tag("k8s:dependentRequired", FIELD, "Requires another property when this one is set.", {
    arguments: [positional("field", "The other property.")],
  }),
  tag("k8s:dependentForbidden", FIELD, "Forbids another property when this one is set.", {
    arguments: [positional("field", "The other property.")],
  }),
  tag("k8s:modeDiscriminator", FIELD, "Makes the string or boolean the mode that `+k8s:ifMode` refers to.", {
    arguments: [MODALITY],
  }),
  tag("k8s:ifMode", FIELD, "Validates the property in one mode; modes without this tag forbid the property.", {
    arguments: [positional("mode", "The value of the discriminator."), MODALITY],
    payload: "tag",
  }),
  plain("k8s:forbidden", FIELD, FLAG, "Forbids the property."),
  plain(
    "k8s:update",
    FIELD,
    valueOf(STRING),
    "Forbids a change in updates: NoSet, NoUnset, NoModify, NoAddItem, or NoRemoveItem; repeatable.",
  ),
  plain(
    "k8s:unique",
    BOTH,
    valueOf(STRING),
    "Requires distinct items, or distinct `+k8s:listMapKey` keys: set or map.",
  ),
  plain("k8s:customUnique", BOTH, FLAG, "Removes the check that `+k8s:unique` adds to an atomic list."),
  tag("k8s:eachVal", BOTH, "Validates each item of the list, or each value of the map.", { payload: "tag" }),
  tag("k8s:eachKey", BOTH, "Validates each key of the map.", { payload: "tag" }),
  tag("k8s:subfield", BOTH, "Validates a property of the object.", {
    arguments: [positional("field", "The property.")],
    payload: "tag",
  }),
  tag("k8s:item", BOTH, "Validates the item of the list that has these keys.", { isOpen: true, payload: "tag" }),
  plain("k8s:opaqueType", BOTH, FLAG, "Ignores the validation of the named type."),
  tag("k8s:ifEnabled", BOTH, "Validates if a server has an option, which no server has for CRDs; without effect.", {
    arguments: [positional("option", "The name of the option.")],
    payload: "tag",
  }),
  tag("k8s:ifDisabled", BOTH, "Validates unless a server has an option, which no server has for CRDs.", {
    arguments: [positional("option", "The name of the option.")],
    payload: "replacement",
  }),
  tag("k8s:alpha", BOTH, "Validates like the tag inside it.", { arguments: [SINCE], payload: "replacement" }),
  tag("k8s:beta", BOTH, "Validates like the tag inside it.", { arguments: [SINCE], payload: "replacement" }),
];

function tag(
  name: string,
  targets: readonly MarkerTarget[],
  summary: string,
  grammar: Partial<Omit<TagGrammar, "kind">>,
): MarkerDefinition {
  return plain(name, targets, { kind: "tag", arguments: [], isOpen: false, payload: "none", ...grammar }, summary);
}

function plain(
  name: string,
  targets: readonly MarkerTarget[],
  grammar: MarkerGrammar,
  summary: string,
): MarkerDefinition {
  return { name, targets, category: "CRD validation", grammar, summary };
}

function positional(name: string, summary: string): ArgumentDefinition {
  return { ...required(name, STRING, summary), isPositional: true };
}
