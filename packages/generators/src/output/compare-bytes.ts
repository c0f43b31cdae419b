/** Compares two texts as Go does, by their bytes in UTF-8, for sorting. */
export function compareBytes(left: string, right: string): number {
  if (left === right) return 0;
  // Without surrogates the code units of both are in the order of their bytes.
  if (!SURROGATE.test(left) && !SURROGATE.test(right)) return left < right ? -1 : 1;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

const SURROGATE = /[\uD800-\uDFFF]/;
