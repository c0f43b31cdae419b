import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../../", import.meta.url);
const ROW = /^\| `npm run (?<command>differential|fuzz:validation)` \|(?<counts>.*)\|$/gmu;
const HEAD = /^\| Command \|(?<minors>.*)\|$/mu;

interface Range {
  readonly test: string;
  readonly minor: string;
  readonly count: number;
}

/** Returns the counts of the page on differences, by command and minor version. */
function countsOnPage(page: string): Readonly<Record<string, number>> {
  const minors = cellsOf(HEAD.exec(page)?.groups?.["minors"] ?? "").map((cell) => cell.replace(/\.\d+$/u, ""));
  return Object.fromEntries(
    [...page.matchAll(ROW)].flatMap(({ groups }) =>
      cellsOf(groups?.["counts"] ?? "").flatMap((cell, index) =>
        cell === "none"
          ? []
          : [[`${String(groups?.["command"])} ${String(minors[index])}`, Number(cell.replaceAll(",", ""))]],
      ),
    ),
  );
}

function cellsOf(row: string): readonly string[] {
  return row.split("|").map((cell) => cell.trim().replace(/^Kubernetes /u, ""));
}

describe("the page on differences", () => {
  it("has the counts of scripts/random-ranges.json", () => {
    const page = readFileSync(new URL("docs/verification/embedded-server-differences.md", ROOT), "utf8");
    const ranges = JSON.parse(readFileSync(new URL("scripts/random-ranges.json", ROOT), "utf8")) as readonly Range[];
    const expected = new Map<string, number>();
    for (const { test, minor, count } of ranges) {
      const key = `${test === "validation" ? "fuzz:validation" : test} ${minor}`;
      expected.set(key, (expected.get(key) ?? 0) + count);
    }
    expect(countsOnPage(page)).toEqual(Object.fromEntries(expected));
  });
});
