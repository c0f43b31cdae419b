import type { FaultName, FaultState } from "../contract/protocol.ts";
import type { DevelopmentFaults } from "./development-cluster.ts";

/** What faults act on. */
export interface FaultTargets {
  /** The faults of the embedded server. */
  readonly faults: DevelopmentFaults;
  /** The user of the manager. */
  readonly user: string;
  /** Stops and continues the process of the manager; missing where that is not possible. */
  readonly pauseManager?: ((isPaused: boolean) => void) | undefined;
  /** Moves the clock of the server forward; missing where that is not possible. */
  readonly jumpClock?: ((ms: number) => void) | undefined;
}

const LATENCY_MS = 5000;
const JUMP_MS = 10 * 60_000;

interface Offered extends Pick<FaultState, "title" | "description"> {
  readonly name: FaultName;
  readonly isPossible?: (targets: FaultTargets) => boolean;
  /** Injects the fault; returns what ends it if it lasts. */
  readonly inject: (targets: FaultTargets) => (() => void) | undefined;
  readonly isLasting: boolean;
}

const OFFERED: readonly Offered[] = [
  {
    name: "drop-watches",
    title: "Drop watches",
    description: "Ends all watches of the manager, like a lost connection; it must watch again.",
    isLasting: false,
    inject: ({ faults, user }) => {
      faults.dropWatches({ user });
      return undefined;
    },
  },
  {
    name: "expire-history",
    title: "Expire history",
    description: "Forgets old versions and ends the watches: the manager gets 410 Gone, and must list again.",
    isLasting: false,
    inject: ({ faults, user }) => {
      // Watches go on until they are dropped, and only then notice.
      faults.expireHistory();
      faults.dropWatches({ user });
      return undefined;
    },
  },
  {
    name: "latency",
    title: "5 s of latency",
    description: "Answers each request of the manager after 5 seconds.",
    isLasting: true,
    inject: ({ faults, user }) => faults.add({ kind: "latency", delayMs: LATENCY_MS, match: { user } }),
  },
  {
    name: "status-409",
    title: "Status 409",
    description: "Answers updates of the manager with 409 Conflict, as if others had changed the objects.",
    isLasting: true,
    inject: ({ faults, user }) => faults.add({ kind: "error", code: 409, match: { user, verb: "update" } }),
  },
  {
    name: "status-500",
    title: "Status 500",
    description: "Answers each request of the manager with 500 Internal Server Error.",
    isLasting: true,
    inject: ({ faults, user }) => faults.add({ kind: "error", code: 500, match: { user } }),
  },
  {
    name: "pause-manager",
    title: "Pause the manager",
    description:
      "Stops the process of the manager with SIGSTOP until you continue it, like a process without CPU time.",
    isLasting: true,
    isPossible: ({ pauseManager }) => pauseManager !== undefined,
    inject: ({ pauseManager }) => {
      pauseManager?.(true);
      return () => pauseManager?.(false);
    },
  },
  {
    name: "jump-clock",
    title: "Jump the clock",
    description: "Moves the clock of the API server forward by 10 minutes.",
    isLasting: false,
    isPossible: ({ jumpClock }) => jumpClock !== undefined,
    inject: ({ jumpClock }) => {
      jumpClock?.(JUMP_MS);
      return undefined;
    },
  },
];

/** Injects faults for a manager, some of which last until they are switched off. */
export class ManagerFaults {
  readonly #targets: FaultTargets;
  readonly #lasting = new Map<FaultName, () => void>();
  readonly #listeners = new Set<(state: FaultState) => void>();

  constructor(targets: FaultTargets) {
    this.#targets = targets;
  }

  /** Calls back with the state of a fault whenever it is injected or ends, whoever asked for it; returns what ends that. */
  observe(listener: (state: FaultState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns the faults that are possible. */
  states(): readonly FaultState[] {
    return OFFERED.filter(({ isPossible }) => isPossible?.(this.#targets) !== false).map((each) => this.#stateOf(each));
  }

  /** Injects a fault, or ends it; returns false if it is not possible. */
  set(name: FaultName, isOn: boolean): boolean {
    const offered = OFFERED.find((each) => each.name === name);
    if (offered === undefined || offered.isPossible?.(this.#targets) === false) return false;
    const end = this.#lasting.get(name);
    if (isOn === (end !== undefined)) return true;
    if (end === undefined) {
      const ending = offered.inject(this.#targets);
      if (ending !== undefined) this.#lasting.set(name, ending);
    } else {
      this.#lasting.delete(name);
      end();
    }
    this.#notify(offered);
    return true;
  }

  /** Ends the fault of a process that is gone. */
  managerEnded(): void {
    const offered = OFFERED.find(({ name }) => name === "pause-manager");
    if (this.#lasting.delete("pause-manager") && offered !== undefined) this.#notify(offered);
  }

  #notify(offered: Offered): void {
    const state = this.#stateOf(offered);
    for (const listener of this.#listeners) listener(state);
  }

  #stateOf({ name, title, description, isLasting }: Offered): FaultState {
    return { type: "fault", name, title, description, isLasting, isOn: this.#lasting.has(name) };
  }
}
