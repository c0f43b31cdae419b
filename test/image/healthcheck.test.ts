import { describe, expect, it } from "vitest";

import { parseHealthcheck } from "../../src/image/healthcheck.ts";

const words = (text: string): readonly string[] => JSON.parse(text) as readonly string[];

describe("parseHealthcheck", () => {
  it.each([
    ["NONE", { Test: ["NONE"] }],
    ["CMD curl -f http://localhost", { Test: ["CMD-SHELL", "curl -f http://localhost"] }],
    [
      '--start-period=5s --start-interval=1.5s CMD ["a"]',
      { Test: ["CMD", "a"], StartPeriod: 5e9, StartInterval: 1.5e9 },
    ],
    ["--interval=1h2m3s4ms5us6ns CMD a", { Test: ["CMD-SHELL", "a"], Interval: 3_723_004_005_006 }],
  ])("reads %s", (text, check) => {
    expect(parseHealthcheck(text, words)).toEqual(check);
  });

  it.each(["", "curl", "--interval=5 CMD a", "--retries=many CMD a", "--unknown=1s CMD a"])(
    "does not understand %j",
    (text) => {
      expect(parseHealthcheck(text, words)).toBeUndefined();
    },
  );
});
