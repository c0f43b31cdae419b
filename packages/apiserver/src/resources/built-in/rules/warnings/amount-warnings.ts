import { canonicalQuantity, goQuote, isQuantity, quantityToBigInt } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn } from "../../../fields.ts";

/** Returns a warning for each of the named amounts of bytes in a map that is no whole number. */
export function byteWarnings(
  amounts: MutableJsonObject | undefined,
  at: string,
  names: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    const amount = textIn(amounts, name);
    if (amount === "" || !isQuantity(amount) || quantityToBigInt(amount, -3) % 1000n === 0n) return [];
    return [
      `${at}[${name}]: fractional byte value ${goQuote(canonicalQuantity(amount))} is invalid, must be an integer`,
    ];
  });
}

/** Returns the warnings about the specification of a claim. */
export function claimSpecWarnings(spec: MutableJsonObject | undefined, at: string): readonly string[] {
  const resources = objectIn(spec, "resources");
  return ["requests", "limits"].flatMap((part) =>
    byteWarnings(objectIn(resources, part), `${at}.resources.${part}`, ["storage"]),
  );
}
