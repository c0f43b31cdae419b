import type { MarkerValue } from "../../markers/definitions/marker-definition.ts";
import type { SchemaNode, ValidationRule } from "../model/schema-node.ts";

/** Why a tag does not fit, or has an invalid value, with a hint; undefined if it was applied. */
type TagProblem = string | readonly [message: string, hint: string] | undefined;

type TagRule = (node: SchemaNode, value: MarkerValue) => TagProblem;

/** What the tags of validation-gen that controller-gen does not know write into a schema, by name. */
export const TAG_RULES: ReadonlyMap<string, TagRule> = new Map<string, TagRule>([
  ["k8s:minLength", count("string", (node, value) => void (node.minLength = value))],
  ["k8s:maxLength", count("string", (node, value) => void (node.maxLength = value))],
  ["k8s:maxBytes", count("string", applyMaxBytes)],
  ["k8s:minItems", count("array", (node, value) => void (node.minItems = value))],
  ["k8s:minProperties", count("object", (node, value) => void (node.minProperties = value))],
  ["k8s:maxProperties", count("object", (node, value) => void (node.maxProperties = value))],
  ["k8s:format", applyFormat],
  ["k8s:neq", applyNotEqual],
  ["k8s:monotonic", applyMonotonic],
]);

const KINDS = { string: "a string", array: "a list", object: "a map" } as const;

function count(type: keyof typeof KINDS, apply: (node: SchemaNode, value: number) => void): TagRule {
  return (node, value) => {
    if (node.type !== type || (type === "object" && node.properties !== undefined))
      return `needs ${KINDS[type]}, but the type is ${node.properties === undefined ? (node.type ?? "not known") : "a struct"}`;
    if (typeof value !== "number" || value < 0)
      return [`expects 0 or more, found ${showValue(value)}`, "use 0 or more"];
    apply(node, value);
    return undefined;
  };
}

// A string has at least as many bytes as characters, and the limit bounds the cost of the rule.
function applyMaxBytes(node: SchemaNode, bytes: number): void {
  limitLength(node, bytes);
  addRule(node, {
    rule: `bytes(self).size() <= ${String(bytes)}`,
    message: `must have at most ${String(bytes)} bytes`,
  });
}

function limitLength(node: SchemaNode, length: number): void {
  node.maxLength = Math.min(Number(node.maxLength ?? length), length);
}

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = String.raw`${LABEL}(\.${LABEL})*`;
const CASELESS = SUBDOMAIN.replaceAll("a-z0-9", "A-Za-z0-9");

interface Format {
  /** A format of OpenAPI that API servers validate. */
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  /** A condition in CEL for the expression of a string. */
  readonly rule?: (text: string) => string;
}

const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ["k8s-short-name", { format: "k8s-short-name" }],
  ["k8s-long-name", { format: "k8s-long-name" }],
  ["k8s-long-name-caseless", { pattern: `^${CASELESS}$`, maxLength: 253 }],
  ["k8s-label-value", { pattern: "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$", maxLength: 63 }],
  // Without lookahead, the pattern excludes "." and ".." by cases.
  ["k8s-path-segment-name", { pattern: String.raw`^(\.?[^./%][^/%]*|\.\.[^/%]+)?$` }],
  ["k8s-resource-pool-name", { pattern: `^${SUBDOMAIN}(/${SUBDOMAIN})*$`, maxLength: 253 }],
  ["k8s-uuid", { pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", maxLength: 36 }],
  ["k8s-label-key", { maxLength: 317, rule: isLabelKey }],
  ["k8s-prefixed-label-key", { maxLength: 317, rule: (text) => `${text}.contains('/') && ${isLabelKey(text)}` }],
  [
    "k8s-extended-resource-name",
    {
      maxLength: 308,
      rule: (text) =>
        `${text}.contains('/') && !${text}.contains('kubernetes.io/') && !${text}.startsWith('requests.') && ${isLabelKey(`'requests.' + ${text}`)}`,
    },
  ],
]);

function isLabelKey(text: string): string {
  return `!format.qualifiedName().validate(${text}).hasValue()`;
}

function applyFormat(node: SchemaNode, value: MarkerValue): TagProblem {
  if (node.type !== "string") return `needs a string, but the type is ${node.type ?? "not known"}`;
  const name = typeof value === "string" ? value : "";
  const found = FORMATS.get(name);
  if (found === undefined) return unknownFormat(name);
  const { format, pattern, maxLength, rule } = found;
  const taken = format !== undefined && node.format !== undefined ? "format" : "pattern";
  if ((pattern !== undefined && node.pattern !== undefined) || (format !== undefined && node.format !== undefined)) {
    return [
      `sets the ${taken}, which another marker sets, too`,
      "remove one of them, or use +kubebuilder:validation:XValidation for the other",
    ];
  }
  if (format !== undefined) node.format = format;
  if (pattern !== undefined) node.pattern = pattern;
  if (maxLength !== undefined) limitLength(node, maxLength);
  if (rule !== undefined) addRule(node, { rule: rule("self"), message: `must have the format ${name}` });
  return undefined;
}

function unknownFormat(name: string): readonly [message: string, hint: string] {
  const names = new Intl.ListFormat("en-US", { type: "disjunction" }).format(FORMATS.keys());
  return [`has the unknown format ${JSON.stringify(name)}`, `use ${names}, or +kubebuilder:validation:Pattern`];
}

const FORMAT_LIBRARY: Readonly<Record<string, string>> = {
  "k8s-short-name": "dns1123Label",
  "k8s-long-name": "dns1123Subdomain",
};

/** Returns the condition in CEL that an expression has a format. */
export function formatPredicate(value: MarkerValue, text: string): string | readonly [message: string, hint: string] {
  const name = typeof value === "string" ? value : "";
  const found = FORMATS.get(name);
  if (found === undefined) return unknownFormat(name);
  const { format, pattern, maxLength, rule } = found;
  const conditions: string[] = [];
  if (format !== undefined) conditions.push(`!format.${FORMAT_LIBRARY[name] ?? ""}().validate(${text}).hasValue()`);
  if (maxLength !== undefined) conditions.push(`${text}.size() <= ${String(maxLength)}`);
  if (pattern !== undefined) conditions.push(`${text}.matches(${JSON.stringify(pattern)})`);
  if (rule !== undefined) conditions.push(rule(text));
  return `(${conditions.join(" && ")})`;
}

function applyNotEqual(node: SchemaNode, value: MarkerValue): TagProblem {
  const literal = literalOf(node.type, value);
  if (literal === undefined) {
    return [
      `expects a value of the type, which is ${node.type ?? "not known"}, found ${showValue(value)}`,
      "use it with a string, an integer, or a boolean, and a value of that type",
    ];
  }
  addRule(node, { rule: `self != ${literal}`, message: `must not be ${literal}` });
  return undefined;
}

/** Returns a value in CEL; undefined if it is none of the type. */
export function literalOf(type: string | undefined, value: MarkerValue): string | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" ? JSON.stringify(value) : undefined;
    case "boolean":
      return typeof value === "boolean" ? String(value) : undefined;
    case "integer":
      return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))
        ? String(value)
        : undefined;
    default:
      return undefined;
  }
}

function applyMonotonic(node: SchemaNode): TagProblem {
  if (node.type !== "integer") return `needs an integer, but the type is ${node.type ?? "not known"}`;
  addRule(node, { rule: "self >= oldSelf", message: "must not decrease" });
  return undefined;
}

/** Adds a CEL rule to a node. */
export function addRule(node: SchemaNode, rule: ValidationRule): void {
  node["x-kubernetes-validations"] = [...(node["x-kubernetes-validations"] ?? []), rule];
}

/** Formats the value of a marker; JSON has no form for the integers that are kept exactly. */
export function showValue(value: MarkerValue): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each));
}
