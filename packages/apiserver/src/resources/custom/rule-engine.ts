import { containsRules, type JsonSchema } from "@kubescaffold/schema";

/** What understands CEL. */
export type RuleEngine = typeof import("@kubescaffold/schema/cel");

let engine: RuleEngine | undefined;

/** Loads what understands CEL if one of the schemas has rules; most servers never need it, and start sooner without. */
export function loadRuleEngine(schemas: readonly JsonSchema[]): Promise<void> | undefined {
  return engine === undefined && schemas.some((schema) => containsRules(schema)) ? load() : undefined;
}

/** Returns what understands CEL, once {@link loadRuleEngine} has seen to it. */
export function ruleEngine(): RuleEngine {
  if (engine === undefined) {
    throw new TypeError("rules are checked before what understands them is loaded");
  }
  return engine;
}

async function load(): Promise<void> {
  engine = await import("@kubescaffold/schema/cel");
}
