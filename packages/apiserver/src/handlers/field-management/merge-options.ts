import { withoutBelow, type FieldSet, type JsonSchema, type OwnershipOptions } from "@kubescaffold/schema";

import { builtInJsonSchema } from "../../resources/built-in/built-in-json-schema.ts";
import type { ResourceType } from "../../resources/resource-type.ts";

/** What is known of a kind whose objects are merged. */
export type MergedType = Pick<ResourceType, "group" | "version" | "kind" | "schema" | "subresourceTypes">;

/** Returns by which schema the objects of a resource are merged, and which fields requests to a resource or subresource cannot own. */
export function mergeOptionsOf(type: MergedType, subresource: string): OwnershipOptions {
  const builtIn = builtInJsonSchema(type);
  const schema = type.schema === undefined ? builtIn.schema : withObjectFields(type.schema() ?? OPEN);
  const reset = resetFields(type, subresource);
  return { schema, resolve: builtIn.resolve, filter: (set) => withoutBelow(set, reset) };
}

const OPEN: JsonSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const OBJECT_META: JsonSchema = { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" };
const TEXT: JsonSchema = { type: "string" };

// The schema of a custom resource says nothing of what all objects have.
function withObjectFields(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...schema.properties, apiVersion: TEXT, kind: TEXT, metadata: OBJECT_META } };
}

// What the strategy takes over from the stored object whatever a request says.
function resetFields(type: MergedType, subresource: string): FieldSet {
  const whole = { isMember: true, children: new Map() };
  const hasStatus = type.subresourceTypes.some(({ name }) => name === "status");
  if (subresource === "status")
    return new Map([
      ["f:metadata", whole],
      ["f:spec", whole],
    ]);
  return hasStatus ? new Map([["f:status", whole]]) : new Map();
}
