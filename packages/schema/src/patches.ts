/**
 * Applies and creates patches of all types, server-side apply among them, and tracks which fields they own. Unlike the main module, this one loads no engine of
 * patterns.
 */
export {
  InvalidPatchError,
  PatchNotApplicableError,
  PatchTooLargeError,
  PatchTypeError,
  UnresolvedReferenceError,
} from "./model/errors.ts";
export { createJsonMergePatch, createJsonPatch } from "./patch/create-patch.ts";
export { applyJsonMergePatch } from "./patch/json-merge-patch.ts";
export { applyStrategicMergePatch, type StrategicMergeOptions } from "./patch/strategic/apply-strategic-merge-patch.ts";
export { createThreeWayJsonMergePatch } from "./patch/three-way-merge-patch.ts";
export { createStrategicMergePatch } from "./patch/strategic/create-strategic-merge-patch.ts";
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
