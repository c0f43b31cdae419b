import { describe, expect, it } from "vitest";

import { nearestName } from "../src/nearest-name.ts";

const NAMES = ["optional", "nullable", "kubebuilder:validation:Minimum", "kubebuilder:validation:Maximum"];

describe("the nearest name", () => {
  it.each([
    ["initt", ["init", "edit"], "init"],
    ["--groop", ["--group", "--force"], "--group"],
    ["craete", ["create", "edit"], "create"],
    ["frobnicate", ["create", "edit"], undefined],
    ["DEPLOYMENT", ["Deployment", "DaemonSet"], "Deployment"],
    ["x", [], undefined],
  ])("of %s among %j is %s", (typed, known, nearest) => {
    expect(nearestName(typed, known)).toBe(nearest);
  });

  it.each([
    ["optinal", 1, "optional"],
    ["Optional", 1, "optional"],
    ["nullabel", 1, "nullable"],
    ["label", 1, undefined],
    ["kubebuilder:validation:Minimun", 1, "kubebuilder:validation:Minimum"],
    ["something", 2, undefined],
  ])("of %s within a distance of %i is %s", (typed, maxDistance, nearest) => {
    expect(nearestName(typed, new Set(NAMES), { maxDistance })).toBe(nearest);
  });

  it("is the one with the fewest insertions, deletions, replacements, and swaps, for random names", () => {
    let seed = 11;
    const random = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * limit);
    };
    const word = (): string => Array.from({ length: random(7) + 1 }, () => "abc"[random(3)]).join("");
    for (let round = 0; round < 500; round += 1) {
      const [typed, known] = [word(), [word(), word(), word()]];
      const limit = random(4);
      const distances = known.map((name) => distanceOf(typed, name));
      const least = Math.min(...distances);
      const expected = least <= limit ? known[distances.indexOf(least)] : undefined;
      expect(nearestName(typed, known, { maxDistance: limit }), `${typed} among ${known.join(" ")}`).toBe(expected);
    }
  });
});

// The whole table of Damerau and Levenshtein, for neighbors that are swapped once.
function distanceOf(left: string, right: string): number {
  const rows = [Array.from({ length: right.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      row.push(
        Math.min(
          at(rows, i - 1, j) + 1,
          (row[j - 1] ?? 0) + 1,
          at(rows, i - 1, j - 1) + cost,
          isSwapped ? at(rows, i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return at(rows, left.length, right.length);
}

function at(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
}
