import { Environment } from "@kubescaffold/envtest";
import { afterAll, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { type Contender, Contenders, turnsOf, writersOf } from "./contender-processes.ts";

// Only `npm run kills` starts this test, since each take-over waits for a lease to expire.
const KILLS = Number(process.env["KUBESCAFFOLD_KILLS"] ?? "0");
const LEASE_MS = 2000;

const environment = new Environment();
let contenders: Contenders | undefined;

afterAll(async () => {
  contenders?.killAll();
  await environment.stop();
});

it.skipIf(KILLS === 0)(
  "one of two processes leads at a time while the leader is killed again and again",
  { timeout: 60_000 + KILLS * 60_000 },
  async () => {
    await environment.start();
    contenders = new Contenders(await environment.listen());
    contenders.start();
    contenders.start();
    let current = await contenders.nextLeader();
    const leaders: Contender[] = [current];
    const takeOversMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const killedAt = performance.now();
      contenders.kill(current);
      current = await contenders.nextLeader(current);
      takeOversMs.push(performance.now() - killedAt);
      leaders.push(current);
      contenders.start();
    }
    const sorted = takeOversMs.toSorted((left, right) => left - right);
    const [median, longest] = [sorted[Math.floor(KILLS / 2)] ?? 0, sorted.at(-1) ?? 0];
    process.stdout.write(
      `${String(KILLS)} kills: the next leader had written ten times after ${median.toFixed(0)} ms (median), ${longest.toFixed(0)} ms (longest); the lease takes ${String(LEASE_MS)} ms\n`,
    );
    // In the order of the server, no process writes again after its successor has begun.
    expect(turnsOf(await writersOf(createClient(environment.config)))).toEqual(leaders.map(({ identity }) => identity));
    expect(longest).toBeLessThan(10 * (LEASE_MS + 2000));
  },
);
