import type { DevelopmentCluster } from "@kubescaffold/envtest";

type Faults = DevelopmentCluster["cluster"]["server"]["faults"];

const LATENCY_MS = 5000;

/** A fault that a key injects into the requests of the manager. */
interface FaultSwitch {
  readonly name: string;
  /** Happens once, or returns what ends it. */
  readonly inject: (faults: Faults, user: string) => (() => void) | undefined;
}

const SWITCHES: readonly FaultSwitch[] = [
  {
    name: "drop watches",
    inject: (faults, user) => {
      faults.dropWatches({ user });
      return undefined;
    },
  },
  {
    name: "expire history",
    inject: (faults, user) => {
      // Watches go on until they are dropped, and only then notice.
      faults.expireHistory();
      faults.dropWatches({ user });
      return undefined;
    },
  },
  {
    name: "5 s of latency",
    inject: (faults, user) => faults.add({ kind: "latency", delayMs: LATENCY_MS, match: { user } }),
  },
  {
    name: "status 500",
    inject: (faults, user) => faults.add({ kind: "error", code: 500, match: { user } }),
  },
];

/** Faults in the requests of the manager, which keys inject, and some of which last until the key is pressed again. */
export class FaultSwitches {
  readonly #faults: Faults;
  readonly #user: string;
  readonly #lasting = new Map<FaultSwitch, () => void>();

  constructor(faults: Faults, user: string) {
    this.#faults = faults;
    this.#user = user;
  }

  /** The names of the faults that last. */
  get active(): readonly string[] {
    return [...this.#lasting.keys()].map(({ name }) => name);
  }

  /** The choices, each with its key. */
  choices(): readonly string[] {
    return SWITCHES.map((each, index) => `${String(index + 1)} ${each.name}${this.#lasting.has(each) ? " (on)" : ""}`);
  }

  /** Injects the fault of a key, or ends it if it lasts; returns what happened, or undefined for another key. */
  press(key: string): string | undefined {
    const chosen = /^[1-9]$/u.test(key) ? SWITCHES[Number(key) - 1] : undefined;
    if (chosen === undefined) return undefined;
    const end = this.#lasting.get(chosen);
    if (end !== undefined) {
      end();
      this.#lasting.delete(chosen);
      return `fault off: ${chosen.name}`;
    }
    const endNew = chosen.inject(this.#faults, this.#user);
    if (endNew === undefined) return `fault injected: ${chosen.name}`;
    this.#lasting.set(chosen, endNew);
    return `fault on: ${chosen.name}, until you press f ${key} again`;
  }
}
