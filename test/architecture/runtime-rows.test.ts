import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { RUNTIME_ROWS, type RuntimeRow } from "./runtime-rows.ts";
import { listFiles, ROOT } from "./source-files.ts";

const ROWS = 96;

const scripts = path.join(ROOT, "scripts", "control-plane-tests.mjs");
const lists = (await import(pathToFileURL(scripts).href)) as Readonly<Record<string, readonly string[]>>;
const runsOnRealServer = (file: string): boolean =>
  Object.values(lists)
    .flat()
    .some((selection) => file.includes(selection));

const testFiles = ["packages/runtime/test", "packages/envtest/test"].flatMap((folder) =>
  listFiles(folder).filter((file) => file.endsWith(".test.ts")),
);

describe("the numbered behaviors of the runtime", () => {
  it("are all accounted for, in order", () => {
    expect(RUNTIME_ROWS.map(({ row }) => row)).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
  });

  it("each have a test with their number", () => {
    const numbered = new Set(testFiles.flatMap((file) => numbersIn(file)));
    expect(RUNTIME_ROWS.filter(({ row }) => !numbered.has(row))).toEqual([]);
  });

  it("each have a test that runs on the real control plane, or are measured there, unless no server takes part", () => {
    expect(RUNTIME_ROWS.filter((row) => !isProven(row))).toEqual([]);
  });
});

it("the tests that run on the real control plane exist", () => {
  const missing = Object.values(lists)
    .flat()
    .filter((selection) => !testFiles.some((file) => file.includes(selection)));
  expect(missing).toEqual([]);
});

function isProven({ row, onServer }: RuntimeRow): boolean {
  switch (onServer.kind) {
    case "test":
      return numbersIn(onServer.file).includes(row) && runsOnRealServer(onServer.file);
    case "measured":
      return existsSync(path.join(ROOT, onServer.script));
    case "none":
      return onServer.reason.length > 20;
    default:
      return onServer satisfies never;
  }
}

// Names such as "row 7: …", "rows 31 and 35: …", and "row 30, row 33: …".
function numbersIn(file: string): readonly number[] {
  const titles = readFileSync(path.join(ROOT, file), "utf8").matchAll(/["'`]rows? (\d+(?:(?:, row | and )\d+)*)/gu);
  return [...titles].flatMap(([, numbers = ""]) => [...numbers.matchAll(/\d+/gu)].map(Number));
}
