import { type FieldError, invalidField } from "@kubescaffold/k8s";

const NEGATIVE = "must be greater than or equal to 0";
const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Returns what is wrong with a value that is a number or a percentage, such as `maxSurge`. */
export function numberOrPercent(field: string, value: unknown): readonly FieldError[] {
  if (typeof value === "string") return isPercent(value) ? [] : [invalidField(field, value, PERCENT)];
  const number = typeof value === "number" ? value : 0;
  return number < 0 ? [invalidField(field, number, NEGATIVE)] : [];
}

/** Returns an error where a value is a percentage above 100. */
export function percentAbove(field: string, value: unknown): readonly FieldError[] {
  return typeof value === "string" && isPercent(value) && Number.parseInt(value, 10) > 100
    ? [invalidField(field, value, "must not be greater than 100%")]
    : [];
}

/** Returns the number in front of the percent sign, or the number itself; 0 for any other text. */
export function valueOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return 0;
  return isPercent(value) || /^[+-]?\d+$/.test(value) ? Number.parseInt(value, 10) : 0;
}

function isPercent(value: string): boolean {
  return /^\d+%$/.test(value);
}
