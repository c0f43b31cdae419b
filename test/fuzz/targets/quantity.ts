import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  isQuantity,
  negateQuantity,
  quantityToBigInt,
  quantityToNumber,
} from "@kubescaffold/k8s";
import { readGoNanoseconds } from "@kubescaffold/platform";

import { readFormatNanoseconds } from "../../../packages/schema/src/formats/durations.ts";
import { accepted, type FuzzTarget, requireThat } from "../engine/fuzz-target.ts";

/** Quantities and durations: the canonical form is one, means the same, and is its own canonical form. */
export const target: FuzzTarget = {
  name: "quantity",
  kind: "text",
  seeds: [
    "1",
    "-1.5Gi",
    "100m",
    "0.5",
    "1e3",
    "12E",
    "1E-3",
    "+.5n",
    "9223372036854775807",
    "1h30m",
    "-1.5s",
    "2 days",
  ],
  dictionary: [
    "Ki",
    "Mi",
    "Gi",
    "Ti",
    "Pi",
    "Ei",
    "n",
    "u",
    "m",
    "k",
    "M",
    "G",
    "T",
    "P",
    "E",
    "e",
    "E+9",
    "e-9",
    ".",
    "-",
    "+",
    "999999999999999999999",
    "0000",
    "h",
    "ms",
    "us",
    "day",
  ],
  run: (text) => {
    const go = readGoNanoseconds(text);
    requireThat(go === undefined || readFormatNanoseconds(text) === go, "a duration of Go is another one as a format");
    const canonical = accepted(() => canonicalQuantity(text));
    requireThat(isQuantity(text) === (canonical !== undefined), "isQuantity and canonicalQuantity differ");
    if (canonical === undefined) return;
    requireThat(canonicalQuantity(canonical) === canonical, `another canonical form of ${canonical}`);
    requireThat(compareQuantities(text, canonical) === 0, `${canonical} is another amount`);
    const sum = addQuantities(canonical, negateQuantity(canonical));
    requireThat(quantityToNumber(sum) === 0, `${canonical} less itself is ${sum}`);
    accepted(() => quantityToBigInt(text, -3));
  },
};
