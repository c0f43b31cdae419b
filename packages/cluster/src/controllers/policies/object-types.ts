import type { Release, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { BuiltInApi } from "@kubescaffold/k8s/schemas";
import { type DeclaredType, declareType } from "@kubescaffold/schema/cel";
import type { JsonSchema } from "@kubescaffold/schema/values";

/** Returns the type of the objects of a kind, as its OpenAPI document declares it; undefined where the kind is not served. */
export function objectType(
  { resources, release }: ServerContext,
  gvk: GroupVersionKind,
  name: string,
): DeclaredType | undefined {
  const schema = builtInOf(release, gvk) ?? customOf(release, resources.schemaOf(gvk));
  return schema && declareType(schema, { isResourceRoot: true, name });
}

function builtInOf({ api }: Release, gvk: GroupVersionKind): JsonSchema | undefined {
  const name = api.definitionNameOf(gvk);
  return name === undefined ? undefined : withoutReferences(api, { $ref: `#/components/schemas/${name}` }, new Set());
}

const OBJECT_META: JsonSchema = { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" };

function customOf({ api }: Release, schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  const metadata = withoutReferences(api, OBJECT_META, new Set());
  return {
    ...schema,
    type: "object",
    properties: { ...schema.properties, apiVersion: { type: "string" }, kind: { type: "string" }, metadata },
  };
}

// A schema that contains itself ends in an object without fields.
function withoutReferences(api: BuiltInApi, schema: JsonSchema, open: ReadonlySet<string>): JsonSchema {
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
  if (reference === undefined) return withoutReferencesBelow(api, schema, open);
  if (open.has(reference)) return { type: "object" };
  return withoutReferencesBelow(api, api.schema(reference) ?? {}, new Set([...open, reference]));
}

function withoutReferencesBelow(api: BuiltInApi, schema: JsonSchema, open: ReadonlySet<string>): JsonSchema {
  const { properties, additionalProperties, items, format } = schema;
  const below = (part: JsonSchema): JsonSchema => withoutReferences(api, part, open);
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
