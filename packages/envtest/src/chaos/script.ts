import { checkNumbers } from "@kubescaffold/k8s";

import { type FaultKind, isWatchFault } from "./faults.ts";
import { type ChaosMatch, type ChaosRequest, matchesRequest } from "./request-target.ts";

/** A fault that a test plans, instead of leaving it to the seed. */
export interface ScriptedFault {
  /** The fault. */
  readonly fault: FaultKind;
  /** The requests, or the watches of the events. Default: all. */
  readonly match?: ChaosMatch;
  /** The number of matching requests or events that pass first. Default: 0. */
  readonly skip?: number;
  /** The number of matching requests or events that have the fault. Default: 1. */
  readonly times?: number;
  /** Milliseconds of a delay, or of a jump of the clock, which may be negative. Default: a number that the seed selects. */
  readonly ms?: number;
  /** The value of `Retry-After`. Default: 1 for `tooManyRequests`, none for other faults. */
  readonly retryAfterSeconds?: number;
}

/** A running script. */
export interface ChaosScript {
  /** Resolves when all faults of the script were injected, or the script was canceled or healed. */
  readonly injected: Promise<void>;
  /** Removes the faults that were not injected yet. */
  cancel(): void;
}

/** The faults that tests have planned. */
export class Scripts {
  readonly #scripts: Set<RunningScript> = new Set();

  /** Adds a script; its faults apply to later requests and events. */
  add(faults: readonly ScriptedFault[]): ChaosScript {
    const script = new RunningScript(faults, () => this.#scripts.delete(script));
    this.#scripts.add(script);
    script.endIfEmpty();
    return script;
  }

  /** Returns the fault of a request, or with `ofWatch` that of an event in its watch, and counts it. */
  take(request: ChaosRequest, ofWatch: boolean, applies: (fault: ScriptedFault) => boolean): ScriptedFault | undefined {
    let taken: ScriptedFault | undefined;
    for (const script of this.#scripts) {
      for (const planned of script.faultsFor(request, ofWatch)) {
        planned.seen += 1;
        const isDue = planned.seen > (planned.fault.skip ?? 0) && planned.left > 0;
        if (taken !== undefined || !isDue || !applies(planned.fault)) continue;
        taken = planned.fault;
        planned.left -= 1;
      }
      script.endIfEmpty();
    }
    return taken;
  }

  /** Whether a script contains a fault that was not injected yet. */
  includes(kind: FaultKind): boolean {
    return [...this.#scripts].some((script) => script.includes(kind));
  }

  /** Cancels all scripts. */
  clear(): void {
    for (const script of this.#scripts) script.cancel();
  }
}

interface PlannedFault {
  readonly fault: ScriptedFault;
  seen: number;
  left: number;
}

class RunningScript implements ChaosScript {
  readonly injected: Promise<void>;
  readonly #planned: readonly PlannedFault[];
  readonly #onEnd: () => void;
  #resolve: () => void = () => undefined;

  constructor(faults: readonly ScriptedFault[], onEnd: () => void) {
    const rules = { skip: "count", times: "duration", ms: "finite", retryAfterSeconds: "count" } as const;
    for (const fault of faults) checkNumbers("the planned fault", fault, rules);
    this.#planned = faults.map((fault) => ({ fault, seen: 0, left: fault.times ?? 1 }));
    this.#onEnd = onEnd;
    this.injected = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  faultsFor(request: ChaosRequest, ofWatch: boolean): readonly PlannedFault[] {
    return this.#planned.filter(
      ({ fault }) => isWatchFault(fault.fault) === ofWatch && matchesRequest(fault.match ?? {}, request),
    );
  }

  includes(kind: FaultKind): boolean {
    return this.#planned.some(({ fault, left }) => fault.fault === kind && left > 0);
  }

  endIfEmpty(): void {
    if (this.#planned.every(({ left }) => left <= 0)) this.cancel();
  }

  cancel(): void {
    this.#onEnd();
    this.#resolve();
  }
}
