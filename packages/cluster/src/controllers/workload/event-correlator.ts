import { type Controller, defineController, type ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { toTime } from "@kubescaffold/k8s";
import type { ObjectReference } from "@kubescaffold/k8s/core/v1";
import type { Clock } from "@kubescaffold/platform/clock";

// The limits of the recorder of client-go.
const SIMILAR_EVENTS = 10;
const SIMILAR_MS = 600_000;
const BURST = 25;
const REFILL_MS = 300_000;
const REMEMBERED = 4096;

/** An event of the core API before it is written. */
export interface CountedEvent {
  readonly name: string;
  readonly source: { readonly component: string; readonly host?: string };
  readonly involvedObject: ObjectReference;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** How an event is written. */
export interface CorrelatedEvent {
  /** Identifies the events that are counted as one. */
  readonly key: string;
  readonly name: string;
  readonly message: string;
  readonly count: number;
  readonly firstTimestamp: string;
  /** Whether it stands for several events with different messages. */
  readonly isCombined: boolean;
}

interface Observation {
  readonly name: string;
  readonly count: number;
  readonly firstTimestamp: string;
}

/** Counts equal events, combines similar ones, and limits those about one object, like the recorder of client-go. */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #similar = new Map<string, { readonly messages: ReadonlySet<string>; readonly at: number }>();
  readonly #observed = new Map<string, Observation>();
  readonly #budgets = new Map<string, { readonly left: number; readonly at: number }>();
  readonly #writes = new Map<string, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns how an event is written; undefined if its source has reported too much about its object. */
  correlate(event: CountedEvent): CorrelatedEvent | undefined {
    const { key, message, isCombined } = this.#combine(event);
    const known = this.#observed.get(key);
    const observation = {
      name: known?.name ?? event.name,
      count: (known?.count ?? 0) + 1,
      firstTimestamp: known?.firstTimestamp ?? toTime(this.#clock.now()),
    };
    remember(this.#observed, key, observation);
    return this.#isWithinBudget(event) ? { ...observation, key, message, isCombined } : undefined;
  }

  /** Writes an event after the earlier ones that are counted as the same. */
  async write({ key }: CorrelatedEvent, write: () => Promise<void>): Promise<void> {
    const before = this.#writes.get(key) ?? Promise.resolve();
    const writing = before.catch(() => undefined).then(write);
    this.#writes.set(key, writing);
    try {
      await writing;
    } finally {
      if (this.#writes.get(key) === writing) this.#writes.delete(key);
    }
  }

  /** Forgets all events. */
  clear(): void {
    this.#similar.clear();
    this.#observed.clear();
    this.#budgets.clear();
  }

  #combine(event: CountedEvent): Pick<CorrelatedEvent, "key" | "message" | "isCombined"> {
    const { source, involvedObject, type, reason, message } = event;
    const key = JSON.stringify([subjectOf(event), type, reason]);
    const now = this.#clock.now();
    const known = this.#similar.get(key);
    const messages = new Set(known === undefined || now - known.at > SIMILAR_MS ? [] : known.messages);
    messages.add(message);
    const isCombined = messages.size >= SIMILAR_EVENTS;
    const [first = ""] = messages;
    if (isCombined) messages.delete(first);
    remember(this.#similar, key, { messages, at: now });
    return isCombined
      ? { key, message: `(combined from similar events): ${message}`, isCombined }
      : { key: JSON.stringify([source, involvedObject.fieldPath, key, message]), message, isCombined };
  }

  #isWithinBudget(event: CountedEvent): boolean {
    const key = subjectOf(event);
    const now = this.#clock.now();
    const { left, at } = this.#budgets.get(key) ?? { left: BURST, at: now };
    const available = Math.min(BURST, left + (now - at) / REFILL_MS);
    const isWithin = available >= 1;
    remember(this.#budgets, key, { left: isWithin ? available - 1 : available, at: now });
    return isWithin;
  }
}

// Who reports, about what.
function subjectOf({ source, involvedObject }: CountedEvent): string {
  const { kind, namespace, name, uid, apiVersion } = involvedObject;
  return JSON.stringify([source.component, source.host, kind, namespace, name, uid, apiVersion]);
}

// The oldest are forgotten.
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest = ""] = map.keys();
  if (map.size > REMEMBERED) map.delete(oldest);
}

const correlators = new WeakMap<ServerContext["resources"], EventCorrelator>();

/** Returns the correlator of a server, which all writers of events share. */
export function correlatorOf(context: ServerContext): EventCorrelator {
  const correlator = correlators.get(context.resources) ?? new EventCorrelator(context.clock);
  correlators.set(context.resources, correlator);
  return correlator;
}

/** Forgets the events of a server when its objects are replaced. */
export const EVENT_CORRELATION: Controller = defineController({
  name: "event-correlation",
  create: (context, { name }) => ({
    name,
    start: () => undefined,
    stop: async () => {
      correlators.get(context.resources)?.clear();
      await Promise.resolve();
    },
    idle: async () => await Promise.resolve(),
  }),
});
