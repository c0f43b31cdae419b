import type { IPAddress, ServiceCIDR } from "@kubescaffold/k8s/networking/v1";

import type { ObjectReader } from "../../../../storage/object-reader.ts";
import {
  addressFamily,
  addressNumber,
  addressOfNumber,
  canonicalAddress,
  protocolOf,
} from "../../../address-ranges.ts";

const RANGES = { group: "networking.k8s.io", resource: "servicecidrs" } as const;
const ADDRESSES = { group: "networking.k8s.io", resource: "ipaddresses" } as const;
const MANAGED_BY = "ipaddress.kubernetes.io/managed-by";

/** A family of IP addresses. */
export type IpFamily = "IPv4" | "IPv6";

/** A range of addresses of one family, as numbers. */
interface AddressRange {
  /** The range as text. */
  readonly text: string;
  readonly version: 4 | 6;
  /** The first address, which names the network. */
  readonly network: bigint;
  /** The last address that a Service can have. */
  readonly last: bigint;
  /** The first address that is given without a request. */
  readonly firstDynamic: bigint;
}

/** Returns the family of an address or range. */
export function familyOf(text: string): IpFamily {
  return protocolOf(text.split("/")[0] ?? "") === 6 ? "IPv6" : "IPv4";
}

/** Returns the ranges that Services get addresses of a family from: that of the server, then those of ServiceCIDRs that are ready. */
export function rangesOfFamily(
  objects: ObjectReader,
  ofServer: readonly string[],
  family: IpFamily,
): readonly AddressRange[] {
  const ready = (objects.list(RANGES) as unknown as readonly ServiceCIDR[]).filter(isReady);
  const ranges = new Set([...ofServer, ...ready.flatMap(({ spec }) => spec?.cidrs ?? [])]);
  return [...ranges].filter((range) => familyOf(range) === family).map(rangeOf);
}

// Without the controller that writes the condition, ranges are ready.
function isReady({ metadata, status }: ServiceCIDR): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return metadata.deletionTimestamp === undefined && (ready === undefined || ready.status === "True");
}

// Kubernetes leaves the first addresses to requests: a sixteenth of the range, between 16 and 256. The last address of IPv4 is a broadcast.
function rangeOf(text: string): AddressRange {
  const [address = "", bits = ""] = text.split("/");
  const version = addressFamily(address) === 6 ? 6 : 4;
  const size = 1n << BigInt((version === 4 ? 32 : 128) - Number(bits));
  const network = addressNumber(canonicalAddress(address));
  const sixteenth = size / 16n;
  const reserved = size <= 16n ? 0n : sixteenth < 16n ? 16n : sixteenth > 256n ? 256n : sixteenth;
  const last = network + size - (version === 4 ? 2n : 1n);
  return { text, version, network, last, firstDynamic: network + reserved + 1n };
}

/** Reports whether a Service can have an address of a range. */
export function isInRange({ network, last }: AddressRange, address: string): boolean {
  const number = addressNumber(address);
  return number > network && number <= last;
}

/** Returns the address that names the network of a range. */
export function networkOf({ network, version }: AddressRange): string {
  return addressOfNumber(network, version);
}

/** Returns the first address that is free, beginning with those that are not left to requests. */
export function freeAddress(ranges: readonly AddressRange[], taken: ReadonlySet<string>): string | undefined {
  for (const { network, last, firstDynamic, version } of ranges) {
    for (const [first, end] of [
      [firstDynamic, last + 1n],
      [network + 1n, firstDynamic],
    ] as const) {
      for (let number = first; number < end && number <= last; number += 1n) {
        const address = addressOfNumber(number, version);
        if (!taken.has(address)) return address;
      }
    }
  }
  return undefined;
}

/** Returns the addresses that users reserved: IPAddresses that the server did not create for a Service. */
export function reservedAddresses(objects: ObjectReader): readonly string[] {
  return (objects.list(ADDRESSES) as unknown as readonly IPAddress[])
    .filter(({ metadata }) => metadata.labels?.[MANAGED_BY] !== MANAGER)
    .map(({ metadata }) => metadata.name ?? "");
}

const MANAGER = "ipallocator.k8s.io";
