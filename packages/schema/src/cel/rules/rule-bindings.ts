import type { JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema } from "../../json-schema.ts";
import type { ExpressionBindings } from "../compile-expression.ts";
import { optionalValue } from "../values/cel-optional.ts";
import { toCelValue } from "../values/schema-value.ts";

/** The variables of the rules of one value: for most rules, and for those whose `oldSelf` may be nothing. */
export interface RuleBindings {
  readonly plain: ExpressionBindings;
  readonly optional: ExpressionBindings;
}

/** Is a value as rules see it. */
export interface BoundValue {
  readonly node: { readonly schema: JsonSchema; readonly isResourceRoot: boolean };
  readonly value: JSONValue;
  readonly previous: JSONValue | undefined;
}

/** Returns the variables of the rules of a value; `oldSelf` is there only if one of them asks for it. */
export function bindingsOf({ node, value, previous }: BoundValue, usesOldSelf: boolean): RuleBindings {
  const { schema, isResourceRoot } = node;
  const self = toCelValue(value, schema, { isResourceRoot });
  if (!usesOldSelf) {
    return { plain: { self }, optional: { self } };
  }
  const oldSelf = previous === undefined ? undefined : toCelValue(previous, schema, { isResourceRoot });
  return {
    plain: oldSelf === undefined ? { self } : { self, oldSelf },
    optional: { self, oldSelf: optionalValue(oldSelf) },
  };
}
