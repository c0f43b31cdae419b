import type { Clock } from "@kubescaffold/platform/clock";

import type { RequestContext } from "../request/request-context.ts";
import type { StoreReads } from "../storage/store-reads.ts";
import type { ResourceType } from "./registry.ts";

/** A running watch, as those see it who end it. */
export interface RunningWatch {
  readonly context: RequestContext;
  readonly type: ResourceType;
  /** Where it reads. */
  readonly reads: StoreReads;
  /** Ends the stream without an error. */
  readonly end: () => void;
  /** Ends the stream with 410. */
  readonly expire: () => void;
}

/** A watch that the server has ended, and that its client opens again. */
export interface EndedWatch {
  readonly context: RequestContext;
  readonly endedAt: number;
}

// A client opens a watch again within its backoff, at most 30 seconds with jitter; one that has not done so is gone.
const AWAITED_MS = 60_000;

/** Knows the running watches of a server, and those that it has ended lately. */
export class WatchRegistry {
  readonly #clock: Clock;
  readonly #watches = new Set<RunningWatch>();
  #ended: readonly EndedWatch[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a watch and returns what removes it, when its client has ended it or the server. */
  add(watch: RunningWatch): (by: "client" | "server") => void {
    this.#watches.add(watch);
    const reopened = this.#ended.findIndex(({ context }) => isSameWatch(context, watch.context));
    if (reopened >= 0) this.#ended = this.#ended.toSpliced(reopened, 1);
    return (by) => {
      this.#watches.delete(watch);
      if (by === "server") this.#ended = [...this.awaited, { context: watch.context, endedAt: this.#clock.now() }];
    };
  }

  /** The running watches. */
  get running(): readonly RunningWatch[] {
    return [...this.#watches];
  }

  /** The watches that the server has ended in the last minute, and that are not open again. */
  get awaited(): readonly EndedWatch[] {
    const since = this.#clock.now() - AWAITED_MS;
    return this.#ended.filter(({ endedAt }) => endedAt >= since);
  }

  /** Ends the watches that fulfil a condition. */
  endWhere(condition: (watch: RunningWatch) => boolean): void {
    [...this.#watches].filter(condition).forEach((watch) => watch.end());
  }

  /** Ends all watches, or those that fulfil a condition, with 410, so that clients list again. */
  expireAll(condition: (watch: RunningWatch) => boolean = () => true): void {
    [...this.#watches].filter(condition).forEach((watch) => watch.expire());
  }
}

function isSameWatch(ended: RequestContext, opened: RequestContext): boolean {
  const { info, request, user } = ended;
  const { query } = opened.request;
  return (
    user.name === opened.user.name &&
    info.path === opened.info.path &&
    SELECTORS.every((name) => request.query.get(name) === query.get(name))
  );
}

const SELECTORS = ["labelSelector", "fieldSelector"] as const;
