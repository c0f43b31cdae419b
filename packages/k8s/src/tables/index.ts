/**
 * Facts about the built-in API: which resources there are, what their schemas say, and what controller-gen makes of
 * their structs. Everything is read on first use.
 */
export {
  builtInGroups,
  builtInResource,
  builtInResources,
  preferredVersions,
  type BuiltInResource,
  type BuiltInSubresource,
} from "./built-in-resources.ts";
export { builtInSchema, builtInSchemasOf, definitionNameOf } from "./built-in-schemas.ts";
export type { OpenApiSchema } from "./built-in-schemas.ts";
export { structNames, structSchema, type StructSchema } from "./struct-schemas.ts";
