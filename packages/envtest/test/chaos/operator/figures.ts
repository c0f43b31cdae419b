import type { ChaosReport } from "../../../src/chaos/fault-log.ts";
import type { SeedOutcome } from "./run-seed.ts";

/** Prints what the seeds of a long run did. */
export function figuresOf(outcomes: readonly SeedOutcome[], seconds: number): string {
  const reports = outcomes.flatMap((outcome) => outcome.reports);
  const convergence = outcomes.map(({ convergedAfterMs }) => convergedAfterMs).toSorted((left, right) => left - right);
  const lines = [
    `${String(outcomes.length)} seeds of ${String(seconds)} s`,
    `${String(total(reports, ({ requests }) => requests))} requests, ${String(total(reports, ({ events }) => events))} events, ` +
      `${String(total(outcomes, ({ actions }) => actions))} actions of the user, ${String(total(outcomes, ({ runs }) => runs))} runs of managers`,
    `converged after ${String(convergence[Math.floor(convergence.length / 2)])} ms (median), ${String(convergence.at(-1))} ms (maximum)`,
    `ends of managers: ${counted(outcomes.flatMap(({ failures }) => failures))}`,
    `requests that the target did not answer: ${String(total(reports, ({ targetFailures }) => targetFailures))}`,
    `heap: ${outcomes.map(({ heapBytes }) => (heapBytes / 1e6).toFixed(1)).join(" ")} MB`,
    `faults: ${String(total(reports, faultCount))}: ${counted(reports.flatMap(({ faults }) => Object.entries(faults)))}`,
  ];
  return `${lines.join("\n")}\n`;
}

function faultCount({ faults }: ChaosReport): number {
  return total(Object.values(faults), (count) => count);
}

function total<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}

function counted(entries: readonly (readonly [string, number])[]): string {
  const sums = new Map<string, number>();
  for (const [name, count] of entries) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums].map(([name, count]) => `${name} ${String(count)}`).join(", ");
}
