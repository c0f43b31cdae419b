import type { Observation, WebhookCalled } from "@kubescaffold/runtime";

import type { DashboardMessage, ReconcileRecord, ReconcileWrite } from "../contract/protocol.ts";
import { webhookCallOf } from "./webhook-call.ts";

/** Who wrote a version of an object, as the manager observed it. */
export interface ObservedAuthor {
  readonly controller: string;
  readonly reconcileId: string;
}

const MOST_AUTHORS = 50_000;
const MOST_DURATIONS = 1000;
const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);
const MOST_WRITES = 200;

interface Recent {
  /** Durations since the last sample. */
  durations: number[];
  /** The percentiles of the last sample with durations. */
  percentiles: Percentiles;
  reconciles: number;
  at: number;
  /** The number of reconciles that ended with an update conflict. */
  conflicts: number;
}

type Percentiles = { readonly p50Ms?: number; readonly p90Ms?: number; readonly p99Ms?: number };

/** Turns the observations of a manager into messages for pages. */
export class ObservationReader {
  readonly #publish: (message: DashboardMessage) => void;
  readonly #running = new Map<string, ReconcileRecord>();
  readonly #controllers = new Map<string, Recent>();
  readonly #authors = new Map<string, ObservedAuthor>();

  constructor(publish: (message: DashboardMessage) => void) {
    this.#publish = publish;
  }

  /** Reads an observation. */
  read(observation: Observation): void {
    switch (observation.kind) {
      case "reconcile-started":
        this.#start(observation);
        return;
      case "reconcile-ended":
        this.#end(observation);
        return;
      case "request":
        if (WRITES.has(observation.verb)) this.#write(observation);
        return;
      case "controller":
        this.#sample(observation);
        return;
      case "cache":
        if (!observation.isMetadataOnly)
          this.#publish({ ...pick(observation), type: "cache", kind: observation.objectKind });
        return;
      case "webhook":
        this.#publish(webhookCallOf(observation satisfies WebhookCalled));
    }
  }

  /** Ends the reconciles of a manager that has ended. */
  managerEnded(): void {
    for (const record of this.#running.values()) {
      this.#publish({ ...record, outcome: "error", durationMs: 0, error: "the manager ended before the reconcile" });
    }
    this.#running.clear();
    this.#controllers.clear();
  }

  /** Returns the reconcile that wrote a version of an object. */
  authorOf(resourceVersion: string): ObservedAuthor | undefined {
    return this.#authors.get(resourceVersion);
  }

  #start({
    reconcileId: id,
    controller,
    namespace,
    name,
    at,
    trigger,
  }: Extract<Observation, { kind: "reconcile-started" }>): void {
    const record: ReconcileRecord = {
      type: "reconcile",
      id,
      controller,
      namespace,
      name,
      startedAt: at,
      outcome: "running",
      ...(trigger === undefined ? {} : { trigger }),
      writes: [],
    };
    this.#running.set(id, record);
    this.#publish(record);
  }

  #end(ended: Extract<Observation, { kind: "reconcile-ended" }>): void {
    const { reconcileId: id, controller, namespace, name, at, durationMs, outcome } = ended;
    const { writes = [] } = this.#running.get(id) ?? {};
    this.#running.delete(id);
    const recent = this.#recent(controller);
    recent.durations.push(durationMs);
    if (outcome === "error" && ended.errorCode === "Conflict") recent.conflicts += 1;
    this.#publish({
      type: "reconcile",
      id,
      controller,
      namespace,
      name,
      startedAt: at,
      durationMs,
      outcome: outcome === "shutdown" ? "error" : outcome,
      ...(ended.trigger === undefined ? {} : { trigger: ended.trigger }),
      ...(ended.requeueAfterMs === undefined ? {} : { requeueAfterMs: ended.requeueAfterMs }),
      ...(outcome === "shutdown" ? { error: "the manager stopped" } : {}),
      ...(ended.error === undefined ? {} : { error: ended.error }),
      ...(ended.errorCode === undefined ? {} : { errorCode: ended.errorCode }),
      writes,
    });
  }

  #write(request: Extract<Observation, { kind: "request" }>): void {
    const { reconcileId, at, verb, group, subresource, namespace, name, status, durationMs, resourceVersion } = request;
    const record = reconcileId === undefined ? undefined : this.#running.get(reconcileId);
    if (record === undefined || request.isDryRun) return;
    const resource = `${request.resource}${group === "" ? "" : `.${group}`}${subresource === "" ? "" : `/${subresource}`}`;
    const write: ReconcileWrite = {
      at,
      verb,
      resource,
      namespace,
      name,
      status,
      durationMs,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(request.isUnchanged === true ? { isUnchanged: true } : {}),
    };
    const changed = { ...record, writes: [...record.writes, write].slice(-MOST_WRITES) };
    this.#running.set(record.id, changed);
    this.#publish(changed);
    if (resourceVersion !== undefined)
      this.#remember(resourceVersion, { controller: record.controller, reconcileId: record.id });
  }

  #remember(resourceVersion: string, author: ObservedAuthor): void {
    if (this.#authors.has(resourceVersion)) return;
    this.#authors.set(resourceVersion, author);
    if (this.#authors.size <= MOST_AUTHORS) return;
    const [oldest] = this.#authors.keys();
    if (oldest !== undefined) this.#authors.delete(oldest);
  }

  #sample(sample: Extract<Observation, { kind: "controller" }>): void {
    const { kind: _kind, ...fields } = sample;
    const recent = this.#recent(sample.controller);
    const seconds = (sample.at - recent.at) / 1000;
    // The totals start again with a new manager.
    const done = Math.max(0, sample.reconciles - recent.reconciles);
    if (recent.durations.length > 0) recent.percentiles = percentilesOf(recent.durations);
    recent.durations = [];
    const isFirst = recent.at === 0;
    recent.at = sample.at;
    recent.reconciles = sample.reconciles;
    this.#publish({
      type: "controller",
      ...fields,
      // The metric of controller-runtime counts conflicts, which are part of normal operation.
      errors: Math.max(0, sample.errors - recent.conflicts),
      rate: isFirst || seconds <= 0 ? 0 : Math.round((done / seconds) * 100) / 100,
      ...recent.percentiles,
    });
  }

  #recent(controller: string): Recent {
    let recent = this.#controllers.get(controller);
    if (recent === undefined) {
      recent = { durations: [], percentiles: {}, reconciles: 0, conflicts: 0, at: 0 };
      this.#controllers.set(controller, recent);
    }
    if (recent.durations.length > MOST_DURATIONS) recent.durations = recent.durations.slice(-MOST_DURATIONS);
    return recent;
  }
}

function pick({ at, apiVersion, objects, isSynced }: Extract<Observation, { kind: "cache" }>) {
  return { at, apiVersion, objects, isSynced };
}

function percentilesOf(durations: readonly number[]): Percentiles {
  const sorted = durations.toSorted((left, right) => left - right);
  const at = (share: number): number => {
    const value = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
    return Math.round(value * 100) / 100;
  };
  return { p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99) };
}
