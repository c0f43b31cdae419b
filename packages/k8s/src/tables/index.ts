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
export {
  builtInSchema,
  builtInSchemasOf,
  definitionKey,
  definitionNameOf,
  definitionOf,
  referenceIn,
} from "./built-in-schemas.ts";
export type { OpenApiSchema } from "./built-in-schemas.ts";
export { structNames, structSchema, type StructSchema } from "./struct-schemas.ts";
export { parseDescriptions, printDescriptions } from "./description-file.ts";
export {
  describeDefinition,
  describedStructSchema,
  descriptionsIn,
  type DescribedSchema,
  type Descriptions,
  type TypeDescription,
  type TypeDescriptions,
} from "./descriptions.ts";
