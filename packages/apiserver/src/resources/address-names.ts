import { addressFamily, canonicalAddress } from "./address-ranges.ts";

/** Returns the reasons why a text cannot name an IPAddress. */
export function addressNameErrors(name: string): readonly string[] {
  if (addressFamily(name) === 0) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  if (/(^|\.)0\d/.test(name)) return ["must not have leading 0s"];
  const canonical = canonicalAddress(name);
  if (canonical === name) return [];
  return canonical.includes(".")
    ? ["must not be an IPv4-mapped IPv6 address"]
    : [`must be in canonical form (${JSON.stringify(canonical)})`];
}
