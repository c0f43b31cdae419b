/** Built-in resources and their schemas, each parsed on first use: the part of the tables that clients and servers need. */
export { builtInApi, patchedBuiltInApi, type BuiltInApi } from "./built-in-api.ts";
export type { ReleasePatch, ResourceRow } from "./release-patch.ts";
export type { BuiltInResource, BuiltInSubresource } from "./built-in-resources.ts";
export { definitionKey, referenceIn } from "./built-in-schemas.ts";
export {
  builtInGroups,
  builtInResource,
  builtInResources,
  builtInSchema,
  builtInSchemasOf,
  definitionNameOf,
  definitionOf,
  gatedResources,
  preferredVersions,
} from "./default-api.ts";
export type { OpenApiSchema } from "./open-api-schema.ts";
