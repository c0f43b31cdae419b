import { describe, expect, it } from "vitest";

import { registerRestClientMetrics, restClientMetrics } from "../../src/metrics/client-metrics.ts";
import { controllerMetrics, controllerSeries, leaderElectionMetrics } from "../../src/metrics/controller-metrics.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { certificateMetrics, initializeWebhookMetrics, webhookMetrics } from "../../src/metrics/webhook-metrics.ts";
import { workqueueMetrics } from "../../src/metrics/workqueue-metrics.ts";
import { createPriorityQueue } from "../../src/workqueue/priority-queue.ts";
import { goAnswers } from "../oracle/go-answers.ts";

// The bounds are written as Go writes them.
const DECADES = "1e-08 1e-07 1e-06 9.999999999999999e-06 9.999999999999999e-05 0.001 0.01 0.1 1 10 100 1000 +Inf".split(
  " ",
);
const RECONCILE_SECONDS = (
  "0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 1.5 1.75 2 2.5 3 3.5 4 4.5 5 6 7 8 9 10 " +
  "15 20 25 30 40 50 60 +Inf"
).split(" ");

const REQUEST_SECONDS = "0.005 0.025 0.1 0.25 0.5 1 2 4 8 15 30 60 +Inf".split(" ");
const BODY_BYTES = "64 256 512 1024 4096 16384 65536 262144 1.048576e+06 4.194304e+06 1.6777216e+07 +Inf".split(" ");

// Name, type, labels, and the bounds of a histogram's buckets.
const CONTRACT = (
  [
    ["controller_runtime_reconcile_total", "counter", ["controller", "result"]],
    ["controller_runtime_reconcile_errors_total", "counter", ["controller"]],
    ["controller_runtime_terminal_reconcile_errors_total", "counter", ["controller"]],
    ["controller_runtime_reconcile_panics_total", "counter", ["controller"]],
    ["controller_runtime_reconcile_timeouts_total", "counter", ["controller"]],
    ["controller_runtime_reconcile_time_seconds", "histogram", ["controller"], RECONCILE_SECONDS],
    ["controller_runtime_max_concurrent_reconciles", "gauge", ["controller"]],
    ["controller_runtime_active_workers", "gauge", ["controller"]],
    ["workqueue_depth", "gauge", ["controller", "name", "priority"]],
    ["workqueue_adds_total", "counter", ["controller", "name"]],
    ["workqueue_retries_total", "counter", ["controller", "name"]],
    ["workqueue_queue_duration_seconds", "histogram", ["controller", "name"], DECADES],
    ["workqueue_work_duration_seconds", "histogram", ["controller", "name"], DECADES],
    ["workqueue_unfinished_work_seconds", "gauge", ["controller", "name"]],
    ["workqueue_longest_running_processor_seconds", "gauge", ["controller", "name"]],
    ["controller_runtime_webhook_latency_seconds", "histogram", ["webhook"], DECADES],
    ["controller_runtime_webhook_requests_total", "counter", ["code", "webhook"]],
    ["controller_runtime_webhook_requests_in_flight", "gauge", ["webhook"]],
    ["controller_runtime_webhook_panics_total", "counter", []],
    ["controller_runtime_conversion_webhook_panics_total", "counter", []],
    ["certwatcher_read_certificate_total", "counter", []],
    ["certwatcher_read_certificate_errors_total", "counter", []],
    ["leader_election_master_status", "gauge", ["name"]],
    ["rest_client_requests_total", "counter", ["code", "host", "method"]],
    ["rest_client_request_duration_seconds", "histogram", ["host", "verb"], REQUEST_SECONDS],
    ["rest_client_dns_resolution_duration_seconds", "histogram", ["host"], REQUEST_SECONDS],
    ["rest_client_rate_limiter_duration_seconds", "histogram", ["host", "verb"], REQUEST_SECONDS],
    ["rest_client_request_size_bytes", "histogram", ["host", "verb"], BODY_BYTES],
    ["rest_client_response_size_bytes", "histogram", ["host", "verb"], BODY_BYTES],
    ["rest_client_request_retries_total", "counter", ["code", "host", "verb"]],
  ] as const satisfies readonly (readonly [string, string, readonly string[], (readonly string[])?])[]
).map(([name, type, labels, buckets = []]: readonly [string, string, readonly string[], (readonly string[])?]) => ({
  name,
  type,
  labels,
  buckets,
}));

async function scrape(): Promise<string> {
  const registry = createMetricsRegistry();
  const controllers = controllerMetrics(registry);
  controllerSeries(controllers, "widget");
  controllers.maxConcurrentReconciles.set({ controller: "widget" }, 1);
  createPriorityQueue<string>({ name: "widget", registry }).add("a");
  workqueueMetrics(registry);
  const webhooks = webhookMetrics(registry);
  initializeWebhookMetrics(webhooks, "/validate");
  webhooks.latency.with({ webhook: "/validate" }).observe(0.5);
  certificateMetrics(registry);
  leaderElectionMetrics(registry).masterStatus.set({ name: "lease" }, 1);
  const rest = restClientMetrics(registry);
  rest.requests.inc({ code: "200", host: "h", method: "GET" });
  registerRestClientMetrics(
    ["requestLatency", "dnsResolutionLatency", "rateLimiterLatency", "requestSize", "responseSize", "requestRetry"],
    { registry },
  );
  for (const family of [rest.requestLatency, rest.rateLimiterLatency, rest.requestSize, rest.responseSize]) {
    family?.with({ host: "h", verb: "GET" });
  }
  rest.dnsResolutionLatency?.with({ host: "h" });
  rest.requestRetry?.inc({ code: "200", host: "h", verb: "GET" });
  return await registry.metrics();
}

function labelsOf(line: string): Readonly<Record<string, string>> {
  const pairs = [...line.matchAll(/(\w+)="([^"]*)"/gu)].map((match) => [match[1] ?? "", match[2] ?? ""] as const);
  return Object.fromEntries(pairs);
}

describe("row 46: the metrics", () => {
  it.each(CONTRACT)("$name has upstream's type, labels and buckets", async ({ name, type, labels, buckets }) => {
    const lines = (await scrape()).split("\n");
    expect(lines).toContain(`# TYPE ${name} ${type}`);
    const series = lines.filter((line) => line.startsWith(`${name}${type === "histogram" ? "_bucket" : ""}`));
    expect(series.length).toBeGreaterThan(0);
    const found = series.map((line) => labelsOf(line));
    expect(new Set(found.flatMap((each) => Object.keys(each).filter((label) => label !== "le")))).toEqual(
      new Set(labels),
    );
    expect(found.flatMap(({ le }) => (le === undefined ? [] : [le]))).toEqual(buckets);
  });

  it("are all there is", async () => {
    const names = [...(await scrape()).matchAll(/^# TYPE (\S+)/gmu)].map((match) => match[1] ?? "");
    expect(names.toSorted()).toEqual(CONTRACT.map(({ name }) => name).toSorted());
  });

  it("of a controller are there at zero before anything happens", async () => {
    const lines = (await scrape()).split("\n");
    for (const result of ["error", "requeue_after", "requeue", "success"]) {
      expect(lines).toContain(`controller_runtime_reconcile_total{controller="widget",result="${result}"} 0`);
    }
    for (const code of ["200", "500"]) {
      expect(lines).toContain(`controller_runtime_webhook_requests_total{webhook="/validate",code="${code}"} 0`);
    }
    expect(lines).toContain('controller_runtime_reconcile_panics_total{controller="widget"} 0');
  });
});

// Name and labels of each line of a scrape, without values and without the texts of the help.
function exposed(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => line !== "" && !line.includes("_sum") && !line.includes("leader_election"))
    .map((line) => {
      if (line.startsWith("#"))
        return line
          .split(" ")
          .slice(0, line.startsWith("# TYPE") ? 4 : 3)
          .join(" ");
      const labels = Object.entries(labelsOf(line)).map(([name, value]) => `${name}=${value}`);
      return `${line.replace(/[{ ].*$/u, "")} ${labels.toSorted().join(" ")}`;
    })
    .toSorted();
}

describe("a scrape", () => {
  it("has the series, labels, types, and helps of one of controller-runtime", async () => {
    const [[, lines]] = goAnswers<unknown, readonly string[]>("metrics", () => [{}]) as [[unknown, readonly string[]]];
    expect(exposed((await scrape()).split("\n"))).toEqual(exposed(lines));
  });
});

describe("the metrics of a reset registry", () => {
  it("start at zero and count on", async () => {
    const registry = createMetricsRegistry();
    const queue = createPriorityQueue<string>({ name: "widget", registry });
    const series = controllerSeries(controllerMetrics(registry), "widget");
    const lines = async (): Promise<readonly string[]> =>
      (await registry.metrics())
        .split("\n")
        .filter((line) => /^(?:workqueue_adds_total|.*_time_seconds_count)/u.test(line));
    queue.add("a");
    series.time.observe(0.2);
    registry.resetMetrics();
    expect(await lines()).toEqual([
      'workqueue_adds_total{name="widget",controller="widget"} 0',
      'controller_runtime_reconcile_time_seconds_count{controller="widget"} 0',
    ]);
    queue.add("b");
    series.time.observe(0.2);
    series.time.observe(0.2);
    expect(await lines()).toEqual([
      'workqueue_adds_total{name="widget",controller="widget"} 1',
      'controller_runtime_reconcile_time_seconds_count{controller="widget"} 2',
    ]);
  });
});
