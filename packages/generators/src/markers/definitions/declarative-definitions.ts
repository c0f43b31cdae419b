import { ANY, FLAG, type MarkerDefinition, type MarkerGrammar, STRING, valueOf } from "./marker-definition.ts";
import { TAG_DEFINITIONS } from "./tag-definitions.ts";

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
  ...TAG_DEFINITIONS,
];

function declarative(name: string, grammar: MarkerGrammar, summary: string): MarkerDefinition {
  return { name, targets: ["type", "field"], category: "CRD validation", grammar, summary };
}

const TEST_HINT = "remove it: it is for the tests of validation-gen";

/** How to express the tags of validation-gen that no marker reads, by name. */
export const UNREAD_TAGS: ReadonlyMap<string, string> = new Map([
  ["k8s:customValidation", "remove it, and use +kubebuilder:validation:XValidation or an admission webhook"],
  ["k8s:enumExclude", "remove the value from the union, or use +kubebuilder:validation:Enum"],
  ["k8s:validateError", TEST_HINT],
  ["k8s:validateFalse", TEST_HINT],
  ["k8s:validateTrue", TEST_HINT],
  ["k8s:validateTrueAlpha", TEST_HINT],
  ["k8s:validateTrueBeta", TEST_HINT],
]);
