import type { ChaosRequest } from "./request-target.ts";

const EVENTS_PER_WATCH = 5;

interface RecordedEvent {
  readonly version: bigint;
  readonly event: Buffer;
}

/** Stores the last events of each path and query, which a watch that resumes could repeat. */
export class RecentEvents {
  readonly #events: Map<string, readonly RecordedEvent[]> = new Map();

  /** Stores an event of an object. */
  record(request: ChaosRequest, query: URLSearchParams, event: Buffer): void {
    const version = versionOfEvent(event);
    if (version === undefined) return;
    const key = keyOf(request, query);
    this.#events.set(key, [...(this.#events.get(key) ?? []), { version, event }].slice(-EVENTS_PER_WATCH));
  }

  /** Returns the last events before a watch that resumes from a resourceVersion; none for other requests. */
  before(request: ChaosRequest, query: URLSearchParams): readonly Buffer[] {
    const from = query.get("resourceVersion") ?? "";
    if (request.verb !== "watch" || !/^[1-9]\d*$/u.test(from)) return [];
    return (this.#events.get(keyOf(request, query)) ?? [])
      .filter(({ version }) => version <= BigInt(from))
      .map(({ event }) => event);
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
