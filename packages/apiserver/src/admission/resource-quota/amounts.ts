import { addQuantities, compareQuantities, isZeroQuantity, subtractQuantities } from "@kubescaffold/k8s";

import type { Amounts } from "../limit-ranger/pod-resources.ts";

export type { Amounts } from "../limit-ranger/pod-resources.ts";

/** Adds two lists of amounts by name. */
export function sumAmounts(left: Amounts, right: Amounts): Amounts {
  const result: Record<string, string> = { ...left };
  for (const [name, amount] of Object.entries(right)) {
    const known = result[name];
    result[name] = known === undefined ? amount : addQuantities(known, amount);
  }
  return result;
}

/** Subtracts the second list from the first; nothing becomes negative. */
export function growthOf(after: Amounts, before: Amounts): Amounts {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  const grown = (name: string): string => {
    const difference = subtractQuantities(after[name] ?? "0", before[name] ?? "0");
    return compareQuantities(difference, "0") > 0 ? difference : "0";
  };
  return Object.fromEntries([...names].map((name) => [name, grown(name)]));
}

/** Returns the amounts of these names. */
export function maskAmounts(amounts: Amounts, names: readonly string[]): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)));
}

/** Returns the amounts that are not zero. */
export function withoutZeros(amounts: Amounts): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => !isZeroQuantity(amount)));
}

/** Reports whether two lists have the same names and values, however they are written. */
export function hasSameAmounts(left: Amounts, right: Amounts): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => right[name] !== undefined && compareQuantities(left[name] ?? "0", right[name]) === 0)
  );
}

/** Prints amounts in the order of their names: `cpu=1,memory=1Gi`. */
export function printAmounts(amounts: Amounts): string {
  return Object.entries(amounts)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(",");
}
