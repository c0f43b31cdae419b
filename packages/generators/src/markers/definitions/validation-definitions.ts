import {
  ANYTHINGS,
  argumentsOf,
  BOOLEAN,
  FLAG,
  INTEGER,
  type MarkerDefinition,
  type MarkerGrammar,
  NUMBER,
  optional,
  required,
  STRING,
  STRINGS,
  valueOf,
} from "./marker-definition.ts";

const PREFIX = "kubebuilder:validation:";

const DECIMAL: MarkerGrammar = { kind: "decimal", isWhole: false, hasComment: false };

const XVALIDATION: MarkerGrammar = argumentsOf(
  required("rule", STRING, "The CEL expression; `self` is the value, `oldSelf` the one before an update."),
  optional("message", STRING, "The error message if the rule fails."),
  optional("messageExpression", STRING, "A CEL expression that evaluates to the error message."),
  optional("reason", STRING, "FieldValueInvalid, FieldValueRequired, FieldValueForbidden, or FieldValueDuplicate."),
  optional("fieldPath", STRING, "The path of the field in the error, relative to the value."),
  optional("optionalOldSelf", BOOLEAN, "Whether a transition rule also runs without an old value."),
);

const RULES: readonly (readonly [name: string, grammar: MarkerGrammar, summary: string])[] = [
  ["Maximum", DECIMAL, "The maximum of the number."],
  ["Minimum", DECIMAL, "The minimum of the number."],
  ["ExclusiveMaximum", valueOf(BOOLEAN), "Whether the maximum is exclusive."],
  ["ExclusiveMinimum", valueOf(BOOLEAN), "Whether the minimum is exclusive."],
  ["MultipleOf", valueOf(NUMBER), "The number of which the value must be a multiple."],
  ["MinProperties", valueOf(INTEGER), "The minimum number of properties of the object."],
  ["MaxProperties", valueOf(INTEGER), "The maximum number of properties of the object."],
  ["MaxLength", valueOf(INTEGER), "The maximum length of the string in characters."],
  ["MinLength", valueOf(INTEGER), "The minimum length of the string in characters."],
  ["Pattern", valueOf(STRING), "The regular expression that a string must match; quote it."],
  ["MaxItems", { kind: "decimal", isWhole: true, hasComment: false }, "The maximum number of items of the list."],
  ["MinItems", valueOf(INTEGER), "The minimum number of items of the list."],
  ["UniqueItems", valueOf(BOOLEAN), "Whether the items of the list must be unique; API servers reject true."],
  ["Enum", valueOf(ANYTHINGS), "The allowed values, separated by semicolons."],
  ["Format", valueOf(STRING), "The format of the value, such as `date-time` or `uri`."],
  ["Type", valueOf(STRING), "The type in the schema; overrides the TypeScript type."],
  ["XPreserveUnknownFields", FLAG, "Preserves fields that the schema does not specify."],
  ["XEmbeddedResource", FLAG, "The value is a complete Kubernetes object with apiVersion, kind, and metadata."],
  ["XIntOrString", FLAG, "The value is an integer or a string."],
  ["XValidation", XVALIDATION, "A CEL validation rule for the value; repeatable."],
];

/** Markers that restrict values, on types and properties, each also with `items:` for the items of a list. */
export const VALIDATION_DEFINITIONS: readonly MarkerDefinition[] = [
  ...RULES.map(([name, grammar, summary]): MarkerDefinition => ({
    name: PREFIX + name,
    targets: ["type", "field"],
    category: "CRD validation",
    grammar,
    summary,
  })),
  ...RULES.map(([name, grammar, summary]): MarkerDefinition => ({
    name: `${PREFIX}items:${name}`,
    targets: ["type", "field"],
    category: "CRD validation",
    grammar,
    summary: `For the items of a list: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
  })),
  oneOf("ExactlyOneOf", "Exactly one of the named properties is set."),
  oneOf("AtMostOneOf", "At most one of the named properties is set."),
  oneOf("AtLeastOneOf", "At least one of the named properties is set."),
];

function oneOf(name: string, summary: string): MarkerDefinition {
  return { name: PREFIX + name, targets: ["type"], category: "CRD validation", grammar: valueOf(STRINGS), summary };
}
