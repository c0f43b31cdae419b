import type { FaultState } from "@kubescaffold/dashboard";
import type { ManagerFaults } from "@kubescaffold/dashboard/development";

/** Faults in the requests of the manager, each with a key. The page of the dashboard switches the same ones. */
export class FaultSwitches {
  readonly #faults: ManagerFaults;

  constructor(faults: ManagerFaults) {
    this.#faults = faults;
  }

  /** The names of the faults that last. */
  get active(): readonly string[] {
    return this.#faults.states().flatMap((state) => (state.isOn ? [nameOf(state)] : []));
  }

  /** The choices, each with its key. */
  choices(): readonly string[] {
    return this.#faults
      .states()
      .map((state, index) => `${String(index + 1)} ${nameOf(state)}${state.isOn ? " (on)" : ""}`);
  }

  /** Injects the fault of a key, or ends it if it lasts; another key does nothing. */
  press(key: string): void {
    const chosen = /^[1-9]$/u.test(key) ? this.#faults.states()[Number(key) - 1] : undefined;
    if (chosen !== undefined) this.#faults.set(chosen.name, !chosen.isOn);
  }

  /** Calls back when a key or the page has injected or ended a fault, with a sentence on it; returns what ends that. */
  observe(listener: (text: string) => void): () => void {
    return this.#faults.observe((state) => listener(this.#describe(state)));
  }

  #describe(state: FaultState): string {
    const name = nameOf(state);
    if (!state.isLasting) return `fault injected: ${name}`;
    if (!state.isOn) return `fault off: ${name}`;
    const key = this.#faults.states().findIndex((each) => each.name === state.name) + 1;
    return `fault on: ${name}, until you press f ${String(key)} again`;
  }
}

// Titles of the page stand alone, and these are in the middle of a line.
function nameOf({ title }: FaultState): string {
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}
