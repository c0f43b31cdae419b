import { StatusError } from "@kubescaffold/k8s";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import type { InMemorySpanExporter, ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type ControllerOptions, createUnmanagedController } from "../../src/controller/controller.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { ReconcileFunction } from "../../src/reconcile/reconcile.ts";
import { func } from "../../src/source/source.ts";
import { installSdk, removeSdk } from "./recorded-spans.ts";

let exporter: InMemorySpanExporter;
let stop: AbortController;

beforeEach(() => {
  exporter = installSdk();
  stop = new AbortController();
});

afterEach(() => {
  stop.abort();
  removeSdk();
});

const WIDGET = { group: "example.com", version: "v1", kind: "Widget" };

// Reconciles the object a of the namespace team once; the clock stands still, so nothing is requeued in time.
async function reconcileOnce(
  reconciler: ReconcileFunction,
  options: Partial<ControllerOptions> = {},
): Promise<ReadableSpan | undefined> {
  const surroundings = { clock: new FakeClock(), registry: createMetricsRegistry(), logger: silentLogger };
  const controller = createUnmanagedController("traced", surroundings, { reconciler, kind: WIDGET, ...options });
  await controller.watch(func(({ queue }) => queue.add({ namespace: "team", name: "a" })));
  controller.start(stop.signal).catch(() => undefined);
  await settle();
  return exporter.getFinishedSpans().find(({ name }) => name === "reconcile traced");
}

describe("spans of reconciles", () => {
  it("are roots with the controller, the object, the ID of the reconcile, and the result", async () => {
    const outer = trace.getTracer("test").startSpan("main");
    let id: string | undefined;
    const span = await context.with(trace.setSpan(context.active(), outer), async () =>
      reconcileOnce(async (_, { reconcileId }) => {
        id = reconcileId;
        return await Promise.resolve({});
      }),
    );
    expect(span?.parentSpanContext).toBeUndefined();
    expect(span?.attributes).toEqual({
      "kubescaffold.controller.name": "traced",
      "kubescaffold.object.group": "example.com",
      "kubescaffold.object.version": "v1",
      "kubescaffold.object.kind": "Widget",
      "kubescaffold.object.name": "a",
      "k8s.namespace.name": "team",
      "kubescaffold.reconcile.id": id,
      "kubescaffold.reconcile.priority": 0,
      "kubescaffold.reconcile.result": "success",
    });
  });

  it.each([
    [{ requeueAfterMs: 5000 }, { result: "requeue_after", after: 5000 }],
    [{ requeueAfterMs: 0 }, { result: "success", after: undefined }],
    [{ requeue: true }, { result: "requeue", after: undefined }],
    [undefined, { result: "success", after: undefined }],
  ])("state the result of %j", async (answer, { result, after }) => {
    const span = await reconcileOnce(async () => await Promise.resolve(answer));
    expect(span?.attributes["kubescaffold.reconcile.result"]).toBe(result);
    expect(span?.attributes["kubescaffold.reconcile.requeue_after_ms"]).toBe(after);
  });

  it("are the parents of spans in the reconciler", async () => {
    const span = await reconcileOnce(async () => {
      await Promise.resolve();
      trace.getTracer("test").startSpan("child").end();
    });
    const child = exporter.getFinishedSpans().find(({ name }) => name === "child");
    expect(child?.parentSpanContext?.spanId).toBe(span?.spanContext().spanId);
  });

  it("record errors", async () => {
    const span = await reconcileOnce(() => Promise.reject(new Error("no capacity")));
    expect(span?.status.code).toBe(SpanStatusCode.ERROR);
    expect(span?.attributes).toMatchObject({ "kubescaffold.reconcile.result": "error", "error.type": "Error" });
    expect(span?.events[0]).toMatchObject({ name: "exception", attributes: { "exception.message": "no capacity" } });
  });

  it("end with errors that a reconciler throws synchronously", async () => {
    const span = await reconcileOnce(() => {
      throw new Error("at once");
    });
    expect(span?.events[0]).toMatchObject({ attributes: { "exception.message": "at once" } });
  });

  it("end when the manager stops", async () => {
    const running = reconcileOnce(async (_, { signal }) => {
      await new Promise((_resolve, reject) => {
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason of the stop
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    });
    await running;
    stop.abort();
    await settle();
    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes["kubescaffold.reconcile.result"]).toBe("shutdown");
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
  });
});

describe("secrets in errors", () => {
  const status = new StatusError({ code: 422, reason: "Invalid", message: 'data: Invalid value: "hunter2"' });

  it.each<[string, () => unknown]>([
    ["a response of the server", () => status],
    ["an error whose cause is one", () => new Error(`cannot apply: ${status.message}`, { cause: status })],
    ["an aggregate with one", () => new AggregateError([status], status.message)],
    ["text that is not JSON", () => thrownBy(() => void JSON.parse("hunter2"))],
    ["a value that is not an error", () => "hunter2"],
  ])("are left out: %s", async (_, error) => {
    const span = await reconcileOnce(() => {
      throw error();
    });
    expect(span?.events).toHaveLength(1);
    expect(JSON.stringify([span?.attributes, span?.events, span?.status])).not.toContain("hunter2");
  });

  it("the reason of the server is the type", async () => {
    const span = await reconcileOnce(() => Promise.reject(status));
    expect(span?.attributes["error.type"]).toBe("Invalid");
  });
});

function thrownBy(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
