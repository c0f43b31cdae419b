import type { FieldError } from "@kubescaffold/k8s";
import { TurnShare } from "@kubescaffold/platform/clock";
import type { EvaluationTurns } from "@kubescaffold/schema/cel";
import { containsRules, type JsonSchema, rulesAreSkipped, withRuleErrors } from "@kubescaffold/schema/values";

import type { ApiObject } from "../storage/api-object.ts";

/** The CEL module of the schema package. */
type RuleEngine = typeof import("@kubescaffold/schema/cel");

let engine: RuleEngine | undefined;

/** Loads the CEL module if one of the schemas has rules; most servers never need it, and start faster without it. */
export function loadRuleEngine(schemas: readonly JsonSchema[]): Promise<void> | undefined {
  return engine === undefined && schemas.some((schema) => containsRules(schema)) ? load() : undefined;
}

/** Loads the CEL module for the expressions of webhooks and policies; undefined where it is loaded, or not needed. */
export function loadExpressionEngine(isNeeded: boolean): Promise<void> | undefined {
  return engine === undefined && isNeeded ? load() : undefined;
}

/** Returns the CEL module, which one of the functions above must have loaded. */
export function ruleEngine(): RuleEngine {
  if (engine === undefined) {
    throw new TypeError("cannot check CEL rules: the rule engine is not loaded");
  }
  return engine;
}

async function load(): Promise<void> {
  engine = await import("@kubescaffold/schema/cel");
}

/** Returns the turns of one request. Guarantees: timers and requests run between two expressions, and two elements of a loop, when 10 ms have passed. */
export function evaluationTurns(): EvaluationTurns {
  const turns = TurnShare.ofTime();
  return { nowMs: () => performance.now(), pause: () => turns.step() };
}

/** A custom object whose rules are checked after its values. */
interface RuleCheck {
  readonly schema: JsonSchema;
  readonly object: ApiObject;
  /** The object before an update. */
  readonly old?: ApiObject;
  /** Errors of the values. */
  readonly errors: readonly FieldError[];
  readonly warn: (text: string) => void;
}

/**
 * Returns the errors of the values, followed by those of the schema's rules, or by a note that no rule was checked.
 *
 * Guarantees: other requests are answered between two rules, and two elements of a loop.
 */
export async function withObjectRuleErrors({
  schema,
  object,
  old,
  errors,
  warn,
}: RuleCheck): Promise<readonly FieldError[]> {
  if (rulesAreSkipped(errors)) return withRuleErrors(errors, () => []);
  const result = await ruleEngine().validateRulesInTurns(schema, object as never, {
    previous: old as never,
    turns: evaluationTurns(),
  });
  result.warnings.forEach((text) => warn(text));
  return [...errors, ...result.errors];
}
