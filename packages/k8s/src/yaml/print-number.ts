// The shortest digits of -2^63 itself lie below the range of 64 bits.
const BELOW_INTEGERS = -(2 ** 63);
const ABOVE_INTEGERS = 2 ** 64;

/** Prints a finite number as yaml.v2 does after JSON: integers in full, fractions with an exponent from a million on. */
export function printNumber(value: number): string {
  if (Object.is(value, -0)) return "0";
  if (Number.isInteger(value) && value > BELOW_INTEGERS && value < ABOVE_INTEGERS) return String(value);
  const [mantissa = "0", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) return `${mantissa}e${printExponent(exponent)}`;
  return String(exponent < 0 ? withoutExponent(mantissa, exponent) : value);
}

function printExponent(exponent: number): string {
  return `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function withoutExponent(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith("-") ? "-" : "";
  return `${sign}0.${"0".repeat(-exponent - 1)}${mantissa.replace(/[-.]/g, "")}`;
}
