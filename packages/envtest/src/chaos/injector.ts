import { FaultLog } from "./fault-log.ts";
import {
  type FaultKind,
  type FaultProbabilities,
  REQUEST_FAULTS,
  type RequestFaultKind,
  WATCH_FAULTS,
  type WatchFaultKind,
} from "./faults.ts";
import { type ChaosMatch, type ChaosRequest, matchesRequest } from "./request-target.ts";
import { Schedule } from "./schedule.ts";
import { type ScriptedFault, Scripts } from "./script.ts";

/** Upper limits of what the seed selects. */
export interface ChaosLimits {
  /** Milliseconds of a delay, in the time of `chaos.clock`. Default: 1000. */
  readonly delayMs: number;
  /** Milliseconds of a jump of the clock, forward or back. Default: 600000 (10 minutes). */
  readonly jumpMs: number;
}

/** A fault to inject, and its details. */
export interface DueFault<Kind extends FaultKind = FaultKind> {
  /** The fault. */
  readonly kind: Kind;
  /** Milliseconds of a delay or jump. */
  readonly ms: number;
  /** The value of `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Returns the next random number from 0 up to 1. */
  readonly random: () => number;
}

/** A request with its position among those of the same method and path. */
export interface CountedRequest {
  /** The request. */
  readonly request: ChaosRequest;
  /** The number of the request, from 1. */
  readonly occurrence: number;
  /** Identifies the request in the schedule. */
  readonly occasion: string;
}

/** Decides which fault a request or event has: that of a script, or that of the seed. */
export class Injector {
  readonly log: FaultLog = new FaultLog();
  readonly scripts: Scripts = new Scripts();
  isPaused = false;
  readonly #schedule: Schedule;
  readonly #probabilities: FaultProbabilities;
  readonly #match: ChaosMatch;
  readonly #limits: ChaosLimits;
  readonly #occurrences: Map<string, number> = new Map();

  constructor(options: {
    readonly seed: number;
    readonly probabilities: FaultProbabilities;
    readonly match: ChaosMatch;
    readonly limits: ChaosLimits;
  }) {
    this.#schedule = new Schedule(options.seed, options.probabilities);
    this.#probabilities = options.probabilities;
    this.#match = options.match;
    this.#limits = options.limits;
  }

  /** Counts a request. */
  count(request: ChaosRequest): CountedRequest {
    this.log.requests += 1;
    const key = `${request.verb} ${request.method} ${request.path}`;
    const occurrence = (this.#occurrences.get(key) ?? 0) + 1;
    this.#occurrences.set(key, occurrence);
    return { request, occurrence, occasion: `${key} ${String(occurrence)}` };
  }

  /** Whether a fault can occur, and preparing for it is worth the time. */
  mayInject(kind: FaultKind): boolean {
    return (this.#probabilities[kind] ?? 0) > 0 || this.scripts.includes(kind);
  }

  /** Returns the fault of a request and records it. */
  requestFault(
    counted: CountedRequest,
    applies: (kind: RequestFaultKind) => boolean,
  ): DueFault<RequestFaultKind> | undefined {
    return this.#decide(counted, { kinds: REQUEST_FAULTS, applies, position: { occurrence: counted.occurrence } });
  }

  /** Returns the fault of an event and records it. */
  watchFault(counted: CountedRequest, event: number): DueFault<WatchFaultKind> | undefined {
    const position = { occurrence: counted.occurrence, event };
    return this.#decide(counted, { kinds: WATCH_FAULTS, applies: () => true, position });
  }

  #decide<Kind extends FaultKind>(
    { request, occasion }: CountedRequest,
    stage: {
      readonly kinds: readonly Kind[];
      readonly applies: (kind: Kind) => boolean;
      readonly position: { readonly occurrence: number; readonly event?: number };
    },
  ): DueFault<Kind> | undefined {
    const { kinds, applies, position } = stage;
    const moment = `${occasion} ${String(position.event ?? "")}`;
    const scripted = this.scripts.take(request, position.event !== undefined, ({ fault }) => applies(fault as Kind));
    const due =
      scripted === undefined
        ? this.#selected(moment, { request, kinds, applies })
        : this.#due(scripted.fault as Kind, this.#schedule.randomOf(moment), scripted);
    if (due !== undefined) this.log.add(due.kind, request, position);
    return due;
  }

  #selected<Kind extends FaultKind>(
    moment: string,
    stage: {
      readonly request: ChaosRequest;
      readonly kinds: readonly Kind[];
      readonly applies: (kind: Kind) => boolean;
    },
  ): DueFault<Kind> | undefined {
    if (this.isPaused || !matchesRequest(this.#match, stage.request)) return undefined;
    const selected = this.#schedule.select(moment, stage.kinds, stage.applies);
    return selected === undefined ? undefined : this.#due(selected.kind, selected.random);
  }

  #due<Kind extends FaultKind>(
    kind: Kind,
    random: () => number,
    { ms, retryAfterSeconds }: Pick<ScriptedFault, "ms" | "retryAfterSeconds"> = {},
  ): DueFault<Kind> {
    const { delayMs, jumpMs } = this.#limits;
    const selectedMs = kind === "jumpClock" ? Math.round((random() * 2 - 1) * jumpMs) : Math.round(random() * delayMs);
    return {
      kind,
      ms: ms ?? selectedMs,
      retryAfterSeconds: retryAfterSeconds ?? (kind === "tooManyRequests" ? 1 : undefined),
      random,
    };
  }
}
