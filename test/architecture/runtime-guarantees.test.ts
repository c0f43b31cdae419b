import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGE = "docs/reference/runtime-guarantees.md";

interface Guarantee {
  readonly number: string;
  readonly tests: readonly string[];
}

it("each guarantee of the runtime has a test with its number", () => {
  const missing = guarantees().filter(({ number, tests }) => !tests.some((file) => names(file, number)));
  expect(missing).toEqual([]);
});

it("numbers of guarantees ascend, and each occurs once", () => {
  const numbers = guarantees().map(({ number }) => Number(number));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((left, right) => left - right));
});

function guarantees(): readonly Guarantee[] {
  return readFileSync(path.join(ROOT, PAGE), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, number, tests] = /^\| (\d+) \|.*\| ([^|]+) \|$/.exec(line) ?? [];
      if (number === undefined || tests === undefined) return [];
      return [{ number, tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file) }];
    });
}

function names(file: string, number: string): boolean {
  const full = path.join(ROOT, file);
  return existsSync(full) && new RegExp(`["'\`]guarantee ${number}\\b`).test(readFileSync(full, "utf8"));
}
