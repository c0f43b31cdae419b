import { chmodSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { INIT, runCommands } from "../support/run-command.ts";
import { runProgram } from "../support/run-program.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

// Writes its start and, after a moment in which another one could start, its end.
const NPM = `#!/bin/sh
echo "start $*" >> "$RECORD"
for turn in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done
echo "end $*" >> "$RECORD"
`;

const GOALS = ["build", "test", "test-e2e", "build-installer", "deploy", "generate manifests vet lint"];

describe("the scaffolded Makefile", () => {
  it("runs one npm script after the other with -j8", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    writeFiles(root, { "programs/npm": NPM, "node_modules/.keep": "" });
    chmodSync(path.join(root, "programs/npm"), 0o755);
    for (const [index, goals] of GOALS.entries()) {
      const record = path.join(root, `record-${String(index)}`);
      const made = await runProgram("make", ["-j8", ...goals.split(" ")], {
        cwd: root,
        env: { PATH: `${path.join(root, "programs")}:${process.env["PATH"] ?? ""}`, RECORD: record },
      });
      expect(made).toMatchObject({ status: 0 });
      const lines = readFileSync(record, "utf8").trimEnd().split("\n");
      const started = lines.filter((line) => line.startsWith("start "));
      expect(started.length).toBeGreaterThan(1);
      expect(lines).toEqual(started.flatMap((line) => [line, line.replace("start", "end")]));
    }
  });
});
