import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { AuditEvent } from "../../src/audit/audit-event.ts";
import { AuditWebhook, type AuditWebhookOptions } from "../../src/audit/audit-webhook.ts";

let clock: FakeClock;
let lists: string[][];
let failures: number;
let reports: string[];

beforeEach(() => {
  [clock, lists, failures, reports] = [new FakeClock(), [], 0, []];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => reports.push(String(text)) > 0);
});

afterEach(() => {
  vi.restoreAllMocks();
});

function create(options: Omit<AuditWebhookOptions, "send"> = {}): AuditWebhook {
  return new AuditWebhook(clock, {
    ...options,
    send: async ({ items }) => {
      lists.push(items.map(({ auditID }) => auditID));
      failures -= 1;
      if (failures >= 0) await Promise.reject(new TypeError("no answer"));
    },
  });
}

function event(auditID: string): AuditEvent {
  return { kind: "Event", apiVersion: "audit.k8s.io/v1", auditID } as AuditEvent;
}

function write(webhook: AuditWebhook, count: number): void {
  for (let index = 0; index < count; index += 1) void webhook.write(event(String(index)));
}

// Lets a failed attempt start its wait.
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("a webhook for audit events", () => {
  it("receives full batches at once, and the others when the interval is over", () => {
    const webhook = create({ batch: { maxSize: 2, maxWaitMs: 1000 } });
    write(webhook, 3);
    expect(lists).toEqual([["0", "1"]]);
    clock.step(999);
    expect(lists).toHaveLength(1);
    clock.step(1);
    expect(lists).toEqual([["0", "1"], ["2"]]);
  });

  it("receives no more batches than the rate permits, and loses what the buffer cannot hold", () => {
    const webhook = create({ batch: { maxSize: 1, bufferSize: 2, throttle: { perSecond: 10, burst: 3 } } });
    write(webhook, 10);
    expect(lists.flat()).toEqual(["0", "1", "2"]);
    clock.step(1000);
    expect(lists.flat()).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(reports).toEqual(["the buffer of audit events is full: events are dropped\n"]);
  });

  it("has no limit of the rate without a throttle", () => {
    write(create({ batch: { maxSize: 1, throttle: false } }), 100);
    expect(lists).toHaveLength(100);
  });

  it("is sent a failed batch four more times, with growing waits, and then loses it", async () => {
    failures = 5;
    write(create({ batch: { maxSize: 1 }, initialBackoffMs: 1000 }), 1);
    for (const shortestMs of [1000, 1500, 2250, 3375]) {
      await settle();
      const { nextDelayMs = 0 } = clock;
      expect(nextDelayMs / shortestMs).toBeGreaterThanOrEqual(1);
      expect(nextDelayMs / shortestMs).toBeLessThanOrEqual(1.2);
      clock.step(nextDelayMs);
    }
    await settle();
    expect([lists.length, clock.nextDelayMs]).toEqual([5, undefined]);
    expect(reports).toEqual(["cannot send 1 audit event: no answer\n"]);
  });

  it.each([
    ["blocking", true],
    ["blocking-strict", false],
  ] as const)("in the mode %s lets a request go on after a failure: %s", async (mode, goesOn) => {
    failures = 1;
    const webhook = create({ mode });
    const lost = webhook.write(event("lost"));
    await webhook.close();
    expect(await lost).toBe(goesOn);
    expect(await webhook.write(event("sent"))).toBe(true);
  });

  it("receives what was collected when it is closed, and nothing again", async () => {
    failures = 1;
    const webhook = create({ batch: { maxSize: 2 } });
    write(webhook, 1);
    await webhook.close();
    expect(lists).toEqual([["0"]]);
    expect(reports).toEqual(["cannot send 1 audit event: no answer\n"]);
    expect(clock.nextDelayMs).toBeUndefined();
  });
});
