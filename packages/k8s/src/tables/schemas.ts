/** Built-in resources and their schemas, each parsed on first use: the part of the tables that clients and servers need. */
export {
  builtInGroups,
  builtInResource,
  builtInResources,
  gatedResources,
  preferredVersions,
  type BuiltInResource,
  type BuiltInSubresource,
} from "./built-in-resources.ts";
export {
  builtInSchema,
  builtInSchemasOf,
  definitionKey,
  definitionNameOf,
  definitionOf,
  referenceIn,
} from "./built-in-schemas.ts";
export type { OpenApiSchema } from "./built-in-schemas.ts";
