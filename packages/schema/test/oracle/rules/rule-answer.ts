import { readFileSync } from "node:fs";

import type { CheckCase } from "./check-cases.ts";
import type { CostCase } from "./cost-cases.ts";
import type { ValidateCase } from "./validate-cases.ts";

/** Is what upstream says that a rule costs. */
export interface RuleCostAnswer {
  /** The way from the root of the schema to the rule's, and its index there: `.spec.words[]#1`. */
  readonly path: string;
  readonly min: string;
  readonly max: string;
  /** How often the rule can run in one request, if nothing above its schema bounds it. */
  readonly repeats: string;
  readonly messageMax?: string;
  readonly error?: string;
  readonly oldSelf?: boolean;
}

/** Is a case with what upstream answered. */
export interface RecordedRuleCases {
  readonly "rule-cost": CostCase & { readonly answer: { readonly costs: readonly RuleCostAnswer[] } };
  readonly "rule-check": CheckCase & { readonly answer: { readonly errors: readonly string[] } };
  readonly "rule-validate": ValidateCase & {
    readonly answer: {
      readonly errors: readonly string[];
      readonly warnings: readonly string[];
      readonly used: number;
    };
  };
}

/** Reads what upstream answered to the cases of one kind. */
export function recordedRules<Op extends keyof RecordedRuleCases>(op: Op): readonly RecordedRuleCases[Op][] {
  const text = readFileSync(new URL(`../../recorded/${op}.json`, import.meta.url), "utf8");
  return JSON.parse(text) as readonly RecordedRuleCases[Op][];
}
