import { describe, expect, it } from "vitest";

import { diffLines } from "../../src/dashboard/diff-lines.ts";
import type { DiffLine } from "../../src/dashboard/protocol.ts";

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
