import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { type FlagRow, startCluster, startRealServer, startStandIn } from "./flag-row.ts";
import { rowsOfPart } from "./part.ts";
import { foldersToWrite, readRecording, writeRecording } from "./recordings.ts";
import { runRow } from "./run-row.ts";

const BACKEND = process.env["CONFORMANCE_BACKEND"] ?? "embedded";
const ROW_TIMEOUT_MS = 120_000;

/** Runs rows that start a server with their own flags each, and compares what it answers with the recordings. */
export function testFlagRows(rows: readonly FlagRow[]): void {
  describe(`conformance of servers with flags (${BACKEND})`, () => {
    test.each(rowsOfPart(rows))(
      "row $row: $title",
      async ({ row, title, hasControllers = false, flags, run }) => {
        const folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-flags-"));
        const args = await flags(folder);
        const target =
          BACKEND === "real"
            ? await startRealServer(args, hasControllers)
            : hasControllers
              ? await startCluster(args)
              : await startStandIn(args, folder);
        try {
          const steps = await runRow({ row, title, run: async (tools) => await run(tools, folder) }, target);
          const recorded = readRecording(row);
          const { folders, isRecording } = foldersToWrite(target.kind);
          for (const each of folders) writeRecording(row, steps, each);
          if (isRecording) return;
          expect(recorded, `row ${String(row)} was never recorded from the real server`).toBeDefined();
          expect(JSON.parse(JSON.stringify(steps))).toEqual(recorded);
        } finally {
          await target.stop();
          await rm(folder, { recursive: true, force: true });
        }
      },
      ROW_TIMEOUT_MS,
    );
  });
}
