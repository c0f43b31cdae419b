import { describe, expect, it } from "vitest";

import { compareLines, type ComparedLine, diffLines, type DiffLine } from "../src/line-diff.ts";

const SIGNS = { same: " ", added: "+", removed: "-", gap: "@" } as const;

function printed(lines: readonly DiffLine[]): string {
  return lines.map(({ kind, text }) => `${SIGNS[kind]}${text}`).join("\n");
}

function side(lines: readonly DiffLine[], own: "added" | "removed"): readonly string[] {
  return lines.filter(({ kind }) => kind === "same" || kind === own).map(({ text }) => text);
}

describe("diffLines", () => {
  it("has three lines around a change, and gaps between", () => {
    const before = "abcdefghijklmnopqrst".split("").join("\n");
    const after = before.replace("c", "C").replace("r\n", "");
    expect(printed(diffLines(before, after)).split("\n").join("")).toBe(" a b-c+C d e f@ o p q-r s t");
  });

  it("is a gap for equal texts", () => {
    expect(diffLines("a\nb\n", "a\nb\n")).toEqual([{ kind: "gap", text: "" }]);
  });

  it("removes or adds all of a text", () => {
    expect(printed(diffLines("a\nb\n", ""))).toBe("-a\n-b");
    expect(printed(diffLines("", "a\n"))).toBe("+a");
  });

  it("contains both texts, with few edits, for random texts", () => {
    let seed = 7;
    const random = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % limit;
    };
    for (let round = 0; round < 300; round += 1) {
      const before = Array.from({ length: random(8) + 1 }, () => `l${String(random(4))}`);
      const after = Array.from({ length: random(8) + 1 }, () => `l${String(random(4))}`);
      const lines = diffLines(before.join("\n"), after.join("\n"));
      if (lines.some(({ kind }) => kind === "gap")) continue;
      expect(side(lines, "removed")).toEqual(before);
      expect(side(lines, "added")).toEqual(after);
      const edits = lines.filter(({ kind }) => kind !== "same").length;
      expect(edits).toBe(before.length + after.length - 2 * longestCommon(before, after));
    }
  });

  it("replaces texts that have little in common", () => {
    const before = Array.from({ length: 3000 }, (_, index) => `a${String(index)}`).join("\n");
    const after = Array.from({ length: 3000 }, (_, index) => `b${String(index)}`).join("\n");
    expect(diffLines(before, after)).toHaveLength(6000);
  });
});

function longestCommon(left: readonly string[], right: readonly string[]): number {
  let row = Array.from({ length: right.length + 1 }, () => 0);
  for (const line of left) {
    const next = [0];
    right.forEach((other, index) => {
      next.push(line === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe("compareLines", () => {
  it("removes lines before it adds some, with the fewest edits, for random texts", () => {
    let seed = 3;
    const random = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * limit);
    };
    for (let round = 0; round < 1000; round += 1) {
      const letters = random(5) + 1;
      const text = (): readonly string[] => Array.from({ length: random(14) }, () => `l${String(random(letters))}`);
      const [before, after] = [text(), text()];
      expect(compareLines(before, after), `${before.join(" ")} / ${after.join(" ")}`).toEqual(expected(before, after));
    }
  });

  it("has a bound for texts that differ in many lines, whose ends in common stay", () => {
    const middle = (letter: string): readonly string[] =>
      Array.from({ length: 5000 }, (_, index) => (index % 2 === 0 ? "same" : `${letter}${String(index)}`));
    const lines = compareLines(["start", ...middle("a"), "end"], ["start", ...middle("b"), "end"]);
    expect(lines.filter(({ kind }) => kind === "same").map(({ text }) => text)).toEqual(["start", "same", "end"]);
    expect(lines.filter(({ kind }) => kind === "removed")).toHaveLength(4999);
  });
});

// The ends in common stay; between them counts the whole table of the longest common subsequences.
function expected(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (text: string): ComparedLine => ({ kind: "same", text });
  return [
    ...before.slice(0, start).map(same),
    ...byTable(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function byTable(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  const table = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0));
  const at = (left: number, right: number): number => table[left]?.[right] ?? 0;
  for (let left = before.length - 1; left >= 0; left -= 1) {
    for (let right = after.length - 1; right >= 0; right -= 1) {
      const isSame = before[left] === after[right];
      (table[left] as number[])[right] = isSame
        ? at(left + 1, right + 1) + 1
        : Math.max(at(left + 1, right), at(left, right + 1));
    }
  }
  const lines: ComparedLine[] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const [old, next] = [before[left], after[right]];
    if (old !== undefined && old === next) {
      lines.push({ kind: "same", text: old });
      left += 1;
      right += 1;
    } else if (old !== undefined && (next === undefined || at(left + 1, right) >= at(left, right + 1))) {
      lines.push({ kind: "removed", text: old });
      left += 1;
    } else {
      lines.push({ kind: "added", text: next ?? "" });
      right += 1;
    }
  }
  return lines;
}
