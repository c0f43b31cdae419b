import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { type Finding, type VerifyOptions, verifyOperator } from "@kubescaffold/envtest/verify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { MUTANTS } from "./mutants.ts";

const FOLDER = path.join(import.meta.dirname, "operator");
const SOURCE = "site-operator.mjs";
// Copies import the packages of this repository, so they are within it.
const PARENT = path.join(import.meta.dirname, "../../../../node_modules/.cache");
const FIRST_FINDING_MS = 240_000;

let copies = "";

beforeAll(() => {
  mkdirSync(PARENT, { recursive: true });
  copies = mkdtempSync(path.join(PARENT, "verify-"));
});

afterAll(() => rmSync(copies, { recursive: true, force: true }));

function copyOf(name: string, replaced: readonly (readonly [string, string])[]): VerifyOptions {
  const folder = path.join(copies, name.replaceAll(" ", "-"));
  cpSync(FOLDER, folder, { recursive: true });
  const text = readFileSync(path.join(folder, SOURCE), "utf8");
  const changed = replaced.reduce((result, [from, to]) => {
    expect(result).toContain(from);
    return result.replace(from, () => to);
  }, text);
  writeFileSync(path.join(folder, SOURCE), changed);
  return {
    command: `exec "${process.execPath}" ${SOURCE}`,
    directory: folder,
    crds: [path.join(folder, "crd.yaml")],
    samples: [path.join(folder, "sample.yaml")],
    roles: [path.join(folder, "role.yaml")],
    settleMs: 6000,
  };
}

describe("verifyOperator", () => {
  it.for(MUTANTS)("finds the mutant: $name", { timeout: FIRST_FINDING_MS + 60_000 }, async (mutant) => {
    const ending = new AbortController();
    const found: Finding[] = [];
    const start = performance.now();
    const report = await verifyOperator({
      ...copyOf(mutant.name, mutant.replaced),
      timeMs: FIRST_FINDING_MS,
      signal: ending.signal,
      report: (event) => {
        if (event.event === "suspected")
          process.stderr.write(`${mutant.name}: suspected after ${String(Math.round(performance.now() - start))} ms\n`);
        if (event.event !== "finding") return;
        found.push(event.finding);
        ending.abort(new Error("found"));
      },
    });
    expect(report.missing).toEqual([]);
    expect(found).toHaveLength(1);
    expect(found[0]?.violations.map(({ oracle, object }) => `${oracle} ${object}`)).toContain(
      `${mutant.oracle} ${mutant.object}`,
    );
  });

  it("has no findings without a mutant", { timeout: 600_000 }, async () => {
    const report = await verifyOperator({ ...copyOf("original", []), timeMs: 540_000 });
    expect(report).toMatchObject({ verdict: "clean", findings: [], missing: [], noise: [] });
    expect(report.schedules.explored).toBe(report.schedules.planned);
  });
});
