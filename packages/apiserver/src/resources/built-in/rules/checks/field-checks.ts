import {
  compareQuantities,
  type FieldError,
  invalidField,
  portNameErrors,
  portNumberErrors,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";

import { isEnabled } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { addressFamily, canonicalAddress, canonicalRange, protocolOf } from "../../../address-ranges.ts";
import { integerIn, textIn } from "../../../fields.ts";

/** Returns what a check of texts finds wrong with a value, as errors of a field. */
export function checkedText(
  field: string,
  value: string,
  problemsOf: (value: string) => readonly string[],
): readonly FieldError[] {
  return problemsOf(value).map((problem) => invalidField(field, value, problem));
}

/** Returns an error where a text is empty, and what a check finds wrong with any other. */
export function requiredText(
  field: string,
  value: string,
  problemsOf: (value: string) => readonly string[] = () => [],
): readonly FieldError[] {
  return value === "" ? [requiredField(field)] : checkedText(field, value, problemsOf);
}

/** Returns an error for each of the fields of an object that is absent or empty. */
export function requiredTexts(object: MutableJsonObject, at: string, names: readonly string[]): readonly FieldError[] {
  return names.filter((name) => textIn(object, name) === "").map((name) => requiredField(`${at}.${name}`));
}

/** Returns an error where a value is not one of the supported ones; they are reported in the order of the list. */
export function supportedText(field: string, value: string, supported: readonly string[]): readonly FieldError[] {
  return supported.includes(value) ? [] : [unsupportedField(field, value, supported)];
}

/** Returns an error where a value is empty or not one of the supported ones. */
export function requiredChoice(field: string, value: string, supported: readonly string[]): readonly FieldError[] {
  return value === "" ? [requiredField(field)] : supportedText(field, value, supported);
}

/** Returns an error where a present value is not one of the supported ones. */
export function optionalChoice(field: string, value: unknown, supported: readonly string[]): readonly FieldError[] {
  return typeof value === "string" ? supportedText(field, value, supported) : [];
}

const NEGATIVE = "must be greater than or equal to 0";
const NOT_POSITIVE = "must be greater than zero";

/** Returns an error for each of the fields of an object that has a negative number. */
export function nonNegativeNumbers(
  object: MutableJsonObject | undefined,
  at: string,
  names: readonly string[],
): readonly FieldError[] {
  return names.flatMap((name) => nonNegative(`${at}.${name}`, integerIn(object, name)));
}

/** Returns an error where a number is negative; an absent one is zero. */
export function nonNegative(field: string, value: number | bigint | undefined): readonly FieldError[] {
  return value !== undefined && value < 0 ? [invalidField(field, value, NEGATIVE)] : [];
}

/** Returns an error where a number is not above zero. */
export function positive(field: string, value: number): readonly FieldError[] {
  return value > 0 ? [] : [invalidField(field, value, NOT_POSITIVE)];
}

/** Returns an error where a quantity is negative. */
export function nonNegativeQuantity(field: string, value: string): readonly FieldError[] {
  return compareQuantities(value, "0") < 0 ? [invalidField(field, value, NEGATIVE)] : [];
}

/** Returns an error where a quantity is not above zero. */
export function positiveQuantity(field: string, value: string): readonly FieldError[] {
  return compareQuantities(value, "0") > 0 ? [] : [invalidField(field, value, NOT_POSITIVE)];
}

/** Returns an error where a present number is outside a range. */
export function inRange(
  field: string,
  value: number | bigint | undefined,
  [least, most]: readonly [number, number],
): readonly FieldError[] {
  return value === undefined || (value >= least && value <= most)
    ? []
    : [invalidField(field, value, `must be between ${least} and ${most}, inclusive`)];
}

const FILE_MODES = "must be a number between 0 and 0777 (octal), both inclusive";

/** Returns an error where a present number is no mode of a file. */
export function fileMode(field: string, value: number | undefined): readonly FieldError[] {
  return value === undefined || (value >= 0 && value <= 0o777) ? [] : [invalidField(field, value, FILE_MODES)];
}

const MOST_USERS = 2 ** 31 - 1;

/** Returns an error where the user that owns files is no ID: the field `user` or `defaultUser` of an object. */
export function fileUser(object: MutableJsonObject, field: string): readonly FieldError[] {
  const name = field.slice(field.lastIndexOf(".") + 1);
  return inRange(field, integerIn(object, name), [0, MOST_USERS]);
}

/** Returns what is wrong with a port that is a number or a name. */
export function portNumberOrName(field: string, port: unknown): readonly FieldError[] {
  if (typeof port === "string") return checkedText(field, port, portNameErrors);
  const number = typeof port === "number" ? port : 0;
  return portNumberErrors(number).map((problem) => invalidField(field, number, problem));
}

const IP_DETAIL = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const CIDR_DETAIL = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/** Returns an error where a text is not an IP address; values of the old object are accepted. */
export function ipAddress(field: string, value: string, former: readonly string[] = []): readonly FieldError[] {
  if (former.includes(value)) return [];
  if (addressFamily(value) === 0) return [invalidField(field, value, IP_DETAIL)];
  return isEnabled("StrictIPCIDRValidation")
    ? strictAddressProblems(value).map((problem) => invalidField(field, value, problem))
    : [];
}

function strictAddressProblems(value: string): readonly string[] {
  if (hasLeadingZeros(value)) return ["must not have leading 0s"];
  return isMapped(value) ? ["must not be an IPv4-mapped IPv6 address"] : [];
}

function hasLeadingZeros(address: string): boolean {
  return /(?:^|\.)0\d/u.test(address);
}

function isMapped(address: string): boolean {
  return address.includes(":") && protocolOf(address) === 4;
}

/** Returns an error where a text is not a range of IP addresses; values of the old object are accepted. */
export function addressRange(field: string, value: string, former: readonly string[] = []): readonly FieldError[] {
  if (former.includes(value)) return [];
  if (!isAddressRange(value)) return [invalidField(field, value, CIDR_DETAIL)];
  return isEnabled("StrictIPCIDRValidation")
    ? strictRangeProblems(value).map((problem) => invalidField(field, value, problem))
    : [];
}

function strictRangeProblems(value: string): readonly string[] {
  const [address = "", bits = ""] = value.split("/");
  if (hasLeadingZeros(address) || /^0\d/u.test(bits)) return ["must not have leading 0s in IP or prefix length"];
  if (isMapped(address)) return ["must not have an IPv4-mapped IPv6 address"];
  const [network] = canonicalRange(value).split("/");
  return network === canonicalAddress(address) ? [] : ["must not have bits set beyond the prefix length"];
}

/** Reports whether a text is a range of IP addresses. */
export function isAddressRange(value: string): boolean {
  const [address = "", bits = "", ...others] = value.split("/");
  const family = addressFamily(address);
  return others.length === 0 && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Returns an error where a path leads out of its folder. */
export function withoutBacksteps(field: string, value: string): readonly FieldError[] {
  return value.split("/").includes("..") ? [invalidField(field, value, "must not contain '..'")] : [];
}

/** Returns an error where a path is absolute, or leads out of its folder. */
export function descendingPath(field: string, value: string): readonly FieldError[] {
  return [
    ...(value.startsWith("/") ? [invalidField(field, value, "must be a relative path")] : []),
    ...withoutBacksteps(field, value),
  ];
}

/** Returns an error where a path is absolute, leads out of its folder, or starts with two dots. */
export function unreservedPath(field: string, value: string): readonly FieldError[] {
  const isReserved = value.startsWith("..") && !value.startsWith("../");
  return [
    ...descendingPath(field, value),
    ...(isReserved ? [invalidField(field, value, "must not start with '..'")] : []),
  ];
}

/** Returns the errors of each item of a list. */
export function eachItem<Item>(
  items: readonly Item[],
  at: string,
  errorsOf: (item: Item, at: string, index: number) => readonly FieldError[],
): readonly FieldError[] {
  return items.flatMap((item, index) => errorsOf(item, `${at}[${index}]`, index));
}
