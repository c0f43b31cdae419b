import { type Violation, violationKey } from "../oracles/oracles.ts";

/** Runs of a schedule until a finding is certain. */
export const RUNS = 3;

/** What repeated in all runs, or why nothing did. */
export type Confirmation =
  | { readonly violations: readonly Violation[]; readonly output: readonly string[] }
  | { readonly dropped: string };

/** The violations of one run. */
export interface Judged {
  readonly violations: readonly Violation[];
  readonly output: readonly string[];
  /** Whether the perturbation occurred. */
  readonly isReached: boolean;
}

/**
 * Repeats a run until it was seen three times, and checks that its violations are absent without the perturbation.
 *
 * Only violations of all runs are confirmed, with the messages of the last one.
 */
export async function confirm(
  first: Judged,
  { again, control }: { readonly again: () => Promise<Judged>; readonly control: () => Promise<readonly Violation[]> },
): Promise<Confirmation> {
  let current = first;
  let keys = keysOf(first.violations);
  for (let run = 1; run < RUNS; run += 1) {
    current = await again();
    if (!current.isReached) return { dropped: `its write did not occur in run ${String(run + 1)} of ${String(RUNS)}` };
    const found = keysOf(current.violations);
    keys = new Set([...keys].filter((key) => found.has(key)));
    if (keys.size === 0) return { dropped: `it was not found in run ${String(run + 1)} of ${String(RUNS)}` };
  }
  const without = keysOf(await control());
  const violations = current.violations.filter(
    (each) => keys.has(violationKey(each)) && !without.has(violationKey(each)),
  );
  return violations.length === 0
    ? { dropped: "it was also found without the perturbation" }
    : { violations, output: current.output };
}

function keysOf(violations: readonly Violation[]): ReadonlySet<string> {
  return new Set(violations.map(violationKey));
}
