import { FakeClock, realClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { profileHandler } from "../../src/manager/pprof-server.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";

function get(path: string, headers: Record<string, string> = { host: "localhost:6060" }): Request {
  return new Request(`http://localhost/debug/pprof/${path}`, { headers });
}

function work(): number {
  let sum = 0;
  for (let index = 0; index < 5_000_000; index += 1) sum += Math.sqrt(index);
  return sum;
}

describe("profileHandler", () => {
  const serve = profileHandler({ clock: realClock, isLoopback: true });

  it("records CPU profiles in the format of Chrome DevTools", async () => {
    const running = serve(get("profile?seconds=1"));
    const timer = setInterval(work, 20);
    const response = await running;
    clearInterval(timer);
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="manager.cpuprofile"');
    const profile = (await response.json()) as { nodes: { callFrame: { functionName: string } }[]; samples: number[] };
    expect(profile.samples.length).toBeGreaterThan(0);
    expect(profile.nodes.map(({ callFrame }) => callFrame.functionName)).toContain("work");
  });

  it("samples allocations and records traces", async () => {
    const [allocations, trace] = await Promise.all([serve(get("allocs?seconds=1")), serve(get("trace?seconds=1"))]);
    expect(await allocations.json()).toMatchObject({ head: { callFrame: { functionName: "(root)" } } });
    const { traceEvents } = (await trace.json()) as { traceEvents: { ph: string; ts: number }[] };
    expect(traceEvents.length).toBeGreaterThan(0);
    expect(traceEvents.every(({ ph, ts }) => typeof ph === "string" && typeof ts === "number")).toBe(true);
  });

  it("lists the kinds of profiles", async () => {
    const page = await (await serve(get(""))).text();
    for (const name of ["profile", "allocs", "heap", "trace"]) expect(page).toContain(`<a href="${name}">`);
  });

  it.each([
    ["another host", get("heap", { host: "attacker.example:6060" }), 421],
    ["no host", get("heap", {}), 421],
    ["an unknown profile", get("goroutine"), 404],
    ["a negative duration", get("profile?seconds=-1"), 400],
    ["a fraction", get("profile?seconds=0.5"), 400],
    ["a long duration", get("profile?seconds=601"), 400],
  ])("refuses %s", async (_, request, status) => {
    expect((await serve(request)).status).toBe(status);
  });

  it("records one profile of a kind at a time, and stops when the client disconnects", async () => {
    const clock = new FakeClock();
    const waiting = profileHandler({ clock, isLoopback: false });
    const client = new AbortController();
    const first = waiting(new Request(get("profile"), { signal: client.signal }));
    await expect.poll(() => clock.pendingTimers).toBe(1);
    expect((await waiting(get("profile"))).status).toBe(500);
    client.abort(new Error("disconnected"));
    await expect(first).rejects.toThrow("disconnected");
    const second = waiting(get("profile?seconds=2"));
    await expect.poll(() => clock.pendingTimers).toBe(1);
    clock.step(2000);
    expect((await second).status).toBe(200);
  });
});

describe("row 95: pprofBindAddress of a manager", () => {
  async function start(pprofBindAddress?: string) {
    const logger = createRecordingLogger();
    const manager = await createManager(
      { server: "https://fake", transport: () => Promise.reject(new TypeError("no request was expected")) },
      {
        logger,
        metrics: { bindAddress: "0", registry: createMetricsRegistry() },
        ...(pprofBindAddress === undefined ? {} : { pprofBindAddress }),
      },
    );
    const stopping = new AbortController();
    const running = manager.start(stopping.signal);
    await manager.elected;
    const stop = async (): Promise<void> => {
      stopping.abort();
      await running;
    };
    return { manager, logger, stop };
  }

  it("serves nothing by default", async () => {
    const { manager, stop } = await start();
    expect(manager.ports.pprof).toBeUndefined();
    await stop();
  });

  it("streams heap snapshots, and does not wait for a profile when the manager stops", async () => {
    const { manager, logger, stop } = await start("127.0.0.1:0");
    await expect.poll(() => manager.ports.pprof).toBeTypeOf("number");
    const address = `http://127.0.0.1:${String(manager.ports.pprof)}/debug/pprof/`;
    const { beginning, end } = await endsOf(await fetch(`${address}heap`));
    expect(Number(/^\{"snapshot":\{"meta":.*"node_count":(\d+)/su.exec(beginning)?.[1])).toBeGreaterThan(1000);
    expect(end.trimEnd()).toMatch(/\]\s*\}$/u);
    expect(logger.records.some(({ message }) => message.includes("secrets"))).toBe(false);
    const profile = fetch(`${address}profile?seconds=600`).then(
      () => "answered",
      () => "cut",
    );
    await expect.poll(async () => (await fetch(`${address}profile`)).status).toBe(500);
    await stop();
    expect(await profile).toBe("cut");
  });

  it("warns if other hosts can read the profiles", async () => {
    const { logger, stop } = await start(":0");
    expect(logger.records.some(({ message }) => message.includes("secrets"))).toBe(true);
    await stop();
  });
});

// The snapshot of a process that has run many tests is longer than the longest text.
async function endsOf({ body }: Response): Promise<{ readonly beginning: string; readonly end: string }> {
  const decoder = new TextDecoder();
  let beginning = "";
  let end = "";
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    const text = decoder.decode(chunk, { stream: true });
    if (beginning.length < 10_000) beginning += text;
    end = (end + text).slice(-100);
  }
  return { beginning, end };
}
