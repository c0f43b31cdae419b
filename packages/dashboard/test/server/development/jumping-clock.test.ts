import { FakeClock } from "@kubescaffold/platform/clock";
import { expect, it } from "vitest";

import { JumpingClock } from "../../../src/server/development/jumping-clock.ts";

it("calls back the timers that are due after a jump, and no others", async () => {
  const base = new FakeClock();
  const clock = new JumpingClock(base);
  const fired: string[] = [];
  clock.setTimeout(() => fired.push("soon"), 1000);
  clock.setTimeout(() => fired.push("late"), 120_000).unref();
  clock.setTimeout(() => fired.push("cancelled"), 1000).cancel();
  const before = clock.now();
  clock.jump(60_000);
  expect(clock.now() - before).toBe(60_000);
  await base.advance(1);
  expect(fired).toEqual(["soon"]);
  await base.advance(59_000);
  expect(fired).toEqual(["soon"]);
  await base.advance(1000);
  expect(fired).toEqual(["soon", "late"]);
});
