import type { ReconcileOutcomes } from "../contract/protocol.ts";
import type { Buckets } from "./histogram.ts";
import type { MetricSample } from "./metrics-text.ts";

/** What the metrics of a manager say at one time. */
export interface Snapshot {
  readonly at: number;
  /** By name. */
  readonly controllers: ReadonlyMap<string, ControllerState>;
  /** By path. */
  readonly webhooks: ReadonlyMap<string, WebhookState>;
  /** Whether the process holds each lease, by name. */
  readonly leases: ReadonlyMap<string, boolean>;
}

/** The state of a controller in a process. */
export interface ControllerState {
  readonly outcomes: ReconcileOutcomes;
  readonly errors: number;
  readonly queueDepth: number;
  readonly activeWorkers: number;
  readonly maxWorkers: number;
  readonly buckets: Buckets;
}

/** The state of a webhook in a process. */
export interface WebhookState {
  readonly requests: number;
  readonly failures: number;
  readonly inFlight: number;
  readonly buckets: Buckets;
}

type Draft<T> = { -readonly [K in keyof T]: T[K] };
type ControllerDraft = Omit<Draft<ControllerState>, "outcomes" | "buckets"> & {
  readonly outcomes: Draft<ReconcileOutcomes>;
  readonly buckets: Map<number, number>;
};
type WebhookDraft = Omit<Draft<WebhookState>, "buckets"> & { readonly buckets: Map<number, number> };

/** Reads the metrics with which controller-runtime and this project's runtime describe a manager; others are ignored. */
export function readSnapshot(samples: readonly MetricSample[], at: number): Snapshot {
  const controllers = new Map<string, ControllerDraft>();
  const webhooks = new Map<string, WebhookDraft>();
  const leases = new Map<string, boolean>();
  for (const sample of samples) {
    const { name, labels, value } = sample;
    const [controller, webhook] = [labels.get("controller"), labels.get("webhook")];
    const readController = CONTROLLER_METRICS.get(name);
    const readWebhook = WEBHOOK_METRICS.get(name);
    if (readController !== undefined && controller !== undefined)
      readController(entryOf(controllers, controller, newController), sample);
    else if (readWebhook !== undefined && webhook !== undefined)
      readWebhook(entryOf(webhooks, webhook, newWebhook), sample);
    else if (name === "leader_election_master_status") leases.set(labels.get("name") ?? "", value === 1);
  }
  return { at, controllers, webhooks, leases };
}

type Read<S> = (state: S, sample: MetricSample) => void;

const OUTCOMES: ReadonlyMap<string, keyof ReconcileOutcomes> = new Map([
  ["success", "success"],
  ["requeue", "requeue"],
  ["requeue_after", "requeueAfter"],
  ["error", "error"],
]);

const CONTROLLER_METRICS: ReadonlyMap<string, Read<ControllerDraft>> = new Map<string, Read<ControllerDraft>>([
  [
    "controller_runtime_reconcile_total",
    ({ outcomes }, { labels, value }) => {
      const outcome = OUTCOMES.get(labels.get("result") ?? "");
      if (outcome !== undefined) outcomes[outcome] += value;
    },
  ],
  ["controller_runtime_reconcile_errors_total", (state, { value }) => void (state.errors += value)],
  ["controller_runtime_active_workers", (state, { value }) => void (state.activeWorkers += value)],
  ["controller_runtime_max_concurrent_reconciles", (state, { value }) => void (state.maxWorkers += value)],
  // One sample for each priority.
  ["workqueue_depth", (state, { value }) => void (state.queueDepth += value)],
  ["controller_runtime_reconcile_time_seconds_bucket", ({ buckets }, sample) => count(buckets, sample)],
]);

const WEBHOOK_METRICS: ReadonlyMap<string, Read<WebhookDraft>> = new Map<string, Read<WebhookDraft>>([
  [
    "controller_runtime_webhook_requests_total",
    (state, { labels, value }) => {
      state.requests += value;
      if (labels.get("code") !== "200") state.failures += value;
    },
  ],
  ["controller_runtime_webhook_requests_in_flight", (state, { value }) => void (state.inFlight += value)],
  ["controller_runtime_webhook_latency_seconds_bucket", ({ buckets }, sample) => count(buckets, sample)],
]);

function count(buckets: Map<number, number>, { labels, value }: MetricSample): void {
  const text = labels.get("le") ?? "";
  const bound = text === "+Inf" ? Number.POSITIVE_INFINITY : Number(text);
  if (text !== "" && !Number.isNaN(bound)) buckets.set(bound, (buckets.get(bound) ?? 0) + value);
}

function entryOf<S>(entries: Map<string, S>, name: string, create: () => S): S {
  const known = entries.get(name);
  if (known !== undefined) return known;
  const created = create();
  entries.set(name, created);
  return created;
}

function newController(): ControllerDraft {
  return {
    outcomes: { success: 0, requeue: 0, requeueAfter: 0, error: 0 },
    errors: 0,
    queueDepth: 0,
    activeWorkers: 0,
    maxWorkers: 0,
    buckets: new Map(),
  };
}

function newWebhook(): WebhookDraft {
  return { requests: 0, failures: 0, inFlight: 0, buckets: new Map() };
}
