import type {
  DashboardMessage,
  FaultState,
  Hello,
  ManagerState,
  ObjectSummary,
  PermissionRemoved,
  PermissionUse,
  ProjectState,
} from "../contract/protocol.ts";

// What a page sees of the past when it connects.
const MOST_RECONCILES = 2000;
const MOST_EVENTS = 1000;
const MOST_LOG_LINES = 3000;
const MOST_WEBHOOK_CALLS = 200;
const MOST_SAMPLES = 1200;

/** Remembers what a page that connects must know, within limits, and passes messages on. */
export class DashboardState {
  readonly #hello: () => Hello;
  readonly #objects = new Map<string, ObjectSummary>();
  readonly #reconciles = new RecentById(MOST_RECONCILES);
  readonly #events = new RecentById(MOST_EVENTS);
  readonly #webhooks = new RecentById(MOST_WEBHOOK_CALLS);
  readonly #logs = new RecentById(MOST_LOG_LINES);
  readonly #samples = new RecentById(MOST_SAMPLES);
  readonly #latest = new Map<string, DashboardMessage>();
  readonly #listeners = new Set<(message: DashboardMessage) => void>();
  #sequence = 0;

  constructor(hello: () => Hello) {
    this.#hello = hello;
  }

  /** Calls back for each message from now on. */
  onMessage(listener: (message: DashboardMessage) => void): void {
    this.#listeners.add(listener);
  }

  /** Returns the messages that bring a page that connects up to the present. */
  snapshot(): readonly DashboardMessage[] {
    const objects = [...this.#objects.values()].map((object): DashboardMessage => ({
      type: "object",
      change: "existing",
      object,
    }));
    return [
      this.#hello(),
      ...this.#latest.values(),
      ...objects,
      ...this.#reconciles.values(),
      ...this.#samples.values(),
      ...this.#webhooks.values(),
      ...this.#events.values(),
      ...this.#logs.values(),
    ];
  }

  /** Returns the summary of an object. */
  object(uid: string): ObjectSummary | undefined {
    return this.#objects.get(uid);
  }

  /** The last state of the manager. */
  get manager(): ManagerState | undefined {
    return this.#latest.get("manager") as ManagerState | undefined;
  }

  /** The last states of the faults. */
  get faults(): readonly FaultState[] {
    return [...this.#latest.values()].filter((message): message is FaultState => message.type === "fault");
  }

  /** The last findings in the sources. */
  get project(): ProjectState | undefined {
    return this.#latest.get("project") as ProjectState | undefined;
  }

  /** Remembers a message and passes it on. */
  publish(message: DashboardMessage): void {
    this.#remember(message);
    for (const listener of this.#listeners) listener(message);
  }

  #remember(message: DashboardMessage): void {
    switch (message.type) {
      case "hello":
        return;
      case "object":
        if (message.change === "deleted") this.#objects.delete(message.object.uid);
        else this.#objects.set(message.object.uid, message.object);
        return;
      case "reconcile":
        this.#reconciles.set(message.id, message);
        return;
      case "event":
        this.#events.set(message.uid, message);
        return;
      case "webhook":
        this.#webhooks.set(message.id, message);
        return;
      case "log":
        this.#logs.set(this.#next(), message);
        return;
      case "controller":
        this.#samples.set(this.#next(), message);
        return;
      case "cache":
        this.#latest.set(`cache ${message.apiVersion} ${message.kind}`, message);
        return;
      case "permission":
        this.#latest.set(permissionKey(message), message);
        return;
      case "permission-removed":
        this.#latest.delete(permissionKey(message));
        return;
      case "fault":
        this.#latest.set(`fault ${message.name}`, message);
        return;
      case "webhook-totals":
        this.#latest.set(`webhook-totals ${message.path}`, message);
        return;
      case "manager":
      case "project":
      case "replicas":
      case "problems":
        this.#latest.set(message.type, message);
    }
  }

  #next(): string {
    this.#sequence += 1;
    return String(this.#sequence);
  }
}

function permissionKey({ verb, group, resource, namespace }: PermissionUse | PermissionRemoved): string {
  return `permission ${verb} ${group} ${resource} ${namespace}`;
}

/** The last messages by their ID, in the order in which they appeared first. */
class RecentById {
  readonly #limit: number;
  readonly #messages = new Map<string, DashboardMessage>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  set(id: string, message: DashboardMessage): void {
    this.#messages.set(id, message);
    if (this.#messages.size <= this.#limit) return;
    const [oldest] = this.#messages.keys();
    if (oldest !== undefined) this.#messages.delete(oldest);
  }

  values(): Iterable<DashboardMessage> {
    return this.#messages.values();
  }
}
