import { type FaultKind, REQUEST_FAULTS, WATCH_FAULTS } from "./faults.ts";
import type { ChaosRequest } from "./request-target.ts";

/** A fault that was injected. */
export interface InjectedFault {
  /** The fault. */
  readonly fault: FaultKind;
  /** The HTTP method of the request. */
  readonly method: string;
  /** The path of the request. */
  readonly path: string;
  /** The number of the request among those of the same method and path, from 1. */
  readonly occurrence: number;
  /** The number of the event in the watch, from 1; undefined for a fault of a request. */
  readonly event?: number;
}

/** The work of a proxy so far. */
export interface ChaosReport {
  /** The seed. */
  readonly seed: number;
  /** The number of requests that clients sent. */
  readonly requests: number;
  /** The number of events that the server sent in watches. */
  readonly events: number;
  /** The number of injected faults by kind. */
  readonly faults: Readonly<Record<FaultKind, number>>;
  /** The last 1000 injected faults, in order. */
  readonly injected: readonly InjectedFault[];
  /** The number of requests that the target did not answer, for a reason other than an injected fault. */
  readonly targetFailures: number;
}

const LARGEST_LOG = 1000;

/** Counts requests, events, and faults. */
export class FaultLog {
  requests = 0;
  events = 0;
  targetFailures = 0;
  readonly #counts: Map<FaultKind, number> = new Map();
  #injected: InjectedFault[] = [];

  /** Records an injected fault. */
  add(
    fault: FaultKind,
    request: ChaosRequest,
    position: { readonly occurrence: number; readonly event?: number },
  ): void {
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1);
    this.#injected.push({ fault, method: request.method, path: request.path, ...position });
    if (this.#injected.length >= 2 * LARGEST_LOG) this.#injected = this.#injected.slice(-LARGEST_LOG);
  }

  /** Returns everything recorded so far. */
  report(seed: number): ChaosReport {
    const kinds: readonly FaultKind[] = [...REQUEST_FAULTS, ...WATCH_FAULTS];
    return {
      seed,
      requests: this.requests,
      events: this.events,
      faults: Object.fromEntries(kinds.map((kind) => [kind, this.#counts.get(kind) ?? 0])) as Record<FaultKind, number>,
      injected: this.#injected.slice(-LARGEST_LOG),
      targetFailures: this.targetFailures,
    };
  }
}
