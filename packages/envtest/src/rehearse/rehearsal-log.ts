import { violationKey } from "../oracles/oracles.ts";
import type { UpgradeViolation } from "../oracles/upgrade-record.ts";
import type { RehearseEvent, RehearseOptions } from "./rehearse-options.ts";

/** The steps of a rehearsal, and what was found in them; each fault counts once. */
export class RehearsalLog {
  readonly #report: (event: RehearseEvent) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #found = new Map<string, UpgradeViolation>();
  readonly #steps: string[] = [];

  constructor({ report = () => undefined, signal }: Pick<RehearseOptions, "report" | "signal">) {
    this.#report = report;
    this.#signal = signal;
  }

  /** The present step; empty before the first. */
  get step(): string {
    return this.#steps.at(-1) ?? "";
  }

  /** The steps so far. */
  get steps(): readonly string[] {
    return this.#steps;
  }

  /** What was found, in order. */
  get violations(): readonly UpgradeViolation[] {
    return [...this.#found.values()];
  }

  /** Enters a step, and returns it. Throws the reason of the signal if the run is to end. */
  enter(step: string): string {
    this.#signal?.throwIfAborted();
    this.#steps.push(step);
    this.#report({ event: "step", step });
    return step;
  }

  /** Adds violations that were not found before. */
  add(violations: readonly UpgradeViolation[]): void {
    for (const violation of violations) {
      const key = violationKey(violation);
      if (!this.#found.has(key)) this.#found.set(key, violation);
    }
  }
}
