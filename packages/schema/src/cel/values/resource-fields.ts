import type { JsonSchema } from "../../model/json-schema.ts";

const TEXT: JsonSchema = { type: "string" };
const METADATA: JsonSchema = { type: "object", properties: { name: TEXT, generateName: TEXT } };

export function isEmbeddedResource(schema: JsonSchema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

/** Returns the schema of a resource with what rules may read of every one: apiVersion, kind and the names in metadata. */
export function withResourceFields(schema: JsonSchema): JsonSchema {
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
    : { ...schema, properties: { ...properties, kind: TEXT, apiVersion: TEXT, metadata: METADATA } };
}
