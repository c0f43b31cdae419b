/**
 * Server-side apply: merges what managers apply, and tracks which fields each owns. It is apart from the other patches, since every write of an API server tracks
 * fields, and few are patches.
 */
export { atomicFields } from "./structured-merge/atomic-fields.ts";
export { extractApplied } from "./structured-merge/extract-applied.ts";
export {
  applyFields,
  changedFields,
  type AppliedFields,
  type ApplyOutcome,
  type FieldOwners,
  type OwnershipOptions,
} from "./structured-merge/field-ownership.ts";
export type { Comparison as FieldComparison } from "./structured-merge/compare-values.ts";
export {
  fieldSetOf,
  pathsOf,
  printFieldSet,
  unionOf,
  unionOfAll,
  withoutBelow,
  differenceOf as fieldsWithout,
  type FieldNode,
  type FieldSet,
} from "./structured-merge/field-set.ts";
export { mergeValues } from "./structured-merge/merge-values.ts";
export { applyInVersions, type MergeVersions } from "./structured-merge/apply-in-versions.ts";
export { reconciledFields } from "./structured-merge/reconciled-fields.ts";
export { typedError } from "./structured-merge/typed-error.ts";
