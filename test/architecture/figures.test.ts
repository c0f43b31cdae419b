import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";

import { describe, expect, it } from "vitest";

import { ROOT, readSource } from "./source-files.ts";

interface Limit {
  readonly figure: string;
  /** The name of a flow that is measured alone. */
  readonly flow?: string;
  readonly atMost: number;
}

// Their table in CONTRIBUTING.md has the aims, too.
const LIMITS = JSON.parse(readSource("scripts/figures/limits.json")) as readonly Limit[];

describe("the sources", () => {
  it("keep the limits of their figures", async () => {
    const limits = LIMITS.filter(({ flow }) => flow === undefined);
    const figures = await measure();
    expect(Object.keys(figures)).toEqual(limits.map(({ figure }) => figure));
    const above = limits.filter(({ figure, atMost }) => (figures[figure] ?? Number.NaN) > atMost);
    expect(above.map(({ figure, atMost }) => `${figure}: ${figures[figure]}, at most ${atMost}`)).toEqual([]);
  });

  it.each(LIMITS.flatMap(({ flow, ...limit }) => (flow === undefined ? [] : { ...limit, flow })))(
    "$figure: at most $atMost",
    async ({ flow, atMost }) => {
      const { [flow]: files } = await measure(`--flow=${flow}`);
      expect(files).toBeGreaterThan(1);
      expect(files).toBeLessThanOrEqual(atMost);
    },
  );
});

it("the table of CONTRIBUTING.md states the limits", () => {
  const table = readSource("CONTRIBUTING.md")
    .split("\n")
    .filter((line) => LIMITS.some(({ figure }) => line.startsWith(`| ${figure} |`)));
  expect(table.map((line) => line.split(" | ").slice(0, 2).join(": "))).toEqual(
    LIMITS.map(({ figure, atMost }) => `| ${figure}: ${atMost}`),
  );
});

async function measure(...only: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const options = ["--conditions=@kubescaffold/source", "--import", "tsx", "scripts/figures.mjs", "--json", ...only];
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: ROOT });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Readonly<Record<string, number>>;
}
