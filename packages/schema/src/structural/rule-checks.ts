import type { FieldError, JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema } from "../model/json-schema.ts";

/** Understands the expressions of CEL rules; given from outside, for who needs none should not load CEL. */
export interface RuleChecks {
  /** Checks the expressions of a sound schema: whether they compile, what they are about, and what they cost. */
  readonly checkExpressions: (
    schema: JsonSchema,
    options: {
      readonly path: string;
      /** What is wrong with the schema otherwise: the rules at and above such a place are not looked at. */
      readonly schemaErrors: readonly FieldError[];
      readonly isUnchanged: boolean;
      /** Whether the names in metadata have a bound. */
      readonly boundsNames: boolean;
    },
  ) => readonly FieldError[];
  /** Applies the rules of a schema to its default; `budget` is what all defaults together may cost, and becomes less. */
  readonly checkDefault: (
    schema: JsonSchema,
    value: JSONValue,
    options: { readonly path: string; readonly isResourceRoot: boolean; readonly budget: DefaultsBudget },
  ) => readonly FieldError[];
}

/** Is what the defaults of a schema may still cost; below zero nothing more is checked. */
export interface DefaultsBudget {
  remaining: number;
}
