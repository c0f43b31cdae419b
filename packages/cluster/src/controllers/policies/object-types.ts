import type { ServerContext } from "@kubescaffold/apiserver/cluster-api";
import type { GroupVersionKind } from "@kubescaffold/k8s";
import { builtInSchema, definitionNameOf } from "@kubescaffold/k8s/schemas";
import { type DeclaredType, declareType } from "@kubescaffold/schema/cel";
import type { JsonSchema } from "@kubescaffold/schema/values";

/** Returns the type of the objects of a kind, as its OpenAPI document declares it; undefined where the kind is not served. */
export function objectType(
  { resources }: ServerContext,
  gvk: GroupVersionKind,
  name: string,
): DeclaredType | undefined {
  const schema = builtInOf(gvk) ?? customOf(resources.schemaOf(gvk));
  return schema && declareType(schema, { isResourceRoot: true, name });
}

function builtInOf(gvk: GroupVersionKind): JsonSchema | undefined {
  const name = definitionNameOf(gvk);
  return name === undefined ? undefined : withoutReferences({ $ref: `#/components/schemas/${name}` }, new Set());
}

const OBJECT_META: JsonSchema = { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" };

function customOf(schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  const metadata = withoutReferences(OBJECT_META, new Set());
  return {
    ...schema,
    type: "object",
    properties: { ...schema.properties, apiVersion: { type: "string" }, kind: { type: "string" }, metadata },
  };
}

// A schema that contains itself ends in an object without fields.
function withoutReferences(schema: JsonSchema, open: ReadonlySet<string>): JsonSchema {
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
  if (reference === undefined) return withoutReferencesBelow(schema, open);
  if (open.has(reference)) return { type: "object" };
  return withoutReferencesBelow(builtInSchema(reference) ?? {}, new Set([...open, reference]));
}

function withoutReferencesBelow(schema: JsonSchema, open: ReadonlySet<string>): JsonSchema {
  const { properties, additionalProperties, items, format } = schema;
  const below = (part: JsonSchema): JsonSchema => withoutReferences(part, open);
  return {
    ...schema,
    ...(format === "int-or-string" ? { "x-kubernetes-int-or-string": true } : {}),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, below(part)])) }),
    ...(typeof additionalProperties === "object" ? { additionalProperties: below(additionalProperties) } : {}),
    ...(items === undefined || Array.isArray(items) ? {} : { items: below(items as JsonSchema) }),
  };
}
