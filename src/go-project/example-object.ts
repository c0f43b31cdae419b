import type { CrdFacts, Schema } from "@kubescaffold/generators/importer";
import { valueLiteral } from "@kubescaffold/generators/typescript";
import { deepClone, type JSONValue } from "@kubescaffold/k8s";
import { asRecord, isRecord } from "@kubescaffold/platform";
import { applyDefaults, type JsonSchema, validate } from "@kubescaffold/schema";

/** Returns TypeScript for the spec of an object of a kind: that of a valid sample, else what the schema requires; nothing for a kind without a spec. */
export function exampleSpec(crd: CrdFacts, version: string, sample: unknown): string | undefined {
  const schema = crd.versions.find(({ name }) => name === version)?.schema ?? {};
  const spec = propertiesOf(schema)["spec"];
  if (!isRecord(spec)) return undefined;
  const given = isRecord(sample) && isRecord(sample["spec"]) ? sample["spec"] : {};
  const isUsable = Object.keys(given).length > 0 && isValid(spec, given);
  return valueLiteral(isUsable ? given : smallestValue(spec));
}

// The samples of some projects contain placeholders.
function isValid(schema: Schema, value: Schema): boolean {
  const [typed, complete] = [schema as JsonSchema, deepClone(value) as JSONValue];
  return validate(typed, applyDefaults(typed, complete)).length === 0;
}

/** Puts the spec of an example into a test that a scaffold wrote. */
export function withExampleSpec(text: string, spec: string | undefined): string {
  return text.replaceAll(/, spec: \{\}/gu, () => (spec === undefined ? "" : `, spec: ${spec}`));
}

// A value that has what must be there, as small as it may be.
function smallestValue(schema: Schema): unknown {
  if (schema["default"] !== undefined) return schema["default"];
  const [first] = Array.isArray(schema["enum"]) ? (schema["enum"] as readonly unknown[]) : [];
  if (first !== undefined) return first;
  switch (schema["type"]) {
    case "object": {
      const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
      const properties = propertiesOf(schema);
      return Object.fromEntries(required.map((name) => [name, smallestValue(asRecord(properties[name]))]));
    }
    case "array":
      return Array.from({ length: numberOf(schema["minItems"]) }, () => smallestValue(asRecord(schema["items"])));
    case "boolean":
      return false;
    case "integer":
    case "number":
      return Math.max(numberOf(schema["minimum"]) + (schema["exclusiveMinimum"] === true ? 1 : 0), 0);
    case "string":
      return "x".repeat(numberOf(schema["minLength"]));
    default:
      return schema["x-kubernetes-int-or-string"] === true ? 0 : {};
  }
}

function propertiesOf(schema: Schema): Schema {
  return asRecord(schema["properties"]);
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
