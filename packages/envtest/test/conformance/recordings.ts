import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { readRecorded, writeRecorded } from "./recorded-files.ts";
import type { TranscriptStep } from "./transcript.ts";

const FOLDER = fileURLToPath(new URL("recorded/", import.meta.url));

/** Returns what the real server answered to a row, or undefined when it was never recorded. */
export function readRecording(row: number): readonly TranscriptStep[] | undefined {
  try {
    return JSON.parse(readRecorded(FOLDER, nameOf(row))) as readonly TranscriptStep[];
  } catch {
    return undefined;
  }
}

/** Keeps what a server answered to a row, in the folder of recordings or another one. */
export function writeRecording(row: number, steps: readonly TranscriptStep[], folder: string = FOLDER): void {
  writeRecorded(folder, nameOf(row), `${JSON.stringify(sorted(steps), undefined, 2)}\n`);
}

/** Returns the folders that get what a server answered: `CONFORMANCE_OUTPUT`, and the recordings with `CONFORMANCE_RECORD=1` for a real server alone. */
export function foldersToWrite(
  kind: "real" | "embedded",
  env: Readonly<Record<string, string | undefined>> = process.env,
): { readonly folders: readonly string[]; readonly isRecording: boolean } {
  const output = env["CONFORMANCE_OUTPUT"];
  const isRecording = kind === "real" && env["CONFORMANCE_RECORD"] === "1";
  return { folders: [...(output === undefined ? [] : [output]), ...(isRecording ? [FOLDER] : [])], isRecording };
}

/** Returns the numbers of the rows that were recorded. */
export function recordedRows(): readonly number[] {
  return rowsIn(FOLDER);
}

/** Returns the numbers of the rows that a minor version answers otherwise, and that were recorded. */
export function ownRecordings(minor: string): readonly number[] {
  return rowsIn(path.join(FOLDER, minor));
}

function rowsIn(folder: string): readonly number[] {
  return readdirSync(folder)
    .map((name) => Number(/^row-(\d+)\.json$/u.exec(name)?.[1]))
    .filter((row) => !Number.isNaN(row))
    .sort((a, b) => a - b);
}

function nameOf(row: number): string {
  return `row-${String(row)}.json`;
}

// Keys in one order, so that recording again changes no byte of an unchanged answer.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const isStep = "step" in value;
  const entries = Object.entries(value);
  const ordered = isStep ? entries : entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(ordered.map(([key, item]) => [key, sorted(item)]));
}
