import type { EndpointAddress, EndpointSubset } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import { limitAddresses } from "../../../src/controllers/endpoints/endpoint-capacity.ts";

function subset(port: number, ready: number, notReady: number): EndpointSubset {
  const addresses = (count: number, network: number): EndpointAddress[] =>
    Array.from({ length: count }, (_each, index) => ({
      ip: `10.${String(network)}.${String(index >> 8)}.${String(index & 255)}`,
    }));
  return {
    ...(ready === 0 ? {} : { addresses: addresses(ready, 1) }),
    ...(notReady === 0 ? {} : { notReadyAddresses: addresses(notReady, 2) }),
    ports: [{ port }],
  };
}

function countsOf(subsets: readonly EndpointSubset[]): readonly (readonly [number | undefined, number | undefined])[] {
  return subsets.map(({ addresses, notReadyAddresses }) => [addresses?.length, notReadyAddresses?.length]);
}

describe("Endpoints", () => {
  it("have all addresses up to 1000", () => {
    const subsets = [subset(80, 600, 200), subset(81, 200, 0)];
    expect(limitAddresses(subsets)).toBe(subsets);
  });

  it.each([
    {
      title: "lose addresses that are not ready, from each subset in proportion",
      subsets: [subset(80, 700, 250), subset(81, 0, 130)],
      counts: [
        [700, 198],
        [undefined, 102],
      ],
    },
    {
      title: "lose all addresses that are not ready before a ready one",
      subsets: [subset(80, 900, 10), subset(81, 300, 20)],
      counts: [
        [750, undefined],
        [250, undefined],
      ],
    },
    {
      title: "have fewer addresses of the last subset, since shares are rounded up",
      subsets: [subset(80, 0, 334), subset(81, 0, 334), subset(82, 0, 334)],
      counts: [
        [undefined, 334],
        [undefined, 334],
        [undefined, 332],
      ],
    },
  ])("$title", ({ subsets, counts }) => {
    expect(countsOf(limitAddresses(subsets))).toEqual(counts);
  });
});
