import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";

import { expect, it } from "vitest";

import { ROOT } from "./source-files.ts";

// The files that a reader opens to follow a flow through its package.
const MOST_FILES: Readonly<Record<string, { readonly part: string; readonly files: number }>> = {
  PATCH: { part: "packages/apiserver/", files: 22 },
  "watch event → reconcile": { part: "packages/runtime/", files: 21 },
  "create api": { part: "src/", files: 38 },
};

it.each(Object.entries(MOST_FILES))("%s passes through few files", async (flow, { part, files }) => {
  const count = new RegExp(`^${flow}: (?<files>\\d+) files of ${part}`, "mu");
  const printed = count.exec(await figuresOf(flow))?.groups?.["files"];
  expect(Number(printed)).toBeGreaterThan(0);
  expect(Number(printed)).toBeLessThanOrEqual(files);
});

async function figuresOf(flow: string): Promise<string> {
  const options = ["--conditions=@kubescaffold/source", "--import", "tsx", "scripts/figures.mjs", `--flow=${flow}`];
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: ROOT });
  return stdout;
}
