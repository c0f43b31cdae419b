import { builtInSchema, type OpenApiSchema } from "@kubescaffold/k8s/tables";

const PREFIX = "#/components/schemas/";

/** Returns the schema behind references. */
export function resolved(schema: OpenApiSchema | undefined): OpenApiSchema {
  const reference = schema?.$ref ?? (schema?.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
  return reference === undefined ? (schema ?? {}) : (builtInSchema(reference.slice(PREFIX.length)) ?? {});
}
