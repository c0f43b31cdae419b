import { type FieldError, type FieldErrorType, invalidField } from "@kubescaffold/k8s";
import { containsRules, type JsonSchema } from "@kubescaffold/schema";

import type { ApiObject } from "../storage/api-object.ts";
import { ruleEngine } from "./rule-engine.ts";

/** A custom object whose rules are checked after its values. */
export interface RuleCheck {
  readonly schema: JsonSchema;
  readonly object: ApiObject;
  /** The object before an update. */
  readonly old?: ApiObject;
  /** What is wrong with the values. */
  readonly errors: readonly FieldError[];
  readonly warn: (text: string) => void;
}

// An object with such errors has not the types that rules were written for.
const BLOCKING: ReadonlySet<FieldErrorType> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Returns what is wrong with the values, followed by what rules say, or by a note that none was checked. */
export function withRuleErrors({ schema, object, old, errors, warn }: RuleCheck): readonly FieldError[] {
  if (!containsRules(schema)) {
    return errors;
  }
  if (errors.some(({ type }) => BLOCKING.has(type))) {
    const detail =
      "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
    return [...errors, invalidField("<nil>", null, detail)];
  }
  const result = ruleEngine().validateRules(schema, object as never, { previous: old as never });
  result.warnings.forEach((text) => warn(text));
  return [...errors, ...result.errors];
}
