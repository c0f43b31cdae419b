import { describe, expect, it } from "vitest";

import { ManagerMetrics } from "../../../src/server/cluster/manager-metrics.ts";
import { type MetricSample, parseMetrics } from "../../../src/server/cluster/metrics-text.ts";

interface State {
  readonly success?: number;
  readonly error?: number;
  readonly fast?: number;
  readonly slow?: number;
  readonly depth?: number;
  readonly lease?: number;
}

function metricsOf({ success = 0, error = 0, fast = 0, slow = 0, depth = 0, lease }: State): readonly MetricSample[] {
  const parsed = parseMetrics(`
controller_runtime_reconcile_total{controller="web",result="success"} ${String(success)}
controller_runtime_reconcile_total{controller="web",result="requeue"} 0
controller_runtime_reconcile_total{controller="web",result="requeue_after"} 1
controller_runtime_reconcile_total{controller="web",result="error"} ${String(error)}
controller_runtime_reconcile_errors_total{controller="web"} ${String(error)}
controller_runtime_max_concurrent_reconciles{controller="web"} 2
controller_runtime_active_workers{controller="web"} 1
workqueue_depth{name="web",controller="web",priority="0"} ${String(depth)}
workqueue_depth{name="web",controller="web",priority="-100"} 1
controller_runtime_reconcile_time_seconds_bucket{controller="web",le="0.01"} ${String(fast)}
controller_runtime_reconcile_time_seconds_bucket{controller="web",le="1"} ${String(fast + slow)}
controller_runtime_reconcile_time_seconds_bucket{controller="web",le="+Inf"} ${String(fast + slow)}
controller_runtime_webhook_requests_total{webhook="/validate",code="200"} 4
controller_runtime_webhook_requests_total{webhook="/validate",code="500"} 1
controller_runtime_webhook_requests_in_flight{webhook="/validate"} 2
${lease === undefined ? "" : `leader_election_master_status{name="x.demo"} ${String(lease)}`}
process_cpu_seconds_total 1
`);
  if (parsed.kind !== "metrics") throw new Error(parsed.kind);
  return parsed.samples;
}

function newMetrics(...reads: readonly (readonly [string, number, State])[]): ManagerMetrics {
  const metrics = new ManagerMetrics();
  for (const [pod, at, state] of reads) metrics.read(pod, metricsOf(state), at);
  return metrics;
}

describe("the metrics of a manager", () => {
  it("are the state of its controllers and webhooks", () => {
    const metrics = newMetrics(["a", 1000, { success: 5, error: 2, fast: 6, slow: 2, depth: 3 }]);
    expect(metrics.controllers(1000, 5000)).toEqual([
      {
        type: "controller",
        at: 1000,
        controller: "web",
        queueDepth: 4,
        activeWorkers: 1,
        maxWorkers: 2,
        reconciles: 8,
        errors: 2,
        rate: 0,
        p50Ms: 6.67,
        p90Ms: 604,
        p99Ms: 960.4,
        outcomes: { success: 5, requeue: 0, requeueAfter: 1, error: 2 },
        intervalMs: 5000,
      },
    ]);
    expect(metrics.webhooks(1000)).toEqual([
      { type: "webhook-totals", at: 1000, path: "/validate", requests: 5, failures: 1, inFlight: 2, rate: 0 },
    ]);
  });

  it("add up over replicas, whose waiting workers do not count", () => {
    const metrics = newMetrics(["a", 1000, { success: 5, lease: 1 }], ["b", 1000, { success: 1, lease: 0 }]);
    const [sample] = metrics.controllers(1000, 5000);
    expect(sample).toMatchObject({ reconciles: 8, maxWorkers: 2 });
    expect(metrics.isLeader("a")).toBe(true);
    expect(metrics.isLeader("b")).toBe(false);
    expect(metrics.isLeader("c")).toBeUndefined();
    expect(metrics.hasLease("x.demo")).toBe(true);
    expect(metrics.hasLease("y.demo")).toBe(false);
  });

  it("have a rate between two reads, also over a restart of the process", () => {
    const metrics = newMetrics(["a", 1000, { success: 5 }], ["a", 3000, { success: 9 }]);
    expect(metrics.controllers(3000, 2000)[0]?.rate).toBe(2);
    metrics.read("a", metricsOf({ success: 3 }), 5000);
    expect(metrics.controllers(5000, 2000)[0]?.rate).toBe(2);
  });

  it("have percentiles of the last minute, and keep the last ones without reconciles", () => {
    const metrics = newMetrics(["a", 0, { slow: 100 }], ["a", 50_000, { slow: 100, fast: 50 }]);
    const [recent] = metrics.controllers(50_000, 5000);
    expect(recent?.p99Ms).toBeLessThanOrEqual(10);
    metrics.read("a", metricsOf({ slow: 100, fast: 50 }), 120_000);
    metrics.read("a", metricsOf({ slow: 100, fast: 50 }), 125_000);
    expect(metrics.controllers(125_000, 5000)[0]?.p99Ms).toBe(recent?.p99Ms);
  });

  it("end with a replica that is gone", () => {
    const metrics = newMetrics(["a", 1000, {}]);
    metrics.forget("a");
    expect(metrics.has("a")).toBe(false);
    expect(metrics.controllers(1000, 5000)).toEqual([]);
    expect(metrics.isLeader("a")).toBeUndefined();
  });
});
