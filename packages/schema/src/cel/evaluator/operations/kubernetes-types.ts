import {
  addAmounts,
  compareAmounts,
  negateAmount,
  parseQuantity,
  type QuantityAmount,
  QuantityError,
  signOfAmount,
} from "@kubescaffold/k8s";

import { CelCidr, CelIp, readCidr, readIp } from "../../values/address.ts";
import { CelArray } from "../../values/cel-list.ts";
import { CelDictionary } from "../../values/cel-map.ts";
import { CelOptional, NO_VALUE, optionalValue } from "../../values/cel-optional.ts";
import { CelQuantity } from "../../values/cel-quantity.ts";
import { CelError, type CelValue } from "../../values/cel-value.ts";
import { noSuchOverload } from "../../values/equality.ts";
import { CelFormat, NAMED_FORMATS } from "../../values/named-format.ts";
import { CelSemver, readSemver } from "../../values/semver.ts";
import { CelUrl, readQuery, readUrl } from "../../values/url.ts";
import type { Invoke, Operations } from "./invoke.ts";

type Class<T> = abstract new (...args: never[]) => T;

// The guards of overloads have looked at the types already.
function on<T extends CelValue>(type: Class<T>, work: (value: T, argument: CelValue) => CelValue): Invoke {
  return (value, argument = null) => (value instanceof type ? work(value, argument) : noSuchOverload());
}

function onTwo<T extends CelValue>(type: Class<T>, work: (value: T, other: T) => CelValue): Invoke {
  return on(type, (value, other) => (other instanceof type ? work(value, other) : noSuchOverload()));
}

/** Implements quantities. */
export const QUANTITIES: Operations = {
  string_to_quantity: (text) => readQuantity(String(text)),
  is_quantity_string: (text) => readQuantity(String(text)) instanceof CelQuantity,
  quantity_sign: on(CelQuantity, ({ amount }) => BigInt(signOfAmount(amount))),
  quantity_is_greater_than: onTwo(CelQuantity, (left, right) => compareAmounts(left.amount, right.amount) > 0),
  quantity_is_less_than: onTwo(CelQuantity, (left, right) => compareAmounts(left.amount, right.amount) < 0),
  quantity_compare_to: onTwo(CelQuantity, (left, right) =>
    BigInt(Math.sign(compareAmounts(left.amount, right.amount))),
  ),
  quantity_get_float: on(CelQuantity, ({ amount }) => approximate(amount)),
  quantity_get_int: on(CelQuantity, ({ whole }) => whole ?? new CelError("cannot convert value to integer")),
  quantity_is_integer: on(CelQuantity, ({ whole }) => whole !== undefined),
  quantity_add: onTwo(CelQuantity, (left, right) => new CelQuantity(addAmounts(left.amount, right.amount))),
  quantity_add_int: on(CelQuantity, (left, right) => new CelQuantity(addAmounts(left.amount, amountOf(right)))),
  quantity_sub: onTwo(
    CelQuantity,
    (left, right) => new CelQuantity(addAmounts(left.amount, negateAmount(right.amount))),
  ),
  quantity_sub_int: on(
    CelQuantity,
    (left, right) => new CelQuantity(addAmounts(left.amount, negateAmount(amountOf(right)))),
  ),
};

function readQuantity(text: string): CelQuantity | CelError {
  try {
    return new CelQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) return new CelError(error.reason);
    throw error;
  }
}

function amountOf(value: CelValue): QuantityAmount {
  return { unscaled: typeof value === "bigint" ? value : 0n, scale: 0, format: "DecimalExponent" };
}

// A number holds less; the conversion of many digits takes more than linear time.
const BEYOND_NUMBERS: QuantityAmount = { unscaled: 1n, scale: 400, format: "DecimalSI" };

function approximate(amount: QuantityAmount): number {
  const sign = signOfAmount(amount);
  const magnitude = sign < 0 ? negateAmount(amount) : amount;
  if (compareAmounts(magnitude, BEYOND_NUMBERS) > 0) return sign * Infinity;
  const { unscaled, scale } = amount;
  return scale === 0 ? Number(unscaled) : Number(unscaled) * Number(`1e${String(scale)}`);
}

/** Implements addresses and their ranges. */
export const ADDRESSES: Operations = {
  string_to_ip: (text) => readIp(String(text)),
  is_ip: (text) => readIp(String(text)) instanceof CelIp,
  ip_is_canonical: (text) => {
    const ip = readIp(String(text));
    return ip instanceof CelError ? ip : String(ip) === text;
  },
  ip_to_string: on(CelIp, (ip) => String(ip)),
  ip_family: on(CelIp, ({ isVersion4 }) => (isVersion4 ? 4n : 6n)),
  ip_is_unspecified: on(CelIp, isUnspecified),
  ip_is_loopback: on(CelIp, isLoopback),
  ip_is_link_local_multicast: on(CelIp, ({ bytes: [a = 0, b = 0, c = 0], isVersion4 }) =>
    isVersion4 ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 2,
  ),
  ip_is_link_local_unicast: on(CelIp, isLinkLocalUnicast),
  ip_is_global_unicast: on(CelIp, isGlobalUnicast),
  string_to_cidr: (text) => readCidr(String(text)),
  is_cidr: (text) => readCidr(String(text)) instanceof CelCidr,
  cidr_to_string: on(CelCidr, (cidr) => String(cidr)),
  cidr_ip: on(CelCidr, ({ address }) => address),
  cidr_prefix_length: on(CelCidr, ({ bits }) => BigInt(bits)),
  cidr_masked: on(CelCidr, (cidr) => cidr.masked()),
  cidr_contains_ip_ip: on(CelCidr, containsIp),
  cidr_contains_ip_string: on(CelCidr, (cidr, text) => containsIp(cidr, readIp(String(text)))),
  cidr_contains_cidr: on(CelCidr, containsCidr),
  cidr_contains_cidr_string: on(CelCidr, (cidr, text) => containsCidr(cidr, readCidr(String(text)))),
};

function isUnspecified({ bytes }: CelIp): boolean {
  return bytes.every((byte) => byte === 0);
}

function isLoopback({ bytes, isVersion4 }: CelIp): boolean {
  return isVersion4 ? bytes[0] === 127 : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

function isLinkLocalUnicast({ bytes: [a = 0, b = 0], isVersion4 }: CelIp): boolean {
  return isVersion4 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80;
}

function isGlobalUnicast(ip: CelIp): boolean {
  const [first = 0] = ip.bytes;
  const isMulticast = ip.isVersion4 ? (first & 0xf0) === 224 : first === 0xff;
  const isBroadcast = ip.isVersion4 && ip.bytes.every((byte) => byte === 255);
  return !isUnspecified(ip) && !isLoopback(ip) && !isMulticast && !isLinkLocalUnicast(ip) && !isBroadcast;
}

// A text that is no address makes the overload wrong, as upstream has it.
function containsIp(cidr: CelCidr, ip: CelValue): CelValue {
  return ip instanceof CelIp ? cidr.contains(ip) : noSuchOverload();
}

function containsCidr(cidr: CelCidr, other: CelValue): CelValue {
  if (!(other instanceof CelCidr)) return other instanceof CelError ? other : noSuchOverload();
  return cidr.bits <= other.bits && cidr.contains(other.address);
}

/** Implements URLs, versions and named formats. */
export const NAMES: Operations = {
  string_to_url: (text) => readUrl(String(text)),
  is_url_string: (text) => readUrl(String(text)) instanceof CelUrl,
  url_get_scheme: on(CelUrl, ({ scheme }) => scheme),
  url_get_host: on(CelUrl, ({ host }) => host),
  url_get_hostname: on(CelUrl, ({ hostname }) => hostname),
  url_get_port: on(CelUrl, ({ port }) => port),
  url_get_escaped_path: on(CelUrl, ({ escapedPath }) => escapedPath),
  url_get_query: on(CelUrl, ({ query = "" }) => {
    return new CelDictionary(Array.from(readQuery(query), ([key, values]) => [key, new CelArray(values)] as const));
  }),
  string_to_semver: (text) => readSemver(String(text), false),
  string_bool_to_semver: (text, isNormalized) => readSemver(String(text), isNormalized === true),
  is_semver_string: (text) => readSemver(String(text), false) instanceof CelSemver,
  is_semver_string_bool: (text, isNormalized) => readSemver(String(text), isNormalized === true) instanceof CelSemver,
  semver_is_greater_than: onTwo(CelSemver, (left, right) => left.compare(right) > 0),
  semver_is_less_than: onTwo(CelSemver, (left, right) => left.compare(right) < 0),
  semver_compare_to: onTwo(CelSemver, (left, right) => BigInt(left.compare(right))),
  semver_major: on(CelSemver, ({ parts }) => BigInt.asIntN(64, parts.major)),
  semver_minor: on(CelSemver, ({ parts }) => BigInt.asIntN(64, parts.minor)),
  semver_patch: on(CelSemver, ({ parts }) => BigInt.asIntN(64, parts.patch)),
  "format-named": (name) => optionalValue(NAMED_FORMATS.get(String(name))),
  "format-validate": on(CelFormat, (format, text) => {
    const problems = format.validate(String(text));
    return problems.length === 0 ? NO_VALUE : new CelOptional(new CelArray(problems));
  }),
  ...Object.fromEntries(Array.from(NAMED_FORMATS, ([name, format]) => [`format.${name}`, () => format])),
};
