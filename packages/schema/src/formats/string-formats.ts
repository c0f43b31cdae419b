import { isBase64 } from "./base64.ts";
import { readFormatNanoseconds } from "./durations.ts";
import { isEmail } from "./email.ts";
import { isCidr, isHostname, isIpv4, isIpv6, isMac, isRequestUri } from "./network.ts";

type FormatChecker = (text: string) => boolean;

const CHECKERS: Readonly<Record<string, FormatChecker>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  byte: isBase64,
  cidr: isCidr,
  creditcard: isCreditCard,
  date: isDate,
  datetime: isDateTime,
  duration: (text) => readFormatNanoseconds(text) !== undefined,
  email: isEmail,
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  k8slongname: (text) =>
    text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  mac: isMac,
  password: () => true,
  rgbcolor: isRgbColor,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  uri: isRequestUri,
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
};

/** Returns the check of a format, or undefined for a format that servers ignore; dashes in the name do not count. */
export function checkerOf(format: string): FormatChecker | undefined {
  const name = format.replaceAll("-", "");
  return Object.hasOwn(CHECKERS, name) ? CHECKERS[name] : undefined;
}

/** Reports whether servers check strings of a format. */
export function isKnownFormat(format: string): boolean {
  return checkerOf(format) !== undefined;
}

const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

/** Reports whether servers since 1.36 check the values of a type against a format; without a single type, those of strings. */
export function isFormatOfType(format: string, types: readonly string[]): boolean {
  const type = types.length === 1 ? types[0] : "string";
  if (type === "string") return isKnownFormat(format);
  return NUMBER_FORMATS[type ?? ""]?.includes(format) === true;
}

const CHANNEL = /^[\t\n\f\r ]*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*$/;

function isRgbColor(text: string): boolean {
  const channels = text.slice(4, -1).split(",", 4);
  return (
    text.startsWith("rgb(") &&
    text.endsWith(")") &&
    channels.length === 3 &&
    channels.every((channel) => CHANNEL.test(channel))
  );
}

const CARD_NUMBERS =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Reports whether a text holds the number of a credit card, with anything between the digits. */
function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, "");
  return CARD_NUMBERS.test(digits) && luhnSum(digits) % 10 === 0;
}

function luhnSum(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighted = index % 2 === 1 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum;
}

/** Reports whether a text is an ISBN of ten digits. */
function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) {
    return false;
  }
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + (index + 1) * (digit === "X" ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

/** Reports whether a text is an ISBN of thirteen digits. */
function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^[0-9]{13}$/.test(digits)) {
    return false;
  }
  const sum = Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

function withoutSeparators(text: string): string {
  return text.replaceAll(/[\t\n\f\r -]+/g, "");
}

/** Reports whether a text is a calendar date of the form `2006-01-02`. */
function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) {
    return false;
  }
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** Reports whether a text is a date and time of RFC 3339, as loosely as upstream reads it. */
function isDateTime(text: string): boolean {
  const [date = "", time] = text.toLowerCase().split("t");
  if (text.length < 4 || time === undefined || !isDate(date)) {
    return false;
  }
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time);
  return match !== null && (match[1] ?? "") <= "23" && (match[2] ?? "") <= "59" && (match[3] ?? "") <= "59";
}
