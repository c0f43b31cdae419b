import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { readBaseline, type Violation, writeBaseline } from "@kubescaffold/envtest/verify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "baseline-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function violation(oracle: Violation["oracle"], object: string): Violation {
  return { oracle, object, step: "create the samples", message: `${object} differs` };
}

describe("a baseline", () => {
  it("has the oracle and the object of each violation once, in a stable order", async () => {
    const file = path.join(folder, "ci", "verify.json");
    const [leftover, exit] = [violation("leftover", "configmaps default/web"), violation("exit", "")];
    await writeBaseline(file, [{ violations: [leftover] }, { violations: [exit, leftover] }]);
    expect(await readBaseline(file)).toEqual([
      { oracle: "exit", object: "" },
      { oracle: "leftover", object: "configmaps default/web" },
    ]);
    expect(readFileSync(file, "utf8")).not.toContain("message");
  });

  it.each([
    ["no JSON", "{"],
    ["another format", '{"format":"kubescaffold.dev/finding/v1","violations":[]}'],
    ["a violation without an object", '{"format":"kubescaffold.dev/baseline/v1","violations":[{"oracle":"exit"}]}'],
  ])("is refused with %s", async (_name, text) => {
    const file = path.join(folder, "verify.json");
    writeFileSync(file, text);
    await expect(readBaseline(file)).rejects.toMatchObject({
      code: "ENVTEST_VERIFY_OPTIONS",
      message: expect.stringContaining("is not a baseline"),
    });
  });

  it("is refused when the file is absent, with the command that creates it", async () => {
    await expect(readBaseline(path.join(folder, "absent.json"))).rejects.toMatchObject({
      message: expect.stringContaining("cannot read the baseline"),
      hint: expect.stringContaining("--update-baseline"),
    });
  });
});
