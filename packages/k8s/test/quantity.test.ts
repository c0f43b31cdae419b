import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { QuantityError } from "../src/failures/errors.ts";
import {
  addAmounts,
  addQuantities,
  canonicalQuantity,
  compareAmounts,
  compareQuantities,
  isQuantity,
  isZeroQuantity,
  negateAmount,
  negateQuantity,
  parseQuantity,
  quantityToBigInt,
  quantityToNumber,
  subtractQuantities,
} from "../src/quantity.ts";
import { recordedAnswers } from "./oracle/oracle.ts";

const digits = fc.oneof(
  fc.stringMatching(/^\d{1,5}$/),
  fc.stringMatching(/^\d{12,22}$/),
  fc.constantFrom("0", "00", "1", "1024", "1000", "1000000", "1536", "", "9223372036854775807", "9223372036854775808"),
);
const suffix = fc.constantFrom(
  "",
  "n",
  "u",
  "m",
  "k",
  "M",
  "G",
  "T",
  "P",
  "E",
  "Ki",
  "Mi",
  "Gi",
  "Ti",
  "Pi",
  "Ei",
  "e3",
  "E-3",
  "e0",
  "e+6",
  "e9",
);
const sign = fc.constantFrom("", "", "", "-", "+");
const fraction = fc.oneof(
  fc.constant(""),
  fc.constant(""),
  fc.stringMatching(/^\.\d{0,4}$/),
  fc.stringMatching(/^\.\d{9,12}$/),
);
const quantity = fc.tuple(sign, digits, fraction, suffix).map((parts) => parts.join(""));

const EXAMPLES = [
  "0",
  "1",
  "100m",
  "0.1",
  "1.5",
  "1500m",
  "1.500",
  "1Ki",
  "1.5Gi",
  "1025",
  "1024Ki",
  "0.5Ki",
  "1e3",
  "1E3",
  "1E",
  "12e6",
  "-1",
  "+1",
  "01",
  "1.",
  ".5",
  ".",
  "+",
  "",
  "a",
  "1x",
  "1kk",
  "1KiB",
  "1e",
  "1 ",
  "--1",
  "1e1.5",
  "1i",
  "1mKi",
  "0Ki",
  "0m",
  "-0",
  "1n",
  "0.1n",
  "0.0000000001",
  "1000000000000000000000",
];

type Answer = { error: string } | { canonical: string; format: string; sign: number; value: string; milli: string };
const recorded = recordedAnswers<[string, Answer]>("quantity", () => [
  ...EXAMPLES,
  ...fc.sample(quantity, { numRuns: 2500, seed: 11 }),
  ...fc.sample(fc.stringMatching(/^[-+.0-9eEinumkKMGTP]{1,6}$/), { numRuns: 500, seed: 12 }),
]);
type PairAnswer = { error: string } | { sum: string; difference: string; negated: string; compared: number };
const pairs = recordedAnswers<[[string, string], PairAnswer]>("quantity-pair", () =>
  fc.sample(fc.tuple(quantity, quantity), { numRuns: 1500, seed: 13 }),
);

// Upstream writes an amount of 10^21 or more as if it had no exponent; ours is not wrong there.
const isBeyondSuffixes = (text: string): boolean => Math.abs(quantityToNumber(text)) >= 1e21;

describe("parseQuantity and formatQuantity", () => {
  it(`agree with upstream on ${recorded.length} recorded texts`, () => {
    const inRange = recorded.filter(([text]) => !isQuantity(text) || !isBeyondSuffixes(text));
    expect(inRange.length).toBeGreaterThan(2500);
    expect(inRange.map(([text]) => [text, reading(text)])).toEqual(
      inRange.map(([text, answer]) => [
        text,
        "error" in answer ? answer.error : `${answer.canonical} ${answer.format}`,
      ]),
    );
  });

  it("write amounts beyond the largest suffix with an exponent", () => {
    expect(canonicalQuantity("1000E")).toBe("1e21");
    expect(canonicalQuantity("-1.5e21")).toBe("-1500e18");
  });

  it("leave a canonical quantity as it is", () => {
    fc.assert(
      fc.property(quantity, (text) => {
        fc.pre(isQuantity(text));
        const canonical = canonicalQuantity(text);
        expect(canonicalQuantity(canonical)).toBe(canonical);
        expect(compareQuantities(canonical, text)).toBe(0);
      }),
    );
  });

  it("take numbers, as the API does", () => {
    expect(canonicalQuantity(0.5)).toBe("500m");
    expect(canonicalQuantity(2)).toBe("2");
  });

  it("say what is wrong in upstream's words", () => {
    expect(() => parseQuantity("1KiB")).toThrow(QuantityError);
    expect(() => parseQuantity("1e99999")).toThrow('cannot read "1e99999" as a quantity: the exponent is out of range');
  });
});

describe("arithmetic on quantities", () => {
  it(`agrees with upstream on ${pairs.length} recorded pairs`, () => {
    const inRange = pairs.filter(
      ([[a, b], answer]) =>
        !("error" in answer) &&
        !isBeyondSuffixes(a) &&
        !isBeyondSuffixes(b) &&
        !isBeyondSuffixes(addQuantities(a, b)) &&
        !isBeyondSuffixes(subtractQuantities(a, b)),
    );
    expect(inRange.length).toBeGreaterThan(1000);
    expect(
      inRange.map(([[a, b]]) => ({
        sum: addQuantities(a, b),
        difference: subtractQuantities(a, b),
        negated: negateQuantity(a),
        compared: compareQuantities(a, b),
      })),
    ).toEqual(inRange.map(([, answer]) => answer));
  });

  it("undoes an addition by a subtraction", () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        fc.pre(isQuantity(a) && isQuantity(b));
        const [left, right] = [parseQuantity(a), parseQuantity(b)];
        const back = addAmounts(addAmounts(left, right), negateAmount(right));
        expect(compareAmounts(back, left)).toBe(0);
        expect(compareAmounts(addAmounts(left, right), addAmounts(right, left))).toBe(0);
        expect(addAmounts(left, negateAmount(left)).unscaled).toBe(0n);
      }),
    );
  });
});

describe("quantities as numbers", () => {
  it("rounds whole values away from zero as upstream does", () => {
    for (const [text, answer] of recorded) {
      if ("error" in answer || Math.abs(quantityToNumber(text)) > 1e15 || text.startsWith("-")) continue;
      expect([text, String(quantityToBigInt(text)), String(quantityToBigInt(text, -3))]).toEqual([
        text,
        answer.value,
        answer.milli,
      ]);
    }
    expect(quantityToBigInt("-1500m")).toBe(-2n);
  });

  it("knows zero in every form", () => {
    expect(["0", "0Ki", "-0m", "0.00", 0].every((zero) => isZeroQuantity(zero))).toBe(true);
    expect(isZeroQuantity("1n")).toBe(false);
  });

  it("gives the nearest number", () => {
    expect(quantityToNumber("100m")).toBe(0.1);
    expect(quantityToNumber("1Gi")).toBe(2 ** 30);
  });
});

function reading(text: string): string {
  try {
    return `${canonicalQuantity(text)} ${parseQuantity(text).format}`;
  } catch (error) {
    return (error as QuantityError).reason;
  }
}
