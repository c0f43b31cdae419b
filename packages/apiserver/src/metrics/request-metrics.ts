import { StatusError } from "@kubescaffold/k8s";

import { PAGE_NOT_FOUND } from "../output/write-response.ts";
import { isUnroutable } from "../request/failures.ts";
import type { RequestInfo, WebhookCall } from "../request/request-context.ts";
import { isStreamed, withEnd } from "../request/response-end.ts";
import type { ServerRequest, ServerResponse } from "../request/server-request.ts";
import type { ResourceType } from "../resources/registry.ts";
import type { Family, Labels, Sample } from "./families.ts";

const SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const WEBHOOK_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];

/** A request that metrics count. */
export interface CountedRequest {
  readonly request: Pick<ServerRequest, "method" | "query" | "header">;
  readonly info: RequestInfo;
  /** Absent for paths that are not about resources. */
  readonly type: Pick<ResourceType, "isCustom" | "isNamespaced"> | undefined;
}

/** Counts events of watches. */
export interface EventCounter {
  count: number;
}

interface Series {
  readonly labels: Labels;
  readonly codes: Map<number, number>;
  readonly seconds: Histogram;
  running: number;
}

/** Counts requests, events, and webhooks as kube-apiserver does: with its names and labels. Counting costs little; texts are made when metrics are scraped. */
export class RequestMetrics {
  readonly #series = new Map<string, Series>();
  readonly #events = new Map<string, { readonly labels: Labels; readonly counter: EventCounter }>();
  readonly #webhooks = new Map<string, { readonly labels: Labels; readonly seconds: Histogram }>();

  /** Handles a request and counts its answer: one that is streamed when it ends, and one that no route takes not at all. */
  async count(request: CountedRequest, work: () => Promise<ServerResponse>): Promise<ServerResponse> {
    const series = this.#seriesOf(request);
    const started = performance.now();
    const drop = (): void => {
      series.running -= 1;
    };
    const finish = (code: number): void => {
      drop();
      series.codes.set(code, (series.codes.get(code) ?? 0) + 1);
      series.seconds.observe((performance.now() - started) / 1000);
    };
    series.running += 1;
    try {
      const answer = await work();
      if (answer === PAGE_NOT_FOUND) drop();
      else if (isStreamed(answer.body)) return { ...answer, body: withEnd(answer.body, () => finish(answer.code)) };
      else finish(answer.code);
      return answer;
    } catch (error) {
      if (error instanceof StatusError && isUnroutable(error.status)) drop();
      else finish(error instanceof StatusError ? (error.status.code ?? 500) : 500);
      throw error;
    }
  }

  /** Returns the counter of the events of a resource. */
  eventsOf({ group, version, resource }: Pick<ResourceType, "group" | "version" | "resource">): EventCounter {
    const key = `${group}/${version}/${resource}`;
    let entry = this.#events.get(key);
    if (entry === undefined) {
      entry = { labels: { group, version, resource }, counter: { count: 0 } };
      this.#events.set(key, entry);
    }
    return entry.counter;
  }

  /** Counts a call of an admission webhook. */
  readonly countWebhook = ({ name, type, operation, isRejected, seconds }: WebhookCall): void => {
    const key = [name, type, operation, isRejected].join("\0");
    let entry = this.#webhooks.get(key);
    if (entry === undefined) {
      const labels = { name, type, operation, rejected: String(isRejected) };
      entry = { labels, seconds: new Histogram(WEBHOOK_SECONDS) };
      this.#webhooks.set(key, entry);
    }
    entry.seconds.observe(seconds);
  };

  /** Returns what was counted. */
  families(): readonly Family[] {
    const counted = [...this.#series.values()].filter(({ codes }) => codes.size > 0);
    return [
      {
        name: "apiserver_request_total",
        type: "counter",
        samples: counted.flatMap(({ labels, codes }) =>
          [...codes].map(([code, value]) => ({
            name: "apiserver_request_total",
            labels: { ...labels, code: String(code) },
            value,
          })),
        ),
      },
      {
        name: "apiserver_request_duration_seconds",
        type: "histogram",
        samples: counted.flatMap(({ labels, seconds }) =>
          seconds.samples("apiserver_request_duration_seconds", labels),
        ),
      },
      {
        name: "apiserver_longrunning_requests",
        type: "gauge",
        samples: [...this.#series.values()]
          .filter(({ labels }) => LONG_RUNNING.has(labels["verb"] ?? ""))
          .map(({ labels: { dry_run: _dryRun, ...labels }, running }) => ({
            name: "apiserver_longrunning_requests",
            labels,
            value: running,
          })),
      },
      {
        name: "apiserver_watch_events_total",
        type: "counter",
        samples: [...this.#events.values()]
          .filter(({ counter }) => counter.count > 0)
          .map(({ labels, counter }) => ({ name: "apiserver_watch_events_total", labels, value: counter.count })),
      },
      {
        name: "apiserver_admission_webhook_admission_duration_seconds",
        type: "histogram",
        samples: [...this.#webhooks.values()].flatMap(({ labels, seconds }) =>
          seconds.samples("apiserver_admission_webhook_admission_duration_seconds", labels),
        ),
      },
    ];
  }

  #seriesOf(counted: CountedRequest): Series {
    const { info } = counted;
    const scope = scopeOf(counted);
    const verb = verbOf(counted, scope);
    const dryRun = dryRunOf(counted.request.query);
    const { group, version, resource } = info;
    const subresource = counted.type === undefined ? info.path : info.subresource;
    const key = [verb, dryRun, group, version, resource, subresource, scope].join("\0");
    let series = this.#series.get(key);
    if (series === undefined) {
      const component = counted.type === undefined ? "" : "apiserver";
      const labels = { verb, dry_run: dryRun, group, version, resource, subresource, scope, component };
      series = { labels, codes: new Map(), seconds: new Histogram(SECONDS), running: 0 };
      this.#series.set(key, series);
    }
    return series;
  }
}

const LONG_RUNNING: ReadonlySet<string> = new Set(["WATCH", "CONNECT"]);
const COLLECTION_VERBS: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

// The routes of built-in resources have a scope; of custom resources, the request has one.
function scopeOf({ info, type }: CountedRequest): string {
  if (type === undefined) return "";
  if (info.verb === "create" || (info.name !== "" && (type.isCustom || !COLLECTION_VERBS.has(info.verb))))
    return "resource";
  const isNamespaced = type.isNamespaced && info.namespace !== "";
  return isNamespaced ? "namespace" : "cluster";
}

const CONNECTS: ReadonlySet<string> = new Set(["log", "exec", "portforward", "attach", "proxy"]);
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

function verbOf({ request, info }: CountedRequest, scope: string): string {
  if (CONNECTS.has(info.subresource)) return "CONNECT";
  if (info.verb === "watch") return "WATCH";
  const { method } = request;
  if (method === "GET" || method === "HEAD") return scope === "resource" || scope === "" ? "GET" : "LIST";
  if (method === "PATCH" && request.header("content-type") === "application/apply-patch+yaml") return "APPLY";
  return METHODS.has(method) ? method : "other";
}

function dryRunOf(query: URLSearchParams): string {
  if (!query.has("dryRun")) return "";
  const values = query.getAll("dryRun");
  return values.every((value) => value === "All") ? "All" : "invalid";
}

// Observing only counts; texts are made when metrics are scraped.
class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index += 1;
    if (index < bounds.length) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
    this.#count += 1;
  }

  /** Returns the samples of its family, with the labels of the series. */
  samples(family: string, labels: Labels): readonly Sample[] {
    let total = 0;
    const buckets = this.#bounds.map((bound, index): Sample => {
      total += this.#counts[index] ?? 0;
      return { name: `${family}_bucket`, labels: { ...labels, le: String(bound) }, value: total };
    });
    return [
      ...buckets,
      { name: `${family}_bucket`, labels: { ...labels, le: "+Inf" }, value: this.#count },
      { name: `${family}_sum`, labels, value: this.#sum },
      { name: `${family}_count`, labels, value: this.#count },
    ];
  }
}
