import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { CreationPace } from "../../../src/controllers/workload/creation-pace.ts";

describe("CreationPace", () => {
  it("grants 500 at once in each namespace, and 20 a second after that", () => {
    const clock = new FakeClock();
    const pace = new CreationPace(clock);
    expect(pace.take("a", 2 ** 31 - 1)).toBe(500);
    expect(pace.take("a", 1)).toBe(0);
    expect(pace.take("b", 3)).toBe(3);
    clock.step(1000);
    expect(pace.take("a", 100)).toBe(20);
    clock.step(60_000);
    expect(pace.take("a", 1000)).toBe(500);
  });

  it("names the time after which more can be taken, at most one second", () => {
    const clock = new FakeClock();
    const pace = new CreationPace(clock);
    pace.take("a", 500);
    for (const [count, delayMs] of [
      [1, 50],
      [3, 150],
      [20, 1000],
      [500, 1000],
    ] as const)
      expect(pace.untilMoreMs("a", count)).toBe(delayMs);
    clock.step(pace.untilMoreMs("a", 3));
    expect(pace.take("a", 3)).toBe(3);
  });

  it("takes back what was not used, but no more than 500", () => {
    const pace = new CreationPace(new FakeClock());
    pace.take("a", 10);
    pace.giveBack("a", 4);
    expect(pace.take("a", 500)).toBe(494);
    pace.giveBack("a", 10_000);
    expect(pace.take("a", 10_000)).toBe(500);
  });

  it("grants nothing more after the clock was set back", () => {
    let now = 1_000_000;
    const pace = new CreationPace({ now: () => now });
    pace.take("a", 500);
    now = 0;
    expect(pace.take("a", 1)).toBe(0);
    now = 1000;
    expect(pace.take("a", 100)).toBe(20);
  });
});
