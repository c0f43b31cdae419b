/** The screenshots of the pages are those that this test takes: it runs the script that writes them. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CHROMIUM } from "../../packages/dashboard/test/page/browser/browser.ts";
import { listFiles, readSource, ROOT } from "../architecture/source-files.ts";
import { runSuccessfully } from "../support/run-program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LIVENESS_MS = 500_000;
const FOLDER = path.join(ROOT, "docs", "screenshots");
const SCRIPT = path.join(ROOT, "scripts", "screenshots", "take.mjs");

describe.skipIf(CHROMIUM === undefined)("the screenshots of the dashboard", { timeout: LIVENESS_MS }, () => {
  it("are taken of programs that run, in both themes", async () => {
    const output = temporaryFolder();
    await runSuccessfully(process.execPath, [SCRIPT, "--output", output], { cwd: ROOT });
    expect(readdirSync(output).toSorted()).toEqual(readdirSync(FOLDER).toSorted());
    for (const name of readdirSync(output)) {
      // WebP is a RIFF file.
      expect(readFileSync(path.join(output, name)).subarray(0, 4).toString()).toBe("RIFF");
    }
  });

  it("include each that a page shows", () => {
    const pages = listFiles("docs").filter((file) => file.endsWith(".md"));
    const shown = pages.flatMap((page) => [...readSource(page).matchAll(/screenshots\/(?<name>[\w-]+\.webp)/gu)]);
    expect(shown.length).toBeGreaterThan(5);
    const names = new Set(readdirSync(FOLDER));
    expect(shown.map(({ groups }) => groups?.["name"] ?? "").filter((name) => !names.has(name))).toEqual([]);
  });
});
