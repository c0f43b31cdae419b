import { isIPv4 } from "node:net";

import { isConditionTrue } from "@kubescaffold/k8s";
import type { ServiceCIDR } from "@kubescaffold/k8s/networking/v1";

import type { ObjectReader } from "../../../storage/object-reader.ts";

const RANGES = { group: "networking.k8s.io", resource: "servicecidrs" } as const;
const DEFAULT_RANGE = "10.0.0.0/24";
const ALL_BITS = 32;

/** A range of IPv4 addresses as numbers. */
interface AddressRange {
  /** The first address, which names the network. */
  readonly network: number;
  /** The last address that a Service can have. */
  readonly last: number;
  /** The first address that is given without a request. */
  readonly firstDynamic: number;
}

/** Returns the ranges that Services get addresses from: that of the server, then those of ServiceCIDRs that are ready. */
export function serviceRanges(objects: ObjectReader): readonly AddressRange[] {
  const ready = (objects.list(RANGES) as unknown as readonly ServiceCIDR[]).filter(
    ({ metadata, status }) => metadata.deletionTimestamp === undefined && isConditionTrue(status?.conditions, "Ready"),
  );
  const ranges = new Set([DEFAULT_RANGE, ...ready.flatMap(({ spec }) => spec?.cidrs ?? [])]);
  return [...ranges].filter((range) => isIPv4(range.split("/")[0] ?? "")).map(rangeOf);
}

// Kubernetes leaves the first addresses to requests: a sixteenth of the range, between 16 and 256.
function rangeOf(text: string): AddressRange {
  const [address = "", bits = ""] = text.split("/");
  const size = 2 ** (ALL_BITS - Number(bits));
  const network = numberOf(address);
  const reserved = Math.min(256, Math.max(16, Math.floor(size / 16)));
  return { network, last: network + size - 2, firstDynamic: network + (size < 16 ? 0 : reserved) + 1 };
}

/** Reports whether a Service can have an address of these ranges. */
export function isInRanges(ranges: readonly AddressRange[], address: string): boolean {
  if (!isIPv4(address)) return false;
  const number = numberOf(address);
  return ranges.some(({ network, last }) => number > network && number <= last);
}

/** Returns the first address that is free, beginning with those that are not left to requests. */
export function freeAddress(ranges: readonly AddressRange[], taken: ReadonlySet<string>): string | undefined {
  for (const { network, last, firstDynamic } of ranges) {
    for (const [first, end] of [
      [firstDynamic, last + 1],
      [network + 1, firstDynamic],
    ] as const) {
      for (let number = first; number < end; number += 1) {
        const address = addressOf(number);
        if (!taken.has(address)) return address;
      }
    }
  }
  return undefined;
}

function numberOf(address: string): number {
  return address.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}

function addressOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
}
