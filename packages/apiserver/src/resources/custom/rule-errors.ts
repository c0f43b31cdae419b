import type { FieldError } from "@kubescaffold/k8s";
import { containsRules, type JsonSchema, withRuleErrors } from "@kubescaffold/schema";

import type { ApiObject } from "../../storage/api-object.ts";
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

/** Returns what is wrong with the values, followed by what rules say, or by a note that none was checked. */
export function customObjectErrors({ schema, object, old, errors, warn }: RuleCheck): readonly FieldError[] {
  if (!containsRules(schema)) {
    return errors;
  }
  return withRuleErrors(errors, () => {
    const result = ruleEngine().validateRules(schema, object as never, { previous: old as never });
    result.warnings.forEach((text) => warn(text));
    return result.errors;
  });
}
