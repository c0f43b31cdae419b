/**
 * Descriptions of the fields of built-in types in the user's cache, for `kubectl explain`, `scaffold explain`, and editors.
 */
export {
  type DescriptionCache,
  descriptionsFile,
  PREFERRED_RELEASE,
  readDescriptions,
  storeDescriptions,
} from "./description-cache.ts";
