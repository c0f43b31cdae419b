import { compareBytes } from "../compare-bytes.ts";
import type { JsonSchema } from "../crd/schema-node.ts";
import type { YamlMember, YamlNode } from "./yaml-tree.ts";

/** Turns a schema into YAML with its keywords in the order of Go's type, as controller-gen's schemapatch writes it. */
export function schemaTree(schema: JsonSchema): YamlNode {
  const keys = Object.keys(schema).toSorted((left, right) => rankOf(left) - rankOf(right));
  return mapping(keys.map((key) => [key, keywordTree(key, schema[key])]));
}

const ORDER: readonly string[] = [
  "id $schema $ref description type format title default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength",
  "pattern maxItems minItems uniqueItems multipleOf enum maxProperties minProperties required items allOf oneOf anyOf not",
  "properties additionalProperties patternProperties dependencies additionalItems definitions externalDocs example nullable",
  "x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource x-kubernetes-int-or-string x-kubernetes-list-map-keys",
  "x-kubernetes-list-type x-kubernetes-map-type x-kubernetes-validations",
].flatMap((line) => line.split(" "));
const RULE_ORDER: readonly string[] = [
  "rule",
  "message",
  "messageExpression",
  "reason",
  "fieldPath",
  "optionalOldSelf",
];

function rankOf(key: string): number {
  const rank = ORDER.indexOf(key);
  return rank === -1 ? ORDER.length : rank;
}

function keywordTree(key: string, value: unknown): YamlNode {
  switch (key) {
    case "properties":
    case "patternProperties":
    case "definitions":
      return mapping(sortedEntries(value as object).map(([name, each]) => [name, schemaTree(each as JsonSchema)]));
    case "items":
    case "additionalProperties":
    case "not":
      return typeof value === "object" ? schemaTree(value as JsonSchema) : valueTree(value);
    case "allOf":
    case "oneOf":
    case "anyOf":
      return sequence((value as readonly JsonSchema[]).map((each) => schemaTree(each)));
    case "x-kubernetes-validations":
      return sequence((value as readonly object[]).map((each) => inOrder(each, RULE_ORDER)));
    case "externalDocs":
      return inOrder(value as object, ["description", "url"]);
    case "maximum":
    case "minimum":
    case "multipleOf":
      // These are floating point numbers in Go.
      return valueTree(Number(value));
    default:
      return valueTree(value);
  }
}

function inOrder(value: object, order: readonly string[]): YamlNode {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined && each !== "");
  return mapping(
    entries
      .toSorted(([left], [right]) => order.indexOf(left) - order.indexOf(right))
      .map(([key, each]) => [key, valueTree(each)]),
  );
}

function valueTree(value: unknown): YamlNode {
  if (typeof value === "string") return { kind: "scalar", value, style: "free" };
  if (Array.isArray(value)) return sequence(value.map((each) => valueTree(each)));
  if (typeof value === "object" && value !== null)
    return mapping(sortedEntries(value).map(([key, each]) => [key, valueTree(each)]));
  return { kind: "scalar", value: String(value), style: "plain" };
}

function sortedEntries(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).toSorted(([left], [right]) => compareBytes(left, right));
}

function mapping(entries: readonly (readonly [string, YamlNode])[]): YamlNode {
  const members = entries.map(([key, value]): YamlMember => ({
    head: [],
    foot: [],
    key: { kind: "scalar", value: key, style: "free" },
    value,
  }));
  return { kind: "mapping", members, isFlow: false };
}

function sequence(values: readonly YamlNode[]): YamlNode {
  return { kind: "sequence", items: values.map((value) => ({ head: [], foot: [], value })), isFlow: false };
}
