import { ANY, FLAG, type MarkerDefinition, type MarkerGrammar, STRING, valueOf } from "./marker-definition.ts";

const COUNT: MarkerGrammar = { kind: "decimal", isWhole: true, hasComment: true };

/** Tags of validation-gen that controller-gen does not know, and that a schema expresses. */
export const DECLARATIVE_DEFINITIONS: readonly MarkerDefinition[] = [
  declarative("k8s:minLength", COUNT, "The minimum length of the string in characters."),
  declarative("k8s:maxLength", COUNT, "The maximum length of the string in characters."),
  declarative("k8s:maxBytes", COUNT, "The maximum length of the string in bytes of UTF-8."),
  declarative("k8s:minItems", COUNT, "The minimum number of items of the list."),
  declarative("k8s:minProperties", COUNT, "The minimum number of keys of the map."),
  declarative("k8s:maxProperties", COUNT, "The maximum number of keys of the map."),
  declarative(
    "k8s:format",
    valueOf(STRING),
    "The format of the string, such as k8s-short-name, k8s-long-name, k8s-label-key, or k8s-uuid.",
  ),
  declarative("k8s:neq", valueOf(ANY), "A value that the string, integer, or boolean must not have."),
  declarative("k8s:monotonic", FLAG, "Forbids updates that decrease the integer."),
];

function declarative(name: string, grammar: MarkerGrammar, summary: string): MarkerDefinition {
  return { name, targets: ["type", "field"], category: "CRD validation", grammar, summary };
}

const TEST_HINT = "remove it: it is for the tests of validation-gen";
const RULE = "+kubebuilder:validation:XValidation";

/** How to express the tags of validation-gen that no marker reads, by name. */
export const UNREAD_TAGS: ReadonlyMap<string, string> = new Map([
  ["k8s:alpha", "remove this tag, and write the marker inside it on a separate line"],
  ["k8s:beta", "remove this tag, and write the marker inside it on a separate line"],
  ["k8s:customUnique", "remove it, and compare the items in an admission webhook"],
  ["k8s:customValidation", `remove it, and use ${RULE} or an admission webhook`],
  ["k8s:dependentForbidden", `use ${RULE}:rule="!has(self.a) || !has(self.b)" above the type`],
  ["k8s:dependentRequired", `use ${RULE}:rule="!has(self.a) || has(self.b)" above the type`],
  ["k8s:eachKey", `use ${RULE}:rule="self.all(key, …)"`],
  ["k8s:eachVal", "use +kubebuilder:validation:items:… for a list, or a named type with the marker for its values"],
  ["k8s:enumExclude", "remove the value from the union, or use +kubebuilder:validation:Enum"],
  ["k8s:forbidden", `remove the property, or use ${RULE}:rule="!has(self.a)" above the type`],
  ["k8s:ifDisabled", "remove it: a CRD has no feature gates; use another version of the kind"],
  ["k8s:ifEnabled", "remove it: a CRD has no feature gates; use another version of the kind"],
  ["k8s:ifMode", `use ${RULE}:rule="self.mode != 'A' || has(self.a)" above the type`],
  ["k8s:item", `use ${RULE}:rule="self.all(item, item.type != 'A' || …)"`],
  ["k8s:modeDiscriminator", `use ${RULE}:rule="self.mode != 'A' || has(self.a)" above the type`],
  ["k8s:opaqueType", "remove it, and write the markers of the type above your own type"],
  ["k8s:subfield", `use ${RULE} with the path of the field, or write the marker above the field`],
  ["k8s:unionDiscriminator", `use ${RULE}:rule="(self.type == 'A') == has(self.a)" above the type`],
  ["k8s:unionMember", "use +kubebuilder:validation:ExactlyOneOf above the type"],
  ["k8s:unique", "use +listType=set, or +listType=map with +listMapKey"],
  ["k8s:update", `use +k8s:immutable, or ${RULE} with oldSelf`],
  ["k8s:validateError", TEST_HINT],
  ["k8s:validateFalse", TEST_HINT],
  ["k8s:validateTrue", TEST_HINT],
  ["k8s:validateTrueAlpha", TEST_HINT],
  ["k8s:validateTrueBeta", TEST_HINT],
  ["k8s:zeroOrOneOfMember", "use +kubebuilder:validation:AtMostOneOf above the type"],
]);
