import type { OpenApiSchema } from "@kubescaffold/k8s/tables";

import { selectedRelease } from "../conformance/selected-release.ts";

const PREFIX = "#/components/schemas/";

/** The built-in resources and schemas of the servers that are compared. */
export const { api: comparedApi } = selectedRelease();

/** Returns the schema behind references. */
export function resolved(schema: OpenApiSchema | undefined): OpenApiSchema {
  const reference = schema?.$ref ?? (schema?.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
  return reference === undefined ? (schema ?? {}) : (comparedApi.schema(reference.slice(PREFIX.length)) ?? {});
}
