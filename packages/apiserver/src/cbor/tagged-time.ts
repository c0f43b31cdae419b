import { goQuote } from "@kubescaffold/k8s";

import { MalformedCborError } from "./malformed-cbor.ts";

/**
 * Returns the text in RFC 3339 of a time with a tag, which is a text or a number of seconds since 1970.
 *
 * Fails: {@link MalformedCborError} when there is no such time.
 */
export function taggedTime(value: unknown): string {
  if (typeof value === "string") return timeOfText(value);
  return timeOfSeconds(typeof value === "bigint" ? value : (value as number));
}

const RFC_3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/u;

function timeOfText(text: string): string {
  const [, seconds, fraction = "", zone] = RFC_3339.exec(text) ?? [];
  if (seconds === undefined || Number.isNaN(Date.parse(`${seconds}${zone ?? ""}`))) {
    throw new MalformedCborError(
      `cbor: cannot set ${text} for time.Time: parsing time ${goQuote(text)} as ${goQuote(LAYOUT)}: cannot parse ${goQuote(text)} as "2006"`,
    );
  }
  return `${seconds}${fractionOf(fraction)}${zone === "+00:00" ? "Z" : (zone ?? "")}`;
}

const LAYOUT = "2006-01-02T15:04:05Z07:00";

const NANO_DIGITS = 9;

function timeOfSeconds(value: number | bigint): string {
  const whole = typeof value === "bigint" ? value : BigInt(Math.trunc(value));
  const nanos = typeof value === "bigint" ? 0 : Math.trunc((value - Math.trunc(value)) * 1e9);
  const seconds = Number(whole) + Math.floor(nanos / 1e9);
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) {
    throw new MalformedCborError(
      "cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]",
    );
  }
  const text = new Date(seconds * 1000).toISOString().slice(0, "2006-01-02T15:04:05".length);
  const fraction = String(nanos - Math.floor(nanos / 1e9) * 1e9).padStart(NANO_DIGITS, "0");
  return `${text}${fractionOf(fraction)}Z`;
}

function fractionOf(digits: string): string {
  let end = Math.min(digits.length, NANO_DIGITS);
  while (digits[end - 1] === "0") end -= 1;
  return end === 0 ? "" : `.${digits.slice(0, end)}`;
}

const FIRST_SECOND = Date.parse("0000-01-01T00:00:00Z") / 1000;
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
