/**
 * Facts about the built-in API: which resources there are, what their schemas say, and what controller-gen makes of
 * their structs. Everything is read on first use.
 */
export * from "./schemas.ts";
export {
  loadStructSchemas,
  patchedStructs,
  structNames,
  structSchema,
  type StructSchema,
  type StructSchemas,
} from "./struct-schemas.ts";
export { parseDescriptions, printDescriptions } from "./description-file.ts";
export {
  describeDefinition,
  describedStructSchema,
  descriptionsIn,
  type DescribedRelease,
  type DescribedSchema,
  type Descriptions,
  type TypeDescription,
  type TypeDescriptions,
} from "./descriptions.ts";
