import { spawnSync } from "node:child_process";
import path from "node:path";

import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

// `node scripts/upstream-table.mjs` writes the page; with `--record` it lists the symbols from the Go sources first.
it("docs/migrate/from-controller-runtime.md is current and explains each recorded upstream symbol", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/upstream-table.mjs", "--check"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
