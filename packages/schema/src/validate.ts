import type { FieldError, JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema, SchemaOptions } from "./model/json-schema.ts";
import { checkEmbeddedResources } from "./object-meta/embedded-resources.ts";
import type { MetaWording } from "./object-meta/validate-object-meta.ts";
import { checkListTopology } from "./validation/list-topology.ts";
import { validateAgainstSchema } from "./validation/schema-validation.ts";

/** Options for validation. */
export interface ValidateOptions extends SchemaOptions {
  /** The prefix of every path; absent for a whole object. */
  readonly path?: string | undefined;
  /**
   * The object before an update: what was invalid already and has not changed is not reported (ratcheting).
   *
   * Items correlate in lists of type map only. Uniqueness is checked unless the previous object violates it anywhere; embedded resources are always checked.
   */
  readonly previous?: JSONValue | undefined;
  /** The words of errors in the metadata of embedded resources. Default: those of servers up to 1.36. */
  readonly metaWording?: MetaWording;
  /** Whether formats of numbers are checked, as servers do since 1.36. Default: false. */
  readonly checksNumberFormats?: boolean;
}

/**
 * Validates a value against a schema and returns the errors, with kube-apiserver's messages.
 *
 * It checks the value rules, then embedded resources, then the uniqueness that list types promise. CEL rules are applied
 * afterwards, by `validateRules` of `@kubescaffold/schema/cel`.
 *
 * Guarantees: the value is not changed; errors come in upstream's order of checks, and members in the order of the schema.
 */
export function validate(schema: JsonSchema, value: JSONValue, options: ValidateOptions = {}): readonly FieldError[] {
  return [
    ...validateAgainstSchema(schema, value, options),
    ...checkEmbeddedResources(schema, value, options.path, options.metaWording),
    ...newTopologyErrors(schema, value, options),
  ];
}

// An object that has such errors already may keep them, and may get others.
function newTopologyErrors(
  schema: JsonSchema,
  value: JSONValue,
  { path, previous }: ValidateOptions,
): readonly FieldError[] {
  const errors = checkListTopology(schema, value, path);
  const isOld = errors.length > 0 && previous !== undefined && checkListTopology(schema, previous, path).length > 0;
  return isOld ? [] : errors;
}
