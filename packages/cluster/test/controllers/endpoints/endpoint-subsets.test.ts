import type { EndpointAddress, EndpointSubset } from "@kubescaffold/k8s/core/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { repackSubsets } from "../../../src/controllers/endpoints/endpoint-subsets.ts";

const address = fc.integer({ min: 1, max: 4 }).map((last): EndpointAddress => ({ ip: `10.0.0.${String(last)}` }));
const subset: fc.Arbitrary<EndpointSubset> = fc.record({
  addresses: fc.array(address, { maxLength: 3 }),
  notReadyAddresses: fc.array(address, { maxLength: 3 }),
  ports: fc.array(
    fc.integer({ min: 1, max: 4 }).map((port) => ({ port })),
    { minLength: 1, maxLength: 3 },
  ),
});

// For each port, whether each of its addresses is ready.
function readinessByPort(subsets: readonly EndpointSubset[]): ReadonlyMap<number, ReadonlyMap<string, boolean>> {
  const found = new Map<number, Map<string, boolean>>();
  const note = (port: number, ip: string, isReady: boolean): void => {
    const known = found.get(port) ?? new Map<string, boolean>();
    found.set(port, known.set(ip, isReady && known.get(ip) !== false));
  };
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    for (const { port } of ports) {
      for (const { ip } of addresses) note(port, ip, true);
      for (const { ip } of notReadyAddresses) note(port, ip, false);
    }
  }
  return found;
}

describe("repacked subsets", () => {
  it("have the ports, addresses, and readiness of any subsets, and none of them twice", () => {
    fc.assert(
      fc.property(fc.array(subset, { maxLength: 6 }), (subsets) => {
        const repacked = repackSubsets(subsets);
        expect(readinessByPort(repacked)).toEqual(readinessByPort(subsets));
        const lists = repacked.map(({ addresses = [], notReadyAddresses = [] }) =>
          JSON.stringify([addresses, notReadyAddresses]),
        );
        expect(new Set(lists).size).toBe(lists.length);
        const ports = repacked.flatMap((each) => (each.ports ?? []).map(({ port }) => port));
        expect(new Set(ports).size).toBe(ports.length);
      }),
    );
  });

  it("are one for thousands of ports with the same thousands of addresses", () => {
    const all = Array.from({ length: 8000 }, (_, index) => index + 1);
    const addresses = all.map((each) => ({ ip: `10.${String(each >> 8)}.${String(each & 255)}.1` }));
    const repacked = repackSubsets([{ addresses, ports: all.map((port) => ({ port })) }]);
    expect(repacked.map((each) => [each.addresses?.length, each.ports?.length])).toEqual([[8000, 8000]]);
  });

  it("leave out ports that would make more than a million pairs", () => {
    const all = Array.from({ length: 3000 }, (_, index) => index + 1);
    const addresses = all.map((each) => ({ ip: `10.${String(each >> 8)}.${String(each & 255)}.1` }));
    const ports = all.map((port) => ({ port }));
    const others = ports.map((port, index) => ({ addresses: [{ ip: `11.0.0.${String(index)}` }], ports: [port] }));
    expect(repackSubsets([{ addresses, ports }, ...others])).toHaveLength(333);
  });
});
