import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { type OperatorVersion, rehearseUpgrade, type RehearsalReport } from "@kubescaffold/envtest/rehearse";
import { expect } from "vitest";

import type { Regression } from "./regressions.ts";

// Its copies get the regressions.
const OPERATOR = path.join(import.meta.dirname, "operator");
// Copies import the packages of this repository, so they are within it.
const PARENT = path.join(import.meta.dirname, "../../../../node_modules/.cache");

/** Copies the operator with changes into a new folder. */
export function changedOperator(replaced: Regression["replaced"]): string {
  mkdirSync(PARENT, { recursive: true });
  const folder = mkdtempSync(path.join(PARENT, "rehearse-"));
  cpSync(OPERATOR, folder, { recursive: true });
  for (const [file, changes] of Object.entries(replaced)) {
    const place = path.join(folder, file);
    const text = changes.reduce(
      (result, [from, to]) => {
        expect(result).toContain(from);
        return result.replaceAll(from, () => to);
      },
      readFileSync(place, "utf8"),
    );
    writeFileSync(place, text);
  }
  return folder;
}

/** Rehearses the upgrade to a version with a regression, or a harmless change. */
export async function rehearseRegression({ name, replaced }: Regression): Promise<RehearsalReport> {
  const folder = changedOperator(replaced);
  const command: OperatorVersion["command"] = [process.execPath, "manager.mjs"];
  try {
    return await rehearseUpgrade({
      former: { name: "v1", project: OPERATOR, command },
      present: { name, project: folder, command },
      confirms: false,
      settleMs: 8000,
      overlapMs: 2000,
      quietMs: 700,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns why nothing was judged, and the findings as texts. */
export function findingsOf({ missing, findings }: RehearsalReport): readonly string[] {
  return [...missing, ...findings.map(({ oracle, message }) => `${oracle}: ${message}`)];
}

/** Returns the findings that a regression must have, among others; a harmless change has none. */
export function expectedOf({ oracle, message }: Regression): unknown {
  if (oracle === undefined) return [];
  const pattern = message.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  return expect.arrayContaining([expect.stringMatching(new RegExp(`^${oracle}: .*${pattern}`, "su"))]);
}
