import { goQuote } from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import { addressFamily, canonicalAddress, canonicalRange } from "../../../address-ranges.ts";
import { isAddressRange } from "../checks/field-checks.ts";

function invalidity(): string {
  return since("1.36") ? "is invalid" : "will be considered invalid in a future Kubernetes release";
}

/** Returns a warning about an IP address in another form than the canonical one; none for other texts. */
export function addressWarnings(field: string, value: string): readonly string[] {
  const family = addressFamily(value);
  const canonical = family === 0 ? value : canonicalAddress(value);
  if (canonical === value) return [];
  return addressFamily(canonical) === 4
    ? [`${field}: non-standard IP address ${goQuote(value)} ${invalidity()}: use ${goQuote(canonical)}`]
    : [`${field}: IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`];
}

/** Returns warnings about a range of IP addresses in another form than the canonical one; none for other texts. */
export function rangeWarnings(field: string, value: string): readonly string[] {
  if (!isAddressRange(value)) return [];
  const [address = "", bits = ""] = value.split("/");
  const [canonical, network] = [canonicalAddress(address), canonicalRange(value)];
  const single = `${canonical}/${addressFamily(address) === 4 ? 32 : 128}`;
  const isMapped = addressFamily(address) === 6 && addressFamily(canonical) === 4;
  const hasZeros = /^0\d/u.test(bits) || (addressFamily(address) === 4 && address !== canonical);
  const warnings = [
    ...(network.split("/")[0] === canonical
      ? []
      : [
          `${field}: CIDR value ${goQuote(value)} is ambiguous in this context (should be ${goQuote(network)} or ${goQuote(single)}?)`,
        ]),
    ...(isMapped || hasZeros
      ? [`${field}: non-standard CIDR value ${goQuote(value)} ${invalidity()}: use ${goQuote(network)}`]
      : []),
  ];
  const short = `${canonical}/${Number(bits)}`;
  return warnings.length > 0 || short === value
    ? warnings
    : [`${field}: IPv6 CIDR value ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(short)})`];
}
