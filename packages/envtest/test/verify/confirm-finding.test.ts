import { describe, expect, it } from "vitest";

import type { Violation } from "../../src/oracles/oracles.ts";
import { confirm, type Judged } from "../../src/verify/confirm-finding.ts";

function violation(object: string): Violation {
  return { oracle: "end-state", step: "create the samples", object, message: `${object} does not exist` };
}

function judged(objects: readonly string[], isReached: boolean = true): Judged {
  return { violations: objects.map(violation), output: ["last line"], isReached };
}

async function confirmed(runs: readonly Judged[], control: readonly string[] = []): Promise<unknown> {
  const [first = judged([]), ...others] = runs;
  let next = 0;
  return await confirm(first, {
    again: async () => others[next++] ?? judged([]),
    control: async () => control.map(violation),
  });
}

describe("confirm", () => {
  it("keeps the violations of three of three runs", async () => {
    expect(await confirmed([judged(["a", "b"]), judged(["a", "c"]), judged(["a", "b"])])).toEqual({
      violations: [violation("a")],
      output: ["last line"],
    });
  });

  it.each([
    ["is not found again", [judged(["a"]), judged([])], [], "it was not found in run 2 of 3"],
    ["is found twice", [judged(["a"]), judged(["a"]), judged(["b"])], [], "it was not found in run 3 of 3"],
    ["has no write", [judged(["a"]), judged([], false)], [], "its write did not occur in run 2 of 3"],
    [
      "needs no fault",
      [judged(["a"]), judged(["a"]), judged(["a"])],
      ["a"],
      "it was also found without the perturbation",
    ],
  ] as const)("drops what %s", async (_name, runs, control, dropped) => {
    expect(await confirmed(runs, control)).toEqual({ dropped });
  });
});
