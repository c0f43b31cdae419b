import { type CelType, opaqueType } from "./cel-type.ts";
import { CelError, CelObject, type CelValue } from "./cel-value.ts";
import { noSuchOverload } from "./equality.ts";

const IP_TYPE = opaqueType("net.IP");
const CIDR_TYPE = opaqueType("net.CIDR");

/** Is an IP address, of 4 or 16 bytes. */
export class CelIp extends CelObject {
  readonly type: CelType = IP_TYPE;
  readonly bytes: readonly number[];

  constructor(bytes: readonly number[]) {
    super();
    this.bytes = bytes;
  }

  get isVersion4(): boolean {
    return this.bytes.length === 4;
  }

  override size(): bigint {
    return BigInt(this.bytes.length);
  }

  equals(other: CelValue): boolean | CelError {
    return other instanceof CelIp ? sameBytes(this.bytes, other.bytes) : noSuchOverload();
  }

  override toString(): string {
    return this.isVersion4 ? this.bytes.join(".") : formatVersion6(this.bytes);
  }
}

/** A range of addresses: one of them, and how many of its bits are fixed. */
export class CelCidr extends CelObject {
  readonly type: CelType = CIDR_TYPE;
  readonly address: CelIp;
  readonly bits: number;

  constructor(address: CelIp, bits: number) {
    super();
    this.address = address;
    this.bits = bits;
  }

  override size(): bigint {
    return BigInt(Math.ceil(this.bits / 8));
  }

  equals(other: CelValue): boolean | CelError {
    if (!(other instanceof CelCidr)) return noSuchOverload();
    return this.bits === other.bits && this.address.equals(other.address);
  }

  contains(ip: CelIp): boolean {
    const { bytes } = this.address;
    return ip.bytes.length === bytes.length && sameBytes(mask(ip.bytes, this.bits), mask(bytes, this.bits));
  }

  masked(): CelCidr {
    return new CelCidr(new CelIp(mask(this.address.bytes, this.bits)), this.bits);
  }

  override toString(): string {
    return `${String(this.address)}/${String(this.bits)}`;
  }
}

function sameBytes(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

function mask(bytes: readonly number[], bits: number): readonly number[] {
  return bytes.map((byte, index) => {
    const kept = Math.min(Math.max(bits - index * 8, 0), 8);
    return byte & (0xff << (8 - kept)) & 0xff;
  });
}

function formatVersion6(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0));
  const [start, length] = longestZeros(groups);
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(":");
  return length < 2 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}

function longestZeros(groups: readonly number[]): readonly [start: number, length: number] {
  let best: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > best[1]) best = [start, end - start];
  }
  return best;
}

/** Reads an address as rules may use one: no zone, no IPv4 in IPv6. */
export function readIp(text: string): CelIp | CelError {
  const bytes = parseAddress(text);
  if (typeof bytes === "string") {
    const reason = `ParseAddr(${JSON.stringify(text)}): ${bytes}`;
    return new CelError(`IP Address ${JSON.stringify(text)} parse error during conversion from string: ${reason}`);
  }
  if (text.includes("%")) return new CelError(`IP address ${JSON.stringify(text)} with zone value is not allowed`);
  if (isMapped(bytes)) return new CelError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return new CelIp(bytes);
}

const CIDR_PROBLEM = "network address parse error during conversion from string: ";

/** Reads a range as rules may use one. */
export function readCidr(text: string): CelCidr | CelError {
  const range = parsePrefix(text);
  if (typeof range === "string") {
    return new CelError(`${CIDR_PROBLEM}${CIDR_PROBLEM}netip.ParsePrefix(${JSON.stringify(text)}): ${range}`);
  }
  if (!isMapped(range.address.bytes)) return range;
  return new CelError(`${CIDR_PROBLEM}IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
}

function isMapped(bytes: readonly number[]): boolean {
  return (
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  );
}

function parsePrefix(text: string): CelCidr | string {
  const slash = text.lastIndexOf("/");
  if (slash < 0) return "no '/'";
  const [addressText, bitsText] = [text.slice(0, slash), text.slice(slash + 1)];
  const bytes = parseAddress(addressText);
  if (typeof bytes === "string") return `ParseAddr(${JSON.stringify(addressText)}): ${bytes}`;
  if (addressText.includes("%")) return "IPv6 zones cannot be present in a prefix";
  if (!/^(?:0|[1-9]\d*)$/.test(bitsText)) return `bad bits after slash: ${JSON.stringify(bitsText)}`;
  const bits = Number(bitsText);
  return bits > bytes.length * 8 ? "prefix length out of range" : new CelCidr(new CelIp(bytes), bits);
}

// Returns the bytes, or what is wrong in Go's words.
function parseAddress(text: string): readonly number[] | string {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === ".") return parseVersion4(text);
  if (first === ":") return parseVersion6(text);
  return first === "%" ? "missing IPv6 address" : "unable to parse IP";
}

function parseVersion4(text: string): readonly number[] | string {
  const fields = text.split(".");
  for (const field of fields) {
    if (/\D/.test(field)) return "unexpected character";
    if (field === "") return "IPv4 field must have at least one digit";
    if (field.length > 1 && field.startsWith("0")) return "IPv4 field has octet with leading zero";
    if (Number(field) > 255) return "IPv4 field has value >255";
  }
  if (fields.length === 4) return fields.map(Number);
  return fields.length < 4 ? "IPv4 address too short" : "IPv4 address too long";
}

function parseVersion6(text: string): readonly number[] | string {
  const [address = "", zone] = text.split("%", 2);
  if (zone === "") return "zone must be a non-empty string";
  const halves = address.split("::");
  if (halves.length > 2) return `multiple :: in address (at ${JSON.stringify(`:${halves.slice(2).join("::")}`)})`;
  const [before, after] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const [head, tail] = [groupBytes(before ?? [], after === undefined), groupBytes(after ?? [], true)];
  if (typeof head === "string") return head;
  if (typeof tail === "string") return tail;
  const count = head.length + tail.length;
  if (after === undefined)
    return count === 16 ? head : count < 16 ? "address string too short" : "trailing garbage after address";
  if (count >= 16) return "the :: must expand to at least one field of zeros";
  return [...head, ...Array.from({ length: 16 - count }, () => 0), ...tail];
}

function groupBytes(groups: readonly string[], mayEndInVersion4: boolean): readonly number[] | string {
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    if (group.includes(".") && mayEndInVersion4 && index === groups.length - 1) {
      const last = parseVersion4(group);
      if (typeof last === "string") return last;
      bytes.push(...last);
      continue;
    }
    if (!/^[0-9a-fA-F]+$/.test(group)) return "each colon-separated field must have at least one digit";
    if (group.length > 4)
      return `each group must have 4 or less digits (at ${JSON.stringify(groups.slice(index).join(":") + (groups.length === 1 ? "::" : ""))})`;
    const value = Number.parseInt(group, 16);
    bytes.push(value >> 8, value & 0xff);
  }
  return bytes;
}
