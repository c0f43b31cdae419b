/**
 * Kubernetes API types and their facts, without I/O: kinds and their values, metadata, quantities, selectors, conditions, status errors.
 */
export * from "./apply-fields.ts";
export * from "./certificates/certificate-names.ts";
export * from "./failures/causes.ts";
export * from "./conditions.ts";
export * from "./failures/errors.ts";
export * from "./fields/field-errors.ts";
export * from "./selectors/field-selector.ts";
export * from "./fields/go-format.ts";
export * from "./group-version.ts";
export * from "./human-duration.ts";
export * from "./int-or-string.ts";
export { enclosed, joinPieces, type Piece } from "./json/join-pieces.ts";
export * from "./json/json-depth.ts";
export * from "./json/json-value.ts";
export { EndlessValueError, RECURSIVE_LEVELS } from "./json/levels.ts";
export * from "./kind.ts";
export { newLabelRequirement, type LabelOperator, type LabelRequirement } from "./selectors/label-requirement.ts";
export * from "./selectors/label-matcher.ts";
export * from "./selectors/label-selector.ts";
export * from "./json/lossless-json.ts";
export * from "./fields/names.ts";
export * from "./namespaced-name.ts";
export * from "./nested-field.ts";
export * from "./new-status-error.ts";
export { checkNumbers, type NumberRule, type NumberRules } from "./options/check-numbers.ts";
export * from "./options/errors.ts";
export * from "./permissions.ts";
export { pluralize, resourceNameOf } from "./pluralize.ts";
export * from "./quantity.ts";
export type { QuantityAmount, QuantityFormat } from "./long-amount.ts";
export * from "./random-string.ts";
export * from "./rest-config.ts";
export * from "./json/scalars.ts";
export * from "./status-error.ts";
export * from "./times.ts";
export * from "./failures/thrown-value.ts";
