import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { textDiff } from "../../src/machinery/text-diff.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("the diff of two texts", () => {
  it("shows changed lines with three lines around them", () => {
    const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
    const after = before.with(5, "changed");
    expect(textDiff({ path: "a.txt", before: `${before.join("\n")}\n`, after: `${after.join("\n")}\n` })).toBe(
      [
        "--- a/a.txt",
        "+++ b/a.txt",
        "@@ -3,7 +3,7 @@",
        " line 3",
        " line 4",
        " line 5",
        "-line 6",
        "+changed",
        " line 7",
        " line 8",
        " line 9",
      ].join("\n"),
    );
  });

  it("is empty for equal texts and whole for a new file", () => {
    expect(textDiff({ path: "a", before: "x\n", after: "x\n" })).toBe("");
    expect(textDiff({ path: "a", before: undefined, after: "x\ny\n" })).toBe(
      "--- /dev/null\n+++ b/a\n@@ -0,0 +1,2 @@\n+x\n+y",
    );
  });

  it("turns the old text into the new one when it is applied as a patch", () => {
    const root = temporaryFolder();
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 30 })
      .map((lines) => `${lines.join("\n")}\n`);
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        writeFileSync(path.join(root, "f"), before);
        const patch = `${textDiff({ path: "f", before, after })}\n`;
        const applied = spawnSync("git", ["apply", "--unidiff-zero", "-"], {
          cwd: root,
          input: patch,
          encoding: "utf8",
        });
        expect(applied.stderr).toBe("");
        expect(spawnSync("cat", ["f"], { cwd: root, encoding: "utf8" }).stdout).toBe(after);
      }),
      { numRuns: 25 },
    );
  });
});
