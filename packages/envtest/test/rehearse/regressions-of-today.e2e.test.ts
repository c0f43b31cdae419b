import { describe, expect, it } from "vitest";

import { importScript } from "../../../../test/support/import-script.ts";
import { REGRESSIONS } from "./regressions.ts";
import { expectedOf, findingsOf, rehearseRegression } from "./rehearse-regression.ts";

const { selectedShard, SHARDS } = await importScript<{
  readonly selectedShard: () => number;
  readonly SHARDS: number;
}>("rotation.mjs");

const LIVENESS_MS = 300_000;
// The other file judges all of them.
const today = REGRESSIONS.filter((_, index) => index % SHARDS === selectedShard());

describe("rehearseUpgrade", () => {
  it.for(today)("judges: $name", { timeout: LIVENESS_MS }, async (regression) => {
    expect(findingsOf(await rehearseRegression(regression))).toEqual(expectedOf(regression));
  });
});
