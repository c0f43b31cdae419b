import type { OpenApiSchema } from "@kubescaffold/k8s/tables";

import type { Release } from "../../../apiserver/src/release/release.ts";
import { selectedRelease } from "../conformance/selected-release.ts";

const PREFIX = "#/components/schemas/";

/** Returns the built-in resources and schemas of the servers that are compared. */
export function comparedApi(): Release["api"] {
  return selectedRelease().api;
}

/** Returns the schema behind references. */
export function resolved(schema: OpenApiSchema | undefined): OpenApiSchema {
  const reference = schema?.$ref ?? (schema?.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
  return reference === undefined ? (schema ?? {}) : (comparedApi().schema(reference.slice(PREFIX.length)) ?? {});
}
