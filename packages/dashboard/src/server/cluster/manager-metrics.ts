import type { ControllerSample, ReconcileOutcomes, WebhookTotals } from "../contract/protocol.ts";
import { addBuckets, type Buckets, bucketsSince, countOf, quantileOf } from "./histogram.ts";
import { type ControllerState, readSnapshot, type Snapshot, type WebhookState } from "./metrics-snapshot.ts";
import type { MetricSample } from "./metrics-text.ts";

/** How long percentiles look back. */
const WINDOW_MS = 60_000;

/** Derives the state of controllers and webhooks from the metrics of all replicas of a manager. */
export class ManagerMetrics {
  readonly #replicas = new Map<string, readonly Snapshot[]>();
  /** The last percentiles of each controller and webhook, for times without observations. */
  readonly #percentiles = new Map<string, Percentiles>();

  /** Reads the metrics of a replica at a time. */
  read(replica: string, samples: readonly MetricSample[], at: number): void {
    const before = (this.#replicas.get(replica) ?? []).filter((each) => each.at >= at - WINDOW_MS);
    this.#replicas.set(replica, [...before, readSnapshot(samples, at)]);
  }

  /** Forgets a replica that is gone, or cannot be read. */
  forget(replica: string): void {
    this.#replicas.delete(replica);
  }

  /** Reports whether a replica was read. */
  has(replica: string): boolean {
    return this.#replicas.has(replica);
  }

  /** Reports whether a replica is the leader; undefined if it takes part in no election. */
  isLeader(replica: string): boolean | undefined {
    return leads(this.#replicas.get(replica)?.at(-1));
  }

  /** Reports whether the manager takes part in the election of a lease. */
  hasLease(name: string): boolean {
    return [...this.#replicas.values()].some((snapshots) => snapshots.at(-1)?.leases.has(name) === true);
  }

  /** Returns the state of each controller, over all replicas. */
  controllers(at: number, intervalMs: number): readonly ControllerSample[] {
    const names = this.#names(({ controllers }) => controllers);
    return names.map((name) => {
      const series = this.#series(({ controllers }) => controllers.get(name));
      const latest = series.flatMap(({ states }) => states.at(-1)?.state ?? []);
      const sum = (pick: (state: ControllerState) => number): number =>
        latest.reduce((total, state) => total + pick(state), 0);
      const outcomes: ReconcileOutcomes = {
        success: sum(({ outcomes: { success } }) => success),
        requeue: sum(({ outcomes: { requeue } }) => requeue),
        requeueAfter: sum(({ outcomes: { requeueAfter } }) => requeueAfter),
        error: sum(({ outcomes: { error } }) => error),
      };
      return {
        type: "controller",
        at,
        controller: name,
        queueDepth: sum(({ queueDepth }) => queueDepth),
        activeWorkers: sum(({ activeWorkers }) => activeWorkers),
        maxWorkers: series
          .filter(({ isActive }) => isActive)
          .reduce((total, { states }) => total + (states.at(-1)?.state.maxWorkers ?? 0), 0),
        reconciles: totalOf(outcomes),
        errors: sum(({ errors }) => errors),
        rate: rateOf(series, ({ outcomes: each }) => totalOf(each)),
        ...this.#percentilesOf(`controller ${name}`, series),
        outcomes,
        intervalMs,
      };
    });
  }

  /** Returns the calls of each webhook, over all replicas. */
  webhooks(at: number): readonly WebhookTotals[] {
    return this.#names(({ webhooks }) => webhooks).map((path) => {
      const series = this.#series(({ webhooks }) => webhooks.get(path));
      const latest = series.flatMap(({ states }) => states.at(-1)?.state ?? []);
      const sum = (pick: (state: WebhookState) => number): number =>
        latest.reduce((total, state) => total + pick(state), 0);
      return {
        type: "webhook-totals",
        at,
        path,
        requests: sum(({ requests }) => requests),
        failures: sum(({ failures }) => failures),
        inFlight: sum(({ inFlight }) => inFlight),
        rate: rateOf(series, ({ requests }) => requests),
        ...this.#percentilesOf(`webhook ${path}`, series),
      };
    });
  }

  #names(pick: (snapshot: Snapshot) => ReadonlyMap<string, unknown>): readonly string[] {
    const latest = [...this.#replicas.values()].flatMap((snapshots) => snapshots.at(-1) ?? []);
    return [...new Set(latest.flatMap((snapshot) => [...pick(snapshot).keys()]))].toSorted();
  }

  #series<S>(pick: (snapshot: Snapshot) => S | undefined): readonly Series<S>[] {
    return [...this.#replicas.values()].map((snapshots) => ({
      // A replica that waits for the lease has workers that do not run.
      isActive: leads(snapshots.at(-1)) !== false,
      states: snapshots.flatMap((snapshot) => {
        const state = pick(snapshot);
        return state === undefined ? [] : [{ at: snapshot.at, state }];
      }),
    }));
  }

  #percentilesOf(key: string, series: readonly Series<{ readonly buckets: Buckets }>[]): Percentiles {
    const recent = addBuckets(
      series.flatMap(({ states }) => {
        const last = states.at(-1);
        const [first] = states;
        // At the first read, everything since the start.
        return last === undefined
          ? []
          : [bucketsSince(last.state.buckets, first === last ? undefined : first?.state.buckets)];
      }),
    );
    if (countOf(recent) > 0) this.#percentiles.set(key, percentilesOf(recent));
    return this.#percentiles.get(key) ?? {};
  }
}

interface Series<S> {
  readonly isActive: boolean;
  readonly states: readonly { readonly at: number; readonly state: S }[];
}

type Percentiles = Pick<ControllerSample, "p50Ms" | "p90Ms" | "p99Ms">;

function leads(snapshot: Snapshot | undefined): boolean | undefined {
  if (snapshot === undefined || snapshot.leases.size === 0) return undefined;
  return [...snapshot.leases.values()].some((isHeld) => isHeld);
}

function totalOf({ success, requeue, requeueAfter, error }: ReconcileOutcomes): number {
  return success + requeue + requeueAfter + error;
}

// The total of a process that started again is what it counted since then.
function rateOf<S>(series: readonly Series<S>[], total: (state: S) => number): number {
  const rate = series.reduce((sum, { states }) => {
    const [before, now] = [states.at(-2), states.at(-1)];
    if (before === undefined || now === undefined || now.at <= before.at) return sum;
    const [earlier, later] = [total(before.state), total(now.state)];
    return sum + ((later < earlier ? later : later - earlier) * 1000) / (now.at - before.at);
  }, 0);
  return Math.round(rate * 100) / 100;
}

function percentilesOf(buckets: Buckets): Percentiles {
  const at = (quantile: number): number => Math.round((quantileOf(buckets, quantile) ?? 0) * 100_000) / 100;
  return { p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99) };
}
