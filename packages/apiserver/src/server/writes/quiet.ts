import { checkNumbers, printServerJson } from "@kubescaffold/k8s";
import type { Clock, Timer } from "@kubescaffold/platform/clock";

import type { RequestContext } from "../../request/request-context.ts";
import type { WatchRegistry } from "../../resources/watch-registry.ts";
import { splitKey } from "../../storage/object-key.ts";
import type { StoreEvent } from "../../storage/object-reader.ts";
import type { Store } from "../../storage/store.ts";
import { describeAuthor, describeObject, NotQuietError, WriteCycleError, type WrittenObject } from "./quiet-errors.ts";
import { type FaultMatch, isRequestMatch } from "./request-match.ts";
import type { HandledWrite, RequestWrites, WriteAuthor } from "./request-writes.ts";
import { WriteCycles } from "./write-cycles.ts";

/** The definition of rest. */
export interface QuietOptions {
  /** How long nothing must be written, in milliseconds of the server's clock. */
  readonly ms: number;
  /** Writes and requests that do not count, in addition to writes of Leases and Events. Default: none. */
  readonly ignore?: readonly FaultMatch[];
  /** Watches that must be open, such as that of an operator which is just starting: at least one for each match. Default: none. */
  readonly watches?: readonly FaultMatch[];
  /** When it fails, in milliseconds of the server's clock. Default: 60000. */
  readonly timeoutMs?: number;
}

/** A cluster at rest. */
export interface Rest {
  /** The store's version, which only writes that do not count have changed since. */
  readonly resourceVersion: string;
}

/** Dependencies of {@link QuietWait}. */
export interface QuietParts {
  readonly clock: Clock;
  readonly store: Store;
  readonly writes: RequestWrites;
  readonly watches: WatchRegistry;
  /** The requests of clients without an answer, other than streams. */
  readonly inFlight: { readonly running: Iterable<Requested> };
  /** Resolves when the controllers of the cluster are idle. */
  readonly idle: () => Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const NEVER_COUNTED: ReadonlySet<string> = new Set(["leases.coordination.k8s.io", "events.", "events.events.k8s.io"]);

/** Waits for rest. */
export class QuietWait {
  readonly rest: Promise<Rest>;
  readonly #parts: QuietParts;
  readonly #options: QuietOptions;
  readonly #cycles = new WriteCycles();
  readonly #endings: (() => void)[] = [];
  #resolve: (rest: Rest) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  // Counts writes that matter, whether or not they have changed something.
  #writeCount = 0;
  #lastWrite: string | undefined;
  #restingSince: number;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(parts: QuietParts, options: QuietOptions) {
    checkNumbers("quiet", options, { ms: "duration", timeoutMs: "duration" });
    this.#parts = parts;
    this.#options = options;
    this.#restingSince = parts.clock.monotonic();
    this.rest = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#start();
  }

  /** Ends without rest. */
  fail(when: string): void {
    this.#end(() => this.#reject(new NotQuietError(when, this.#reasons())));
  }

  #start(): void {
    const { clock, store, writes } = this.#parts;
    const { ms, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    this.#endings.push(
      writes.observe((write) => this.#onRequest(write)),
      store.observe(undefined, (event) => this.#onEvent(event)),
    );
    const deadline = clock.setTimeout(() => this.fail(`after ${String(timeoutMs)} ms`), timeoutMs);
    this.#endings.push(() => deadline.cancel());
    this.#wait(ms);
  }

  #wait(delayMs: number): void {
    this.#timer = this.#parts.clock.setTimeout(() => void this.#judge(), delayMs);
  }

  // Rest starts over while something is under way, since a client is likely to write when it has its answer.
  async #judge(): Promise<void> {
    const { clock, store, idle } = this.#parts;
    const { ms } = this.#options;
    const leftMs = this.#restingSince + ms - clock.monotonic();
    if (leftMs > 0) {
      this.#wait(leftMs);
      return;
    }
    const writeCount = this.#writeCount;
    await idle();
    if (this.#isOver) return;
    if (writeCount !== this.#writeCount || this.#obstacles().length > 0) {
      this.#restingSince = clock.monotonic();
      this.#wait(Math.max(ms, SHORTEST_MS));
      return;
    }
    this.#end(() => this.#resolve({ resourceVersion: String(store.revision) }));
  }

  #onEvent(event: StoreEvent): void {
    const { groupResource, key } = event;
    if (NEVER_COUNTED.has(`${groupResource.resource}.${groupResource.group}`)) return;
    this.#count({ ...groupResource, ...splitKey(key) }, this.#parts.writes.author, event);
  }

  #onRequest({ context: { info, request }, author, events }: HandledWrite): undefined {
    const { group, resource, namespace, name } = info;
    const isCounted = events.length === 0 && CHANGING.has(info.verb) && name !== "" && !request.query.has("dryRun");
    if (isCounted && !NEVER_COUNTED.has(`${resource}.${group}`)) {
      this.#count({ group, resource, namespace, name }, author, undefined);
    }
    return undefined;
  }

  #count(object: WrittenObject, author: WriteAuthor, event: StoreEvent | undefined): void {
    if (this.#isIgnored({ ...author, ...object })) return;
    this.#writeCount += 1;
    this.#restingSince = this.#parts.clock.monotonic();
    this.#lastWrite = `${describeAuthor(author)} wrote ${describeObject(object)}${event === undefined ? ", and changed nothing" : ""}`;
    const cycle = this.#cycles.add(describeObject(object), { author, event });
    if (cycle !== undefined) this.#end(() => this.#reject(new WriteCycleError(object, cycle)));
  }

  #isIgnored(request: Readonly<Record<keyof FaultMatch, string>>): boolean {
    return (this.#options.ignore ?? []).some((match) => isRequestMatch(match, request));
  }

  #obstacles(): readonly string[] {
    const { watches, inFlight } = this.#parts;
    const running = [...inFlight.running].filter((request) => !this.#isIgnored(namesOf(request)));
    const missing = (this.#options.watches ?? []).filter(
      (match) => !watches.running.some((watch) => isRequestMatch(match, namesOf(watch.context))),
    );
    return [
      ...running.map((request) => `${describeRequest(request)} has no answer`),
      ...watches.awaited
        .filter(({ context }) => !this.#isIgnored(namesOf(context)))
        .map(({ context }) => `${describeRequest(context)} has ended, and is not open again`),
      ...missing.map((match) => `no watch of ${printServerJson(match)} is open`),
    ];
  }

  #reasons(): readonly string[] {
    const reasons = [...(this.#lastWrite === undefined ? [] : [this.#lastWrite]), ...this.#obstacles()];
    return reasons.length > 0 ? reasons : ["the time was too short"];
  }

  #end(settle: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.cancel();
    this.#endings.forEach((end) => end());
    settle();
  }
}

// Obstacles are checked again after a tick of the clock, also if no rest is required.
const SHORTEST_MS = 1;
const CHANGING: ReadonlySet<string> = new Set(["update", "patch"]);

type Requested = Pick<RequestContext, "info" | "user">;

function namesOf({ info, user }: Requested): Readonly<Record<keyof FaultMatch, string>> {
  return { ...info, user: user.name };
}

function describeRequest({ info, user }: Requested): string {
  return `${info.verb} ${describeObject(info).trim()} by ${user.name}`;
}
