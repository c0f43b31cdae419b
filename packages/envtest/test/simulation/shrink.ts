import type { SimulationOutcome, SimulationScript } from "./simulate.ts";

/** Runs a script. */
export type RunScript = (script: SimulationScript) => Promise<Pick<SimulationOutcome, "violations" | "faults">>;

const MOST_RUNS = 200;

/**
 * Removes steps and faults from a script that breaks an invariant, for as long as it still does.
 *
 * Guarantees: the returned script breaks an invariant, and lists all of its faults; at most 200 scripts run.
 */
export async function shrink(script: SimulationScript, run: RunScript): Promise<SimulationScript> {
  const budget = { runs: MOST_RUNS };
  const { faults } = await run(script);
  const listed: SimulationScript = { ...script, faults };
  // Delays are those of the seed, so that listing the faults should change nothing.
  if ((await run(listed)).violations.length === 0) return script;
  const withoutSteps = await withFewer(listed, "steps", run, budget);
  return await withFewer(await withFewer(withoutSteps, "faults", run, budget), "steps", run, budget);
}

// Removes halves of a list, then quarters, down to single items.
async function withFewer(
  script: SimulationScript,
  key: "steps" | "faults",
  run: RunScript,
  budget: { runs: number },
): Promise<SimulationScript> {
  let smallest = script;
  for (let size = Math.ceil((script[key]?.length ?? 0) / 2); size >= 1; size = Math.floor(size / 2)) {
    let from = 0;
    while (from < (smallest[key]?.length ?? 0) && budget.runs > 0) {
      const items: readonly unknown[] = smallest[key] ?? [];
      const candidate = { ...smallest, [key]: [...items.slice(0, from), ...items.slice(from + size)] };
      budget.runs -= 1;
      if ((await run(candidate)).violations.length > 0) smallest = candidate;
      else from += size;
    }
  }
  return smallest;
}
