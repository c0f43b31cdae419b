import { BlockList, isIP } from "node:net";

/** Reports whether a range of addresses lies in another one and is smaller; both must be valid. */
export function isStrictSubset(range: string, outer: string): boolean {
  const [address = "", bits = "0"] = range.split("/");
  const [outerAddress = "", outerBits = "0"] = outer.split("/");
  const [inside, network] = [canonicalAddress(address), canonicalAddress(outerAddress)];
  const family = addressFamily(inside);
  // The lengths are compared as they are stated, also those of IPv4 in the form of IPv6.
  if (family !== addressFamily(network) || Number(outerBits) >= Number(bits)) return false;
  const isMapped = family === 4 && addressFamily(outerAddress) === 6;
  const name = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(network, isMapped ? Math.max(0, Number(outerBits) - MAPPED_BITS) : Number(outerBits), name);
  return list.check(inside, name);
}

const MAPPED_BITS = 96;

// Leading zeros are decimal, as in Go before 1.17.
function plain(address: string): string {
  return /^[\d.]+$/.test(address) ? address.replaceAll(/(?<=^|\.)0+(?=\d)/g, "") : address;
}

/** Returns an IP address in its canonical form; the address must be valid. */
export function canonicalAddress(address: string): string {
  if (addressFamily(address) === 4) return plain(address);
  const text = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(text);
  if (mapped === null) return text;
  const [high, low] = [Number.parseInt(mapped[1] ?? "", 16), Number.parseInt(mapped[2] ?? "", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

// The part of an address of IPv6 that makes it one of IPv4.
const MAPPED = 0xffffn << 32n;

/** Returns a range of addresses in its canonical form, with no bits beyond its prefix; the range must be valid. */
export function canonicalRange(range: string): string {
  const [address = "", bits = "0"] = range.split("/");
  const [family, canonical] = [addressFamily(address), canonicalAddress(address)];
  const shift = BigInt((family === 4 ? 32 : 128) - Number(bits));
  const value = addressNumber(canonical) + (family !== addressFamily(canonical) ? MAPPED : 0n);
  const network = canonicalAddress(digitsOf((value >> shift) << shift, family));
  return `${network}/${family === addressFamily(network) ? Number(bits) : Number(bits) - 96}`;
}

/** Returns the 4 or 16 bytes of an IP address; the address must be valid. */
export function addressBytes(address: string): Buffer {
  const canonical = canonicalAddress(address);
  const length = addressFamily(canonical) === 4 ? 4 : 16;
  return Buffer.from(
    addressNumber(canonical)
      .toString(16)
      .padStart(2 * length, "0"),
    "hex",
  );
}

/** Returns an IP address as a number; the address must be in its canonical form. */
export function addressNumber(address: string): bigint {
  if (addressFamily(address) === 4) {
    return address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  }
  const [head = "", tail] = address.split("::");
  const parts = (text: string): readonly string[] => (text === "" ? [] : text.split(":"));
  const [first, last] = [parts(head), parts(tail ?? "")];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => "0");
  return [...first, ...zeros, ...last].reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n);
}

/** Returns the address of a number, in its canonical form. */
export function addressOfNumber(value: bigint, family: 4 | 6): string {
  return family === 4 ? digitsOf(value, family) : canonicalAddress(digitsOf(value, family));
}

function digitsOf(value: bigint, family: 0 | 4 | 6): string {
  const [count, bits] = family === 4 ? [4, 8n] : [8, 16n];
  const parts = Array.from({ length: count }, (_each, index) => {
    const part = (value >> (bits * BigInt(count - 1 - index))) & ((1n << bits) - 1n);
    return part.toString(family === 4 ? 10 : 16);
  });
  return parts.join(family === 4 ? "." : ":");
}

/** Returns 4 or 6 for an IP address, which may have leading zeros, and 0 for any other text. */
export function addressFamily(value: string): 0 | 4 | 6 {
  // Leading zeros are decimal, as in Go before 1.17.
  const address = /^[\d.]+$/.test(value) ? value.replaceAll(/(?<=^|\.)0+(?=\d)/g, "") : value;
  return address.includes("%") ? 0 : (isIP(address) as 0 | 4 | 6);
}

/** Returns 4 or 6 for an IP address, and 0 for any other text; an address of IPv4 in the form of IPv6 is one of IPv4, as in Go. */
export function protocolOf(value: string): 0 | 4 | 6 {
  const family = addressFamily(value);
  return family === 6 ? addressFamily(canonicalAddress(value)) : family;
}

/** Returns a host and a port as in a URL: addresses of IPv6 are in brackets. */
export function hostAndPort(host: string, port: number | string): string {
  return `${host.includes(":") ? `[${host}]` : host}:${String(port)}`;
}
