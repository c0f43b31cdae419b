import { afterAll, beforeAll, describe, test } from "vitest";

import { startEmbeddedTarget } from "./embedded-target.ts";
import { applyLedger, idleEntries } from "./ledger.ts";
import { rowsOfPart } from "./part.ts";
import { prepareTarget } from "./prepare-target.ts";
import { startRealTarget } from "./real-target.ts";
import { foldersToWrite, readRecording, writeRecording } from "./recordings.ts";
import type { Row } from "./row.ts";
import { runRow } from "./run-row.ts";
import type { ConformanceTarget } from "./target.ts";

const BACKEND = process.env["CONFORMANCE_BACKEND"] ?? "embedded";
// A folder for what was answered, to compare with the recordings by other means.
const ROW_TIMEOUT_MS = 120_000;

/** Runs the rows of a topic, which share a server, and compares what it answers with the recordings. */
export function testRows(rows: readonly Row[]): void {
  describe.concurrent(`conformance (${BACKEND})`, () => {
    let target: ConformanceTarget;

    beforeAll(async () => {
      target = BACKEND === "real" ? await startRealTarget() : await startEmbeddedTarget();
      await prepareTarget(target);
    }, ROW_TIMEOUT_MS);

    afterAll(async () => target?.stop());

    for (const row of rowsOfPart(rows)) {
      const run = row.isAlone === true ? test.sequential : test;
      run(`row ${String(row.row)}: ${row.title}`, { timeout: ROW_TIMEOUT_MS }, async ({ expect, skip }) => {
        const missing = (row.needs ?? []).filter((feature) => !target.features.has(feature));
        if (missing.length > 0) skip(`the ${target.kind} target has no ${missing.join(", ")}`);
        const steps = await runRow(row, target);
        const recorded = readRecording(row.row);
        const { folders, isRecording } = foldersToWrite(target.kind);
        for (const each of folders) writeRecording(row.row, steps, each);
        if (isRecording) return;
        expect(recorded, `row ${String(row.row)} was never recorded from the real server`).toBeDefined();
        const comparison = { row: row.row, steps, recorded: recorded ?? [] };
        expect(target.kind === "embedded" ? applyLedger(comparison) : steps).toEqual(recorded);
        if (target.kind === "embedded")
          expect(idleEntries(comparison), "entries of the ledger that are not needed").toEqual([]);
      });
    }
  });
}
