import { type FieldError, forbiddenField } from "@kubescaffold/k8s";

import { plus, times } from "../cost/ranges.ts";

/** The most that a rule may cost by estimate, with all its repetitions. */
export const RULE_COST_LIMIT = 10_000_000n;
/** The most that all rules of a schema may cost together. */
export const SCHEMA_COST_LIMIT = 100_000_000n;

const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
const MOST_NAMED = 4;

/** Adds up what the expressions of a schema cost, and remembers the most expensive. */
export interface CostTotal {
  total: bigint;
  /** At most four, the most expensive first. */
  readonly expensive: { readonly path: string; readonly cost: bigint }[];
}

/** Counts an expression; what costs less than a hundredth of the limit is not named. */
export function addToTotal(total: CostTotal, path: string, cost: bigint): void {
  total.total = plus(total.total, cost);
  if (cost >= SCHEMA_COST_LIMIT / 100n) {
    total.expensive.push({ path, cost });
    total.expensive.sort((left, right) => (left.cost === right.cost ? 0 : left.cost > right.cost ? -1 : 1));
    total.expensive.splice(MOST_NAMED);
  }
}

/** Returns what an expression costs if it runs as often as its place can occur. */
export function repeatedCost(cost: bigint, repetitions: bigint): bigint {
  return cost === 0n ? 0n : times(cost, repetitions);
}

/** Returns how often a value can occur in a request that nothing else bounds. */
export function mostRepetitions(minSerializedSize: number): bigint {
  return BigInt(Math.trunc(MAX_REQUEST_BYTES / (minSerializedSize + 1)));
}

/** Reports an expression, or all of them, beyond the limit. */
export function overBudget(
  path: string,
  what: string,
  cost: { readonly of: bigint; readonly limit: bigint },
): FieldError {
  const factor = Number(cost.of) / Number(cost.limit);
  return forbiddenField(
    path,
    `${what} exceeds budget by factor of ${factorText(factor)} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`,
  );
}

function factorText(factor: number): string {
  if (factor > 100) {
    return "more than 100x";
  }
  return factor < 1.5 ? `${fixedText(factor, 6)}x` : `${fixedText(factor, 1)}x`;
}

// Rounds the exact value, ties to even, as Go does; toFixed alone rounds ties up.
function fixedText(value: number, digits: number): string {
  const exact = value.toFixed(20);
  const cut = exact.length - 20 + digits;
  const isTie = /^50*$/.test(exact.slice(cut));
  const isEven = Number(exact.charAt(cut - 1)) % 2 === 0;
  return isTie && isEven ? exact.slice(0, cut) : value.toFixed(digits);
}
