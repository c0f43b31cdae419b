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
} from "../marker-definition.ts";

const PREFIX = "kubebuilder:validation:";

const DECIMAL: MarkerGrammar = { kind: "decimal", isWhole: false, hasComment: false };

const XVALIDATION: MarkerGrammar = argumentsOf(
  required("rule", STRING, "The CEL expression; `self` is the value, `oldSelf` the one before an update."),
  optional("message", STRING, "What the user is told when the rule is broken."),
  optional("messageExpression", STRING, "A CEL expression that makes the message."),
  optional("reason", STRING, "FieldValueInvalid, FieldValueRequired, FieldValueForbidden or FieldValueDuplicate."),
  optional("fieldPath", STRING, "The path, relative to the value, that the error names."),
  optional("optionalOldSelf", BOOLEAN, "Whether the rule also runs when there was no value before."),
);

const RULES: readonly (readonly [name: string, grammar: MarkerGrammar, summary: string])[] = [
  ["Maximum", DECIMAL, "The largest number allowed."],
  ["Minimum", DECIMAL, "The smallest number allowed."],
  ["ExclusiveMaximum", valueOf(BOOLEAN), "Whether the maximum itself is forbidden."],
  ["ExclusiveMinimum", valueOf(BOOLEAN), "Whether the minimum itself is forbidden."],
  ["MultipleOf", valueOf(NUMBER), "The number must be a multiple of this one."],
  ["MinProperties", valueOf(INTEGER), "How many properties an object has at least."],
  ["MaxProperties", valueOf(INTEGER), "How many properties an object has at most."],
  ["MaxLength", valueOf(INTEGER), "How many characters a string has at most."],
  ["MinLength", valueOf(INTEGER), "How many characters a string has at least."],
  ["Pattern", valueOf(STRING), "The regular expression that a string must match; quote it."],
  ["MaxItems", { kind: "decimal", isWhole: true, hasComment: false }, "How many items a list has at most."],
  ["MinItems", valueOf(INTEGER), "How many items a list has at least."],
  ["UniqueItems", valueOf(BOOLEAN), "Whether the items of a list must differ; API servers refuse true."],
  ["Enum", valueOf(ANYTHINGS), "The values allowed, separated by semicolons."],
  ["Format", valueOf(STRING), "The format of the value, such as `date-time` or `uri`."],
  ["Type", valueOf(STRING), "The type in the schema, in place of the one that TypeScript says."],
  ["XPreserveUnknownFields", FLAG, "Keeps fields that the schema does not name."],
  ["XEmbeddedResource", FLAG, "The value is a whole Kubernetes object with apiVersion, kind and metadata."],
  ["XIntOrString", FLAG, "The value is a whole number or a string."],
  ["XValidation", XVALIDATION, "A rule in CEL that the value must satisfy; may be repeated."],
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
