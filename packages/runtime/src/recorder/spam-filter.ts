import { checkNumbers } from "@kubescaffold/k8s";
import type { Event } from "@kubescaffold/k8s/events/v1";
import { type Clock, realClock } from "@kubescaffold/platform/clock";

/**
 * Reports whether an event is dropped.
 *
 * client-go: tools/record.EventFilterFunc
 */
export type EventFilter = (event: Event) => boolean;

/** Options of {@link createEventSpamFilter}. */
export interface EventSpamFilterOptions {
  /** The number of events that a source may report about an object at once. Default: 25. */
  readonly burst?: number;
  /** The number of events per second that are allowed again. Default: 1/300, one in 5 minutes. */
  readonly qps?: number;
  /** The number of sources and objects that are remembered; the one that was used the longest ago is forgotten first. Default: 4096. */
  readonly maxEntries?: number;
  /** Returns the key of the events that share a limit. Default: the reporter, the object, and the type of the event. */
  readonly keyOf?: (event: Event) => string;
  /** The clock of the limits. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
}

/**
 * Creates a filter that limits the events of a source about one object, such as an object that is never healthy.
 *
 * client-go: tools/record.NewEventSourceObjectSpamFilter
 *
 * @example
 * const broadcaster = createEventBroadcaster({ client, filter: createEventSpamFilter() });
 */
export function createEventSpamFilter(options: EventSpamFilterOptions = {}): EventFilter {
  checkNumbers("the event filter", options, { burst: "duration", qps: "duration", maxEntries: "count" });
  const { burst = 25, qps = 1 / 300, maxEntries = 4096, keyOf = spamKey, clock = realClock } = options;
  const buckets = new Map<string, TokenBucket>();
  return (event) => {
    const key = keyOf(event);
    const now = clock.monotonic();
    const bucket = refilled(buckets.get(key) ?? { tokens: burst, at: now }, { now, burst, qps });
    const isAllowed = bucket.tokens >= 1;
    // The map is in the order of use.
    buckets.delete(key);
    buckets.set(key, isAllowed ? { ...bucket, tokens: bucket.tokens - 1 } : bucket);
    forgetOldest(buckets, maxEntries);
    return !isAllowed;
  };
}

interface TokenBucket {
  readonly tokens: number;
  readonly at: number;
}

function refilled(
  { tokens, at }: TokenBucket,
  { now, burst, qps }: { readonly now: number; readonly burst: number; readonly qps: number },
): TokenBucket {
  return { tokens: Math.min(burst, tokens + ((now - at) / 1000) * qps), at: now };
}

function forgetOldest(buckets: Map<string, TokenBucket>, maxEntries: number): void {
  const [oldest] = buckets.keys();
  if (buckets.size > maxEntries && oldest !== undefined) {
    buckets.delete(oldest);
  }
}

function spamKey({ reportingController, reportingInstance, regarding, type }: Event): string {
  const { apiVersion, kind, namespace, name, uid } = regarding ?? {};
  return JSON.stringify([reportingController, reportingInstance, apiVersion, kind, namespace, name, uid, type]);
}
