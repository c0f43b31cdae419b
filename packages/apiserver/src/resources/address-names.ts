import { isIP, isIPv6 } from "node:net";

/** Returns what is wrong with the name of an IPAddress, which is an address in canonical form. */
export function addressNameErrors(name: string): readonly string[] {
  if (isIP(name) === 0 || name.includes("%")) {
    const hasZeros = isIP(withoutZeros(name)) === 4;
    return [hasZeros ? "must not have leading 0s" : "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  }
  if (!isIPv6(name)) return [];
  // The address as a host is in the form of RFC 5952.
  const canonical = new URL(`http://[${name}]`).hostname.slice(1, -1);
  if (canonical.startsWith("::ffff:")) return ["must not be an IPv4-mapped IPv6 address"];
  return canonical === name ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`];
}

function withoutZeros(name: string): string {
  return name
    .split(".")
    .map((part) => part.replace(/^0+(?=\d)/u, ""))
    .join(".");
}
