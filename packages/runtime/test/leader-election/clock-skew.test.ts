import { Environment } from "@kubescaffold/envtest";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterAll, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { createLeaseLock } from "../../src/leader-election/leader-election-lock.ts";
import { DEFAULT_TIMING, LeaderElector } from "../../src/leader-election/leader-elector.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { interceptedConfig } from "../support/intercepted-config.ts";

const environment = new Environment();
const stop = new AbortController();
afterAll(async () => {
  stop.abort();
  await environment.stop();
});

const HOUR_MS = 3_600_000;
const LIVENESS = { timeout: 120_000 };

it("row 34: a candidate whose clock is an hour ahead or behind does not take the lease over", LIVENESS, async () => {
  const open = new Set<Request>();
  const config = interceptedConfig(await environment.start(), async (request, send) => {
    open.add(request);
    try {
      const answer = await send(request);
      return new Response(await answer.text(), { status: answer.status, headers: answer.headers });
    } finally {
      open.delete(request);
    }
  });
  const led: string[] = [];
  const startMs = Date.UTC(2026, 0, 1);
  const compete = (identity: string, skewMs: number): FakeClock => {
    const clock = new FakeClock(startMs + skewMs);
    const elector = new LeaderElector({
      ...DEFAULT_TIMING,
      lock: createLeaseLock({ client: createClient(config), namespace: "default", name: "skew", identity }),
      clock,
      log: silentLogger,
      releaseOnCancel: false,
      random: () => 0.5,
      onStartedLeading: () => led.push(identity),
      onStoppedLeading: () => undefined,
    });
    void elector.run(stop.signal);
    return clock;
  };
  const advance = async (clocks: readonly FakeClock[], seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      for (const clock of clocks) await clock.advance(1000);
      // Until the server has answered, and the electors have read the answers.
      do {
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
      } while (open.size > 0);
    }
  };
  const leader = compete("leader", 0);
  await expect.poll(() => led).toEqual(["leader"]);
  const ahead = compete("ahead", HOUR_MS);
  const behind = compete("behind", -HOUR_MS);
  await advance([leader, ahead, behind], 120);
  expect(led).toEqual(["leader"]);
  // Without renewals, one of them takes it over after the lease duration on their own clocks.
  await advance([ahead, behind], 10);
  expect(led).toEqual(["leader"]);
  await advance([ahead, behind], 15);
  expect(led).toHaveLength(2);
});
