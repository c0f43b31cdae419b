import type { JsonSchema } from "../../model/json-schema.ts";

const TEXT: JsonSchema = { type: "string" };
const METADATA: JsonSchema = { type: "object", properties: { name: TEXT, generateName: TEXT } };
const LONGEST_NAME = 253;

export function isEmbeddedResource(schema: JsonSchema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

/** Returns the schema of a resource with what rules may read of every one: apiVersion, kind and the names in metadata, which may have a bound. */
export function withResourceFields(schema: JsonSchema, boundsNames = false): JsonSchema {
  const { properties } = schema;
  const metadata = properties?.["metadata"];
  const hasAll =
    properties?.["kind"]?.type === "string" &&
    properties["apiVersion"]?.type === "string" &&
    metadata?.type === "object" &&
    metadata.properties?.["name"]?.type === "string" &&
    metadata.properties["generateName"]?.type === "string";
  return hasAll
    ? schema
    : {
        ...schema,
        properties: {
          ...properties,
          kind: TEXT,
          apiVersion: TEXT,
          metadata: boundsNames ? boundedMetadata(metadata) : METADATA,
        },
      };
}

// The suffix of a generated name has a character at least.
function boundedMetadata(metadata: JsonSchema | undefined): JsonSchema {
  const bounded = (name: string, longest: number): JsonSchema => {
    const stated = metadata?.properties?.[name]?.maxLength ?? longest;
    return { type: "string", maxLength: stated < longest ? stated : longest };
  };
  return {
    type: "object",
    properties: { name: bounded("name", LONGEST_NAME), generateName: bounded("generateName", LONGEST_NAME - 1) },
  };
}
