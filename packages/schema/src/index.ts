/**
 * What a schema does to an object, without I/O: {@link validate} it, {@link prune} what it does not know, {@link applyDefaults},
 * say whether a CRD may carry it ({@link checkStructural}); and patches, applied and created as kube-apiserver and its clients do.
 */
export * from "./model/errors.ts";
export { formatPointer, parsePointer } from "./json/json-pointer.ts";
export * from "./patches.ts";
export * from "./structured-merge.ts";
export { compilePattern, type CompiledPattern } from "./text/regexp.ts";
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
export { isFormatOfType, isKnownFormat } from "./formats/string-formats.ts";
