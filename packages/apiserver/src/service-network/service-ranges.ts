import { ScaffoldError } from "@kubescaffold/k8s";

import { canonicalRange } from "../resources/address-ranges.ts";
import { isAddressRange } from "../resources/built-in/rules/checks/field-checks.ts";
import { familyOf } from "../resources/built-in/rules/core/service-ranges.ts";

/** The ranges of Service addresses of a server without the option. */
const DEFAULT_RANGES: readonly [string] = ["10.0.0.0/24"];

const FEWEST_FREE_BITS = 3;
const BITS = { IPv4: 32, IPv6: 128 } as const;
const SHORTEST_IPV6_PREFIX = 64;

/** Returns the ranges of Service addresses in their canonical form, as kube-apiserver reads `--service-cluster-ip-range`. Fails: {@link ServiceRangeError}. */
export function readServiceRanges(ranges: readonly string[] = DEFAULT_RANGES): readonly [string, ...string[]] {
  if (ranges === DEFAULT_RANGES) return DEFAULT_RANGES;
  const [first, ...others] = ranges.map(readRange);
  if (first === undefined) throw new ServiceRangeError("cannot serve Services without a range of addresses");
  const [second, third] = others;
  if (third !== undefined) {
    throw new ServiceRangeError(`cannot use ${third} as a third range of Service addresses: there are at most two`);
  }
  if (second !== undefined && familyOf(first) === familyOf(second)) {
    throw new ServiceRangeError(
      `cannot use ${first} and ${second} as ranges of Service addresses: both are of ${familyOf(first)}`,
    );
  }
  return [first, ...others];
}

function readRange(text: string): string {
  const refuse = (reason: string): ServiceRangeError =>
    new ServiceRangeError(`cannot use ${JSON.stringify(text)} as a range of Service addresses: ${reason}`);
  if (!isAddressRange(text)) throw refuse("it is not a CIDR");
  const range = canonicalRange(text);
  const [family, bits] = [familyOf(range), Number(range.split("/")[1])];
  if (BITS[family] - bits < FEWEST_FREE_BITS) throw refuse("it has fewer than 8 addresses");
  if (family === "IPv6" && bits < SHORTEST_IPV6_PREFIX) {
    throw refuse(`its prefix is shorter than ${String(SHORTEST_IPV6_PREFIX)} bits`);
  }
  return range;
}

/**
 * Thrown for ranges of Service addresses that kube-apiserver does not start with, either.
 *
 * Fix: State one range, or one of each family, with the default family first.
 */
export class ServiceRangeError extends ScaffoldError {
  readonly code = "APISERVER_SERVICE_RANGE";

  constructor(message: string) {
    super(message, { hint: "use one range, or one of each family, such as 10.0.0.0/24 and fd00::/108" });
  }
}
