import type { ChaosRequest } from "./request-target.ts";

const EVENTS_PER_WATCH = 5;

interface RecordedEvent {
  readonly version: bigint;
  readonly event: Buffer;
}

/** Stores the last events of each path and query, which a watch that resumes could repeat, as long as no change is missing between them. */
export class RecentEvents {
  readonly #events: Map<string, readonly RecordedEvent[]> = new Map();

  /** Stores an event of an object. */
  record(request: ChaosRequest, query: URLSearchParams, event: Buffer): void {
    const version = versionOfEvent(event);
    if (version === undefined) return;
    const key = keyOf(request, query);
    const events = this.#events.get(key) ?? [];
    if (version <= (events.at(-1)?.version ?? 0n)) return;
    this.#events.set(key, [...events, { version, event }].slice(-EVENTS_PER_WATCH));
  }

  /** Returns the last events before a watch, if it resumes exactly after them. */
  before(request: ChaosRequest, query: URLSearchParams): readonly Buffer[] {
    const events = request.verb === "watch" ? (this.#events.get(keyOf(request, query)) ?? []) : [];
    const isNext = String(events.at(-1)?.version) === query.get("resourceVersion");
    return isNext ? events.map(({ event }) => event) : [];
  }

  /** Drops the events before a watch that does not resume after them, since changes are missing in between. */
  startWatch(request: ChaosRequest, query: URLSearchParams): void {
    if (this.before(request, query).length === 0) this.#events.delete(keyOf(request, query));
  }
}

function keyOf({ path }: ChaosRequest, query: URLSearchParams): string {
  return JSON.stringify([path, query.get("labelSelector"), query.get("fieldSelector")]);
}

function versionOfEvent(event: Buffer): bigint | undefined {
  const { type, object } = JSON.parse(event.toString("utf8")) as {
    readonly type: string;
    readonly object?: { readonly metadata?: { readonly resourceVersion?: string } };
  };
  const version = object?.metadata?.resourceVersion ?? "";
  return ["ADDED", "MODIFIED", "DELETED"].includes(type) && /^\d+$/u.test(version) ? BigInt(version) : undefined;
}
