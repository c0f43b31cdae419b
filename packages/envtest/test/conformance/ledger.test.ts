import { describe, expect, test } from "vitest";

import { applyLedger, LEDGER } from "./ledger.ts";
import { recordedRows, readRecording } from "./recordings.ts";
import { ALL_ROWS } from "./rows/all-rows.ts";
import { FLAG_ROWS } from "./rows/flag-rows.ts";

// The rows of the conformance list that are in scope; row 25 to 38 and others come with what they are about.
const IN_SCOPE = [
  ...range(1, 24),
  ...range(39, 64),
  71,
  74,
  76,
  78,
  80,
  85,
  87,
  88,
  90,
  94,
  95,
  97,
  ...range(99, 103),
  ...range(106, 108),
  110,
  ...range(113, 117),
  119,
  120,
];

describe("the conformance suite", () => {
  test("has every row in scope, each once", () => {
    const rows = [...ALL_ROWS, ...FLAG_ROWS].map(({ row }) => row);
    expect(new Set(rows).size).toBe(rows.length);
    expect(IN_SCOPE.filter((row) => !rows.includes(row))).toEqual([]);
  });

  test("has a recording of every row and of nothing else", () => {
    const rows = [...ALL_ROWS, ...FLAG_ROWS].map(({ row }) => row);
    expect(recordedRows()).toEqual(rows.toSorted((a, b) => a - b));
  });

  test("records every step under its own name", () => {
    for (const row of recordedRows()) {
      const steps = (readRecording(row) ?? []).map(({ step }) => step);
      expect(new Set(steps).size, `row ${String(row)}`).toBe(steps.length);
    }
  });
});

describe("the ledger", () => {
  test("has at most ten entries, each with a reason", () => {
    expect(LEDGER.length).toBeLessThanOrEqual(10);
    for (const entry of LEDGER) expect(entry.reason.length).toBeGreaterThan(20);
  });

  test("names steps that are recorded", () => {
    for (const { row, step } of LEDGER)
      expect((readRecording(row) ?? []).map((recorded) => recorded.step)).toContain(step);
  });

  test("takes over the recorded value at its path and nothing else", () => {
    const entry = { row: 1, step: "get", path: "body.items.1.age", reason: "" };
    const own = [{ step: "get", body: { items: [{ age: 1 }, { age: 2, name: "b" }] } }];
    const recorded = [{ step: "get", body: { items: [{ age: 3 }, { age: 4, name: "c" }] } }];
    expect(applyLedger({ row: 1, steps: own, recorded, ledger: [entry] })).toEqual([
      { step: "get", body: { items: [{ age: 1 }, { age: 4, name: "b" }] } },
    ]);
    expect(applyLedger({ row: 2, steps: own, recorded, ledger: [entry] })).toEqual(own);
  });
});

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
