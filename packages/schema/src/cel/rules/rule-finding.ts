import type { FieldError } from "@kubescaffold/k8s";

import type { UnboundedField } from "./unbounded-fields.ts";

/** The kind of a finding. */
export type RuleProblem =
  | "compile"
  | "cost"
  | "form"
  | "hidden-value"
  | "message-compile"
  | "message-cost"
  | "optional-old-self"
  | "result-type"
  | "total-cost"
  | "transition";

/** A finding for which an API server rejects the rules of a schema. */
export interface RuleFinding {
  /** The kind of problem. */
  readonly problem: RuleProblem;
  /** The field error of the API server: path, message, and value. */
  readonly error: FieldError;
  /** The hint: how to fix the rule, in the imperative. */
  readonly wayOut: string;
  /** The unbounded fields that cause the cost; empty for other findings. */
  readonly unbounded: readonly UnboundedField[];
}

/** Creates a finding. */
export function ruleFinding(
  problem: RuleProblem,
  error: FieldError,
  unbounded: readonly UnboundedField[] = [],
): RuleFinding {
  return { problem, error, unbounded, wayOut: WAYS_OUT[problem](unbounded) };
}

const WAYS_OUT: Readonly<Record<RuleProblem, (unbounded: readonly UnboundedField[]) => string>> = {
  compile: () => "correct the expression; it sees the fields that the schema declares, by their types there",
  cost: boundThem,
  form: () => "correct the rule as the message says",
  "hidden-value": () => "give the schema a type that CEL can see, or move the rule to a schema above it",
  "message-compile": () => "let messageExpression be an expression of type string, or state a message",
  "message-cost": boundThem,
  "optional-old-self": () => "remove optionalOldSelf, or use oldSelf in the rule",
  "result-type": () => "let the rule be an expression of type bool",
  "total-cost": boundThem,
  transition: () => "move the rule above the list, or make the list one of type map with keys",
};

function boundThem(unbounded: readonly UnboundedField[]): string {
  const bounds = unbounded.map(({ path, keyword }) => `${keyword} to ${path === "" ? "the root" : path}`);
  return bounds.length === 0 ? "simplify the rule, or lower the bounds of what it reads" : `add ${bounds.join(", ")}`;
}
