/**
 * Reads, completes, and patches JSON values, without validating them against schemas: what a server needs before its first write. Unlike the main module,
 * this one loads no engine of patterns.
 */
export * from "./apply-defaults.ts";
export * from "./contains-rules.ts";
export * from "./definition-paths.ts";
export { requestUrlHost } from "./formats/network.ts";
export { deepEqual } from "./json/deep-equal.ts";
export { isJsonList, isJsonObject, type JsonObject } from "./json/json-value.ts";
export { type DeepCalls, runDeep } from "./json/deep-calls.ts";
export { unfold, type Unfolded } from "./json/unfold.ts";
export {
  additionalSchemaOf,
  itemsOf,
  propertyOf,
  type JsonSchema,
  type SchemaOptions,
  type SchemaResolver,
  type ValidationRule,
} from "./model/json-schema.ts";
export { coerceObjectMeta, objectMetaTypeProblem, unknownObjectMetaFields } from "./object-meta/object-meta-shape.ts";
export { pathSegmentErrors } from "./object-meta/embedded-resources.ts";
export {
  validateChangedMeta,
  validateObjectMeta,
  type NameRule,
  type ObjectMetaRules,
} from "./object-meta/validate-object-meta.ts";
export { applyJsonPatch, unknownJsonPatchFields, type JsonPatchOperation } from "./patch/json-patch.ts";
export * from "./structural/prune.ts";
export { resolveSchema } from "./model/resolve-schema.ts";
export { rulesAreSkipped, withRuleErrors } from "./rule-errors.ts";
