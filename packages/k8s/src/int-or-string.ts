import { ScaffoldError } from "./failures/errors.ts";
import type { int32 } from "./json/scalars.ts";

/** A number or a string, such as a port by number or name, or an amount as a count or a percentage. */
export type IntOrString = int32 | string;

/**
 * Thrown when a string is not a percentage.
 *
 * Fix: Use an integer or a percentage such as `25%`.
 */
export class PercentError extends ScaffoldError {
  readonly code = "INT_OR_STRING_BAD_PERCENT";

  constructor(value: string) {
    super(`invalid value for IntOrString: invalid type: string is not a percentage: ${JSON.stringify(value)}`, {
      hint: "write an integer or a percentage such as 25%",
    });
  }
}

/** The rounding of a percentage. */
export interface ScaledValueOptions {
  /** The number that equals 100%. */
  readonly total: number;
  /** The direction in which a fraction is rounded. */
  readonly rounding: "up" | "down";
}

/**
 * Returns a number as it is, and a percentage as that share of a total: `maxSurge` and its like.
 *
 * Fails: {@link PercentError} for a string that is no percentage.
 *
 * @example
 * scaledValue("25%", { total: 10, rounding: "up" }); // 3
 */
export function scaledValue(value: IntOrString, { total, rounding }: ScaledValueOptions): number {
  if (typeof value === "number") return value;
  const percent = /^([-+]?\d+)%$/.exec(value)?.[1];
  if (percent === undefined) throw new PercentError(value);
  const share = (Number(percent) * total) / 100;
  return rounding === "up" ? Math.ceil(share) : Math.floor(share);
}
