/**
 * What a schema does to an object, without I/O: {@link validate} it, {@link prune} what it does not know, {@link applyDefaults},
 * say whether a CRD may carry it ({@link checkStructural}); and patches, applied and created as kube-apiserver and its clients do.
 */
export * from "./model/errors.ts";
export { formatPointer, parsePointer } from "./json/json-pointer.ts";
export { createJsonMergePatch, createJsonPatch } from "./patch/create-patch.ts";
export { applyJsonMergePatch } from "./patch/json-merge-patch.ts";
export { applyStrategicMergePatch, type StrategicMergeOptions } from "./patch/strategic/apply-strategic-merge-patch.ts";
export { createThreeWayJsonMergePatch } from "./patch/three-way-merge-patch.ts";
export { createStrategicMergePatch } from "./patch/strategic/create-strategic-merge-patch.ts";
export { compilePattern, type CompiledPattern } from "./text/regexp.ts";
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
  withoutBelow,
  differenceOf as fieldsWithout,
  type FieldNode,
  type FieldSet,
} from "./structured-merge/field-set.ts";
export { mergeValues } from "./structured-merge/merge-values.ts";
export { applyInVersions, type MergeVersions } from "./structured-merge/apply-in-versions.ts";
export { reconciledFields } from "./structured-merge/reconciled-fields.ts";
export { typedError } from "./structured-merge/typed-error.ts";
export { checkStructural, type StructuralOptions } from "./structural/check-structural.ts";
export {
  defineSchema,
  type KindScope,
  type RuleValidation,
  type Schema,
  type SchemaTraits,
  type TypedValidateOptions,
} from "./typed-schema.ts";
export { validate, type ValidateOptions } from "./validate.ts";
export * from "./values.ts";
export { isKnownFormat } from "./formats/string-formats.ts";
