import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";

import { LongAmount } from "../src/long-amount.ts";
import {
  addAmounts,
  addQuantities,
  canonicalQuantity,
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

const LENGTH = 1_400_000;

const TEXTS: Readonly<Record<string, string>> = {
  "digits of all kinds": "7".repeat(LENGTH),
  "zeros after a one": "1" + "0".repeat(LENGTH),
  "zeros before a one": "0".repeat(LENGTH) + "1",
  nines: "9".repeat(LENGTH),
  "a fraction": "0." + "7".repeat(LENGTH),
  "a fraction behind digits": "7".repeat(LENGTH) + "." + "7".repeat(LENGTH),
  "a fraction below a nano": "0." + "0".repeat(LENGTH) + "1",
  "nines in a fraction": "9".repeat(LENGTH) + "." + "9".repeat(LENGTH) + "m",
  "a binary amount": "7".repeat(LENGTH) + "Ei",
  "a binary fraction": "-0." + "7".repeat(LENGTH) + "Ei",
  "a negative amount": "-" + "7".repeat(LENGTH) + "m",
  "an exponent with zeros": "1e" + "0".repeat(LENGTH) + "9",
};

const REFUSED: Readonly<Record<string, string>> = {
  "an exponent that is too large": "1e" + "9".repeat(LENGTH),
  "letters as a suffix": "1" + "e".repeat(LENGTH),
  points: ".".repeat(LENGTH),
};

const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  isQuantity,
  canonicalQuantity,
  negateQuantity,
  isZeroQuantity,
  quantityToNumber,
  quantityToBigInt: (text) => quantityToBigInt(text),
  "compareQuantities with a short one": (text) => compareQuantities(text, "1"),
  "compareQuantities with itself": (text) => compareQuantities(text, text),
  addQuantities: (text) => addQuantities(text, "-1n"),
  subtractQuantities: (text) => subtractQuantities("5Gi", text),
};

describe("a quantity of 1,400,000 characters", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  // The conversions between texts and integers, and divisions, take more than linear time.
  it.each(Object.entries(TEXTS))("never becomes an integer: %s", (_, text) => {
    const integers = vi.spyOn(globalThis, "BigInt");
    for (const call of Object.values(FUNCTIONS)) {
      call(text);
    }
    const longest = Math.max(...integers.mock.calls.map(([value]) => String(value).length), 0);
    expect(longest).toBeLessThanOrEqual(1000);
  });
});

describe("a text of 1,400,000 characters", () => {
  it.each(Object.entries(REFUSED))("is no quantity: %s", (_, text) => {
    expect(isQuantity(text)).toBe(false);
  });
});

const long = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.stringMatching(/^[1-9]$/),
    fc.constantFrom("0", "9", "4").map((digit) => digit.repeat(1200)),
    fc.stringMatching(/^[09]{0,3}$/),
    fc.stringMatching(/^\.[09]{0,12}$/),
    fc.constantFrom("", "m", "k", "n", "e3", "e-1"),
  )
  .map((parts) => parts.join(""));

// Computes with integers alone.
function nanosOf(text: string): bigint {
  const [, sign, whole = "", fraction = "", suffix = ""] = /^(-?)(\d+)\.(\d*)(.*)$/.exec(text) ?? [];
  const exponent = { "": 0, m: -3, k: 3, n: -9, e3: 3, "e-1": -1 }[suffix] ?? 0;
  const scale = exponent - fraction.length + 9;
  const digits = BigInt(whole + fraction);
  const nanos =
    scale >= 0 ? digits * 10n ** BigInt(scale) : (digits + 10n ** BigInt(-scale) - 1n) / 10n ** BigInt(-scale);
  return sign === "-" ? -nanos : nanos;
}

describe("quantities of more than 1000 digits", () => {
  it("have the value that integers have", () => {
    fc.assert(
      fc.property(long, (text) => {
        const { unscaled, scale } = parseQuantity(text);
        expect(unscaled * 10n ** BigInt(scale + 9)).toBe(nanosOf(text));
        const canonical = canonicalQuantity(text);
        expect(canonicalQuantity(canonical)).toBe(canonical);
        expect(compareQuantities(canonical, text)).toBe(0);
      }),
    );
  });

  it("are ordered like integers", () => {
    fc.assert(
      fc.property(long, fc.oneof(long, fc.constantFrom("0", "1", "-1", "1e1204", "-1e1203")), (left, right) => {
        const [a, b] = [parseQuantity(left), parseQuantity(right)];
        const expected = a.unscaled * 10n ** BigInt(a.scale + 9) - b.unscaled * 10n ** BigInt(b.scale + 9);
        expect(Math.sign(compareQuantities(left, right))).toBe(expected === 0n ? 0 : expected < 0n ? -1 : 1);
      }),
    );
  });

  it("are added like integers", () => {
    fc.assert(
      fc.property(long, fc.oneof(long, fc.constantFrom("0", "1", "-1", "1e1204", "-1e1203")), (left, right) => {
        const [a, b] = [parseQuantity(left), parseQuantity(right)];
        const nanos = (amount: typeof a): bigint => amount.unscaled * 10n ** BigInt(amount.scale + 9);
        expect(nanos(addAmounts(a, b))).toBe(nanos(a) + nanos(b));
        expect(nanos(addAmounts(a, negateAmount(a)))).toBe(0n);
      }),
    );
  });

  it("are long amounts only where digits remain", () => {
    expect(parseQuantity("7".repeat(1001))).toBeInstanceOf(LongAmount);
    expect(parseQuantity("1" + "0".repeat(5000))).toBeInstanceOf(LongAmount);
    expect(parseQuantity("1" + "0".repeat(20))).toMatchObject({ unscaled: 10n ** 29n, scale: -9 });
    expect(parseQuantity("1e10000")).toMatchObject({ unscaled: 1n, scale: 10_000 });
    expect(quantityToBigInt(`-${"7".repeat(1001)}`)).toBe(-(10n ** 1000n));
    expect(canonicalQuantity("9".repeat(1500) + ".9999999999")).toBe(`1e1500`);
  });
});
