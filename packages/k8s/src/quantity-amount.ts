/** The notation of an amount: `12M`, `12Mi` or `12e6`. */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

/** An exact amount, `unscaled * 10^scale`, and its notation. */
export interface QuantityAmount {
  /** The digits as an integer. */
  readonly unscaled: bigint;
  /** The power of ten by which the digits are multiplied. */
  readonly scale: number;
  /** The family of suffixes that the quantity is printed with. */
  readonly format: QuantityFormat;
  /** The text it was read from, where upstream takes it for canonical as it is. */
  readonly text?: string;
}
