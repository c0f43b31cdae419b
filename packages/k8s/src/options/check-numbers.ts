import { NumericOptionError } from "./errors.ts";

/** The values that a numeric option may have. */
export type NumberRule =
  /** Any number; the option documents the meaning of negative numbers and infinity. */
  | "number"
  /** Any number but infinity; the option documents the meaning of negative numbers. */
  | "finite"
  /** A number of milliseconds, or of anything else that has fractions, from zero to infinity. */
  | "duration"
  /** An integer; the option documents the meaning of negative ones. */
  | "integer"
  /** An integer that is not negative. */
  | "count"
  /** An integer above zero: how many are taken at once. */
  | "size"
  /** A number of milliseconds above zero: what repeats after it would otherwise repeat without end. */
  | "interval"
  /** The number of a port; 0 stands for any free one. */
  | "port";

/** The rules of the numeric options among the properties of `T`. */
export type NumberRules<T extends object> = { readonly [name in keyof T]?: NumberRule };

/**
 * Checks numeric options before anything starts, since `NaN`, a string, or a `bigint` would otherwise fail in a timer, or loop without a delay.
 *
 * Fails: {@link NumericOptionError} for the first value that violates its rule.
 */
export function checkNumbers<T extends object>(owner: string, options: T, rules: NumberRules<T>): void {
  for (const name of Object.keys(rules) as (keyof T & string)[]) {
    const value: unknown = options[name];
    const rule = rules[name];
    if (value === undefined || rule === undefined) continue;
    if (typeof value !== "number") throw new NumericOptionError(name, owner, DESCRIPTIONS[rule], describe(value));
    if (!HOLDS[rule](value)) throw new NumericOptionError(name, owner, DESCRIPTIONS[rule], String(value));
  }
}

const DESCRIPTIONS: Readonly<Record<NumberRule, string>> = {
  number: "a number",
  finite: "a finite number",
  duration: "a number that is not negative",
  integer: "an integer",
  count: "an integer that is not negative",
  size: "an integer above zero",
  interval: "a number above zero",
  port: "an integer from 0 to 65535",
};

const HOLDS: Readonly<Record<NumberRule, (value: number) => boolean>> = {
  number: (value) => !Number.isNaN(value),
  finite: Number.isFinite,
  duration: (value) => value >= 0,
  integer: Number.isSafeInteger,
  count: (value) => Number.isSafeInteger(value) && value >= 0,
  size: (value) => Number.isSafeInteger(value) && value > 0,
  interval: (value) => value > 0,
  port: (value) => Number.isSafeInteger(value) && value >= 0 && value <= HIGHEST_PORT,
};

const HIGHEST_PORT = 65_535;
const LONGEST_TEXT = 40;

function describe(value: unknown): string {
  if (typeof value === "bigint") return `the bigint ${String(value).slice(0, LONGEST_TEXT)}n`;
  if (typeof value === "string" && value.length <= LONGEST_TEXT) return `the string ${JSON.stringify(value)}`;
  return value === null ? "null" : `a value of type ${typeof value}`;
}
