import { withoutVersion } from "../support/golden-cases.ts";
import type { Outcome } from "./go-oracle.ts";
import { knownDifference } from "./known-differences.ts";
import type { Package } from "./package-model.ts";

/** What the two programs make of the two halves of a package. */
export interface Comparison {
  readonly theirs: Outcome;
  readonly ours: Outcome;
  readonly verdict: Verdict;
}

type Verdict =
  | { readonly kind: "same"; readonly isRefused: boolean }
  /** A row of docs/verification/generator-differences.md. */
  | { readonly kind: "listed"; readonly row: string }
  | { readonly kind: "different"; readonly how: "output" | "only ours refuses" | "only theirs refuses" };

/** Compares two outcomes: the same bytes but for the line of the program's version, or a refusal by both. */
export function compare(model: Package, theirs: Outcome, ours: Outcome): Comparison {
  const verdict = plainVerdict(theirs, ours);
  if (verdict.kind !== "different") return { theirs, ours, verdict };
  const row = knownDifference({ model, theirs, ours });
  return { theirs, ours, verdict: row === undefined ? verdict : { kind: "listed", row } };
}

function plainVerdict(theirs: Outcome, ours: Outcome): Verdict {
  const refused = [theirs.errors.length > 0, ours.errors.length > 0];
  if (refused[0] === true && refused[1] === true) return { kind: "same", isRefused: true };
  if (refused[0] === true) return { kind: "different", how: "only theirs refuses" };
  if (refused[1] === true) return { kind: "different", how: "only ours refuses" };
  if (withoutVersion(theirs.output) === withoutVersion(ours.output)) return { kind: "same", isRefused: false };
  return { kind: "different", how: "output" };
}
