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
  // By what identifies a watch, the earliest first: a server that closes or is restored ends thousands at once.
  readonly #ended = new Map<string, EndedWatch[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a watch and returns what removes it, when its client has ended it or the server. */
  add(watch: RunningWatch): (by: "client" | "server") => void {
    this.#watches.add(watch);
    if (this.#ended.size > 0) this.#forgetOne(identityOf(watch.context));
    return (by) => {
      this.#watches.delete(watch);
      if (by === "server") this.#remember({ context: watch.context, endedAt: this.#clock.now() });
    };
  }

  #remember(ended: EndedWatch): void {
    const identity = identityOf(ended.context);
    const same = this.#ended.get(identity) ?? [];
    same.push(ended);
    while (!this.#isAwaited(same[0] ?? ended)) same.shift();
    this.#ended.delete(identity);
    this.#ended.set(identity, same);
    for (const [other, watches] of this.#ended) {
      if (this.#isAwaited(watches.at(-1) ?? ended)) break;
      this.#ended.delete(other);
    }
  }

  #forgetOne(identity: string): void {
    const same = this.#ended.get(identity);
    same?.shift();
    if (same?.length === 0) this.#ended.delete(identity);
  }

  #isAwaited({ endedAt }: EndedWatch): boolean {
    return endedAt >= this.#clock.now() - AWAITED_MS;
  }

  /** The running watches. */
  get running(): readonly RunningWatch[] {
    return [...this.#watches];
  }

  /** The watches that the server has ended in the last minute, and that are not open again. */
  get awaited(): readonly EndedWatch[] {
    const awaited = [...this.#ended.values()].flat().filter((each) => this.#isAwaited(each));
    return awaited.toSorted((left, right) => left.endedAt - right.endedAt);
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

function identityOf({ info, request, user }: RequestContext): string {
  return [user.name, info.path, ...SELECTORS.map((name) => request.query.get(name))].join("\n");
}

const SELECTORS = ["labelSelector", "fieldSelector"] as const;
