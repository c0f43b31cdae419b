import type { Clock } from "@kubescaffold/platform/clock";

import type { AdmissionAttributes, AdmissionPlugin } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { failure } from "../../request/failures.ts";
import type { EventLimit, EventLimitType } from "./event-rate-limit-options.ts";

/** Refuses events that are written more often than their limits permit, those of `events.k8s.io` excepted. */
export function eventRateLimit({ clock }: ServerContext, eventLimits: readonly EventLimit[]): AdmissionPlugin {
  const limits = eventLimits.map((limit) => ({ limit, buckets: new Buckets(limit, clock) }));
  return {
    name: "EventRateLimit",
    validate: (attributes) => {
      const { operation, kind, isDryRun } = attributes;
      const isWritten = (operation === "CREATE" || operation === "UPDATE") && !isDryRun;
      if (!isWritten || kind.group !== "" || kind.kind !== "Event") return;
      // Each limit counts the event, also one that another limit refuses.
      const exceeded = limits.flatMap(({ limit: { type }, buckets }) => {
        const key = KEYS[type](attributes);
        return buckets.take(key) ? [] : [`limit reached on type ${type} for key ${key}`];
      });
      const [first, ...others] = [...new Set(exceeded)];
      if (first === undefined) return;
      const text = others.length === 0 ? first : `[${[first, ...others].join(", ")}]`;
      throw failure({ code: 429, reason: "TooManyRequests", message: `Too many requests: ${text}` });
    },
  };
}

const KEYS: Readonly<Record<EventLimitType, (attributes: AdmissionAttributes) => string>> = {
  Server: () => "",
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: ({ object }) => {
    const { source, involvedObject } = (object ?? {}) as EventSubject;
    const { kind, namespace, name, uid, apiVersion } = involvedObject ?? {};
    return [source?.component, source?.host, kind, namespace, name, uid, apiVersion].join("");
  },
};

interface EventSubject {
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly involvedObject?: Readonly<Partial<Record<"kind" | "namespace" | "name" | "uid" | "apiVersion", string>>>;
}

const DEFAULT_CACHE_SIZE = 4096;

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** The tokens that are left of a limit, for each key. */
class Buckets {
  // The least recently used one is the first.
  readonly #buckets = new Map<string, Bucket>();
  readonly #limit: EventLimit;
  readonly #clock: Clock;

  constructor(limit: EventLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Takes one token, if there is one. */
  take(key: string): boolean {
    const { qps, burst, cacheSize = 0 } = this.#limit;
    const now = this.#clock.now();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const filled = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * qps);
    const isTaken = filled >= 1;
    this.#buckets.delete(key);
    // Only what is taken changes a bucket: the rounding errors of many small fillings would add up.
    this.#buckets.set(key, isTaken ? { tokens: filled - 1, at: now } : bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > (cacheSize === 0 ? DEFAULT_CACHE_SIZE : cacheSize) && oldest !== undefined)
      this.#buckets.delete(oldest);
    return isTaken;
  }
}
