import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";

interface Scenario {
  readonly number: number;
  readonly tests: readonly { readonly file: string; readonly words: readonly string[] }[];
  readonly missing: string;
}

const PAGE = readFileSync(new URL("README.md", import.meta.url), "utf8");
const SCENARIOS = PAGE.split("\n")
  .filter((line) => /^\| \d+ \|/u.test(line))
  .map((line): Scenario => {
    const [, number = "", , tests = "", missing = ""] = line.split(/ ?\| ?/u);
    return { number: Number(number), tests: testsOf(tests), missing };
  });

// Words in quotes are of the test whose file was named last.
function testsOf(cell: string): Scenario["tests"] {
  return [...cell.matchAll(/`(?<file>[^`]+)`(?<rest>[^`]*)/gu)].map(({ groups }) => ({
    file: groups?.["file"] ?? "",
    words: [...(groups?.["rest"] ?? "").matchAll(/"(?<words>[^"]+)"/gu)].map((match) => match.groups?.["words"] ?? ""),
  }));
}

describe("the table of scenarios", () => {
  it("has each of the sixty once, with a test or what is missing", () => {
    expect(SCENARIOS.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(SCENARIOS.filter(({ tests, missing }) => tests.length === 0 && missing === "")).toEqual([]);
  });

  it("names only tests that exist, by words of their titles", () => {
    const wrong = SCENARIOS.flatMap(({ number, tests }) =>
      tests.flatMap(({ file, words }) => {
        if (!existsSync(path.join(ROOT, file))) return [`${number}: ${file}`];
        const text = readFileSync(path.join(ROOT, file), "utf8");
        return words.filter((each) => !text.includes(each)).map((each) => `${number}: ${file}: ${each}`);
      }),
    );
    expect(wrong).toEqual([]);
  });
});
