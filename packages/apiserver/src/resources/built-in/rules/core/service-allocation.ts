import { type FieldError, goQuote, invalidField } from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import { internalError } from "../../../../request/failures.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import type { ObjectReader } from "../../../../storage/object-reader.ts";
import { addressFamily, canonicalAddress } from "../../../address-ranges.ts";
import { objectIn, textIn, textsIn } from "../../../fields.ts";
import type { StrategyContext } from "../../../strategy.ts";
import { keepsPreference } from "./service-addresses.ts";
import {
  freeAddress,
  type IpFamily,
  isInRange,
  networkOf,
  rangesOfFamily,
  reservedAddresses,
} from "./service-ranges.ts";

const SERVICES = { group: "", resource: "services" } as const;

type AllocationContext = Pick<StrategyContext, "objects" | "isDryRun" | "serviceRanges"> & {
  /** The name of the Service. */
  readonly name: string;
};

/**
 * Gives a Service an address of each of its families; returns why one that it states cannot be had.
 *
 * Fails: with 500 when no address is free.
 */
export function allocateAddresses(
  spec: MutableJsonObject,
  before: MutableJsonObject | undefined,
  context: AllocationContext,
): readonly FieldError[] {
  const first = firstWithoutAddress(spec, before);
  if (first === undefined) return [];
  const [families, stated] = [textsIn(spec, "ipFamilies"), textsIn(spec, "clusterIPs")];
  const wanted = [...stated, ...families.slice(stated.length).map(() => "")];
  const addresses = [...wanted];
  for (const [index, family] of families.entries()) {
    if (index < first) continue;
    const result = allocate(context, family as IpFamily, wanted[index] ?? "");
    if ("problem" in result) return [invalidField("spec.clusterIPs", wanted, result.problem)];
    addresses[index] = result.address;
  }
  spec["clusterIPs"] = addresses;
  if (first === 0 && addresses[0] !== undefined) spec["clusterIP"] = addresses[0];
  return [];
}

// The index of the first family that needs an address: of all, or of the second one when a Service becomes dual-stack.
function firstWithoutAddress(spec: MutableJsonObject, before: MutableJsonObject | undefined): 0 | 1 | undefined {
  if (textIn(spec, "type") === "ExternalName") return undefined;
  if (before === undefined || textIn(before, "type") === "ExternalName") return isHeadless(spec) ? undefined : 0;
  if (keepsPreference(spec, before) || isHeadless(before)) return undefined;
  return textsIn(before, "ipFamilies").length === 1 && textsIn(spec, "ipFamilies").length === 2 ? 1 : undefined;
}

function isHeadless(spec: MutableJsonObject): boolean {
  return textsIn(spec, "clusterIPs")[0] === "None";
}

function allocate(
  { objects, isDryRun, serviceRanges, name }: AllocationContext,
  family: IpFamily,
  stated: string,
): { readonly address: string } | { readonly problem: string } {
  const ranges = rangesOfFamily(objects, serviceRanges, family);
  const [range] = ranges;
  if (stated !== "") {
    const address = addressFamily(stated) === 0 ? stated : canonicalAddress(stated);
    const problem = isDryRun ? dryRunProblem(range, address) : addressProblem(objects, ranges, address);
    return problem === undefined ? { address: stated } : { problem: `failed to allocate IP ${stated}: ${problem}` };
  }
  // A dry run takes no address, and shows that of the network.
  const address =
    isDryRun && range !== undefined ? networkOf(range) : freeAddress(ranges, new Set(takenAddresses(objects)));
  if (address === undefined) {
    const service = since("1.36") ? ` for Service ${goQuote(name)}` : "";
    throw internalError(`failed to allocate a serviceIP${service}: range is full`);
  }
  return { address };
}

type Ranges = ReturnType<typeof rangesOfFamily>;

function dryRunProblem(range: Ranges[number] | undefined, address: string): string | undefined {
  return range === undefined || isInRange(range, address)
    ? undefined
    : `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.text}`;
}

function addressProblem(objects: ObjectReader, ranges: Ranges, address: string): string | undefined {
  if (ranges.every((range) => !isInRange(range, address)))
    return "the provided network does not match the current range";
  return takenAddresses(objects).includes(address) ? "provided IP is already allocated" : undefined;
}

function takenAddresses(objects: ObjectReader): readonly string[] {
  const ofServices = objects
    .list(SERVICES)
    .flatMap((service) => textsIn(objectIn(service, "spec"), "clusterIPs"))
    .filter((address) => address !== "None" && addressFamily(address) !== 0)
    .map(canonicalAddress);
  return [...ofServices, ...reservedAddresses(objects)];
}
