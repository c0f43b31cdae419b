import { goDurationProblem, readGoNanoseconds } from "@kubescaffold/platform";
import type { Clock } from "@kubescaffold/platform/clock";

import { TIMED_OUT, TOO_MANY_REQUESTS } from "../output/write-response.ts";
import { badRequest, STREAMS } from "../request/failures.ts";
import type { RequestInfo, UserInfo } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";

/** How many requests are handled at once, and for how long; watches are exempt. */
export interface RequestLimits {
  /** Requests that read. Default: 400. */
  readonly maxRequestsInFlight?: number;
  /** Requests that write. Default: 200. */
  readonly maxMutatingRequestsInFlight?: number;
  /** Milliseconds until a request fails with 504; a request may ask for less with `timeout`. Default: 60000. */
  readonly requestTimeoutMs?: number;
}

const READS: ReadonlySet<string> = new Set(["get", "list", "watch"]);
const MASTERS = "system:masters";

/** A request that is handled now. */
export interface RunningRequest {
  readonly info: RequestInfo;
  readonly user: UserInfo;
}

/** Knows the requests of clients that are handled now, other than streams. */
export class RequestsInFlight {
  readonly #running = new Set<RunningRequest>();
  readonly #limits: { readonly read: number; readonly write: number };
  readonly #counts = { read: 0, write: 0 };

  constructor({ maxRequestsInFlight = 400, maxMutatingRequestsInFlight = 200 }: RequestLimits) {
    this.#limits = { read: maxRequestsInFlight, write: maxMutatingRequestsInFlight };
  }

  /** The requests, in the order in which they came. */
  get running(): ReadonlySet<RunningRequest> {
    return this.#running;
  }

  /** The numbers of requests that are handled now. */
  get counts(): { readonly read: number; readonly write: number } {
    return this.#counts;
  }

  /** Handles a request, or answers 429 when there are too many; administrators are served all the same. */
  async run(
    info: RequestInfo,
    user: UserInfo,
    work: () => Promise<ServerResponse | undefined>,
  ): Promise<ServerResponse | undefined> {
    if (isLongRunning(info)) return await work();
    const kind = READS.has(info.verb) ? "read" : "write";
    if (this.#counts[kind] >= this.#limits[kind] && !user.groups.includes(MASTERS)) return TOO_MANY_REQUESTS;
    const request = { info, user };
    this.#counts[kind] += 1;
    this.#running.add(request);
    try {
      return await work();
    } finally {
      this.#counts[kind] -= 1;
      this.#running.delete(request);
    }
  }
}

const NOTHING = (): void => undefined;

/** The time that one request may take. */
class Deadline {
  readonly expiresAt: number;
  /** Whether the client already has its response, so nothing may be stored any more. */
  isOver = false;
  onOver: () => void = NOTHING;

  constructor(expiresAt: number) {
    this.expiresAt = expiresAt;
  }
}

/** Ends requests that take too long. One timer serves all those with the same limit, since most end long before. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #longestMs: number;
  // In the order in which they end.
  readonly #running = new Set<Deadline>();
  #isArmed = false;

  constructor(clock: Clock, longestMs: number) {
    this.#clock = clock;
    this.#longestMs = longestMs;
  }

  /** Answers 504 when the work takes longer than the request, or the server, lets it. Fails: with 400 when `timeout` is not a duration. */
  async run(
    info: RequestInfo,
    query: URLSearchParams,
    work: (deadline: { readonly isOver: boolean }) => Promise<ServerResponse | undefined>,
  ): Promise<ServerResponse | undefined> {
    const timeoutMs = timeoutOf(info, query, this.#longestMs);
    if (timeoutMs === Number.POSITIVE_INFINITY) return await work({ isOver: false });
    // No timer is that short.
    if (timeoutMs < 1) return TIMED_OUT;
    const deadline = new Deadline(this.#clock.now() + timeoutMs);
    const stop = timeoutMs === this.#longestMs ? this.#watch(deadline) : this.#watchAlone(deadline, timeoutMs);
    return await new Promise((resolve, reject) => {
      deadline.onOver = () => resolve(TIMED_OUT);
      const answered = work(deadline);
      this.#clock.hold?.(answered);
      answered.then(
        (answer) => {
          stop();
          resolve(answer);
        },
        (error: unknown) => {
          stop();
          reject(error);
        },
      );
    });
  }

  #watch(deadline: Deadline): () => void {
    this.#running.add(deadline);
    if (!this.#isArmed) this.#arm(this.#longestMs);
    return () => {
      this.#running.delete(deadline);
      // The tables from which a Set has grown refer to what was deleted until all of the heap is collected; they must not keep the request.
      deadline.onOver = NOTHING;
    };
  }

  #watchAlone(deadline: Deadline, timeoutMs: number): () => void {
    const timer = this.#clock.setTimeout(() => end(deadline), timeoutMs).unref();
    return () => timer.cancel();
  }

  #arm(delayMs: number): void {
    this.#isArmed = true;
    this.#clock.setTimeout(() => this.#endExpired(), delayMs).unref();
  }

  #endExpired(): void {
    this.#isArmed = false;
    const now = this.#clock.now();
    for (const deadline of this.#running) {
      if (deadline.expiresAt > now) {
        this.#arm(deadline.expiresAt - now);
        return;
      }
      this.#running.delete(deadline);
      end(deadline);
    }
  }
}

function end(deadline: Deadline): void {
  deadline.isOver = true;
  deadline.onOver();
}

/** Returns the milliseconds that a request may take. Fails: with 400 when `timeout` is not a duration. */
function timeoutOf(info: RequestInfo, query: URLSearchParams, longestMs: number): number {
  if (isLongRunning(info)) return Number.POSITIVE_INFINITY;
  const asked = query.get("timeout") ?? "";
  if (asked === "") return longestMs;
  const timeoutMs = parseTimeoutMs(asked);
  return timeoutMs > 0 && timeoutMs < longestMs ? timeoutMs : longestMs;
}

/** Reports whether a request has no time limit. */
export function isLongRunning({ verb, subresource, isResourceRequest }: RequestInfo): boolean {
  return isResourceRequest && (verb === "watch" || STREAMS.has(subresource));
}

const NANOS_PER_MS = 1_000_000;

function parseTimeoutMs(text: string): number {
  const nanos = readGoNanoseconds(text);
  if (nanos === undefined)
    throw badRequest(`invalid timeout specified in the request URL - ${goDurationProblem(text)}`);
  return Number(nanos) / NANOS_PER_MS;
}
