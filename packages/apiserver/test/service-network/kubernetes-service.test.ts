import { describe, expect, it } from "vitest";

import { serverAddress, serviceNetwork } from "../../src/service-network/kubernetes-service.ts";

describe("the Service kubernetes", () => {
  it.each<[readonly [string, ...string[]], string]>([
    [["10.0.0.0/24"], "10.0.0.1"],
    [["10.96.0.0/12", "fd00::/108"], "10.96.0.1"],
    [["fd00::/108", "10.0.0.0/24"], "fd00::1"],
  ])("has the first address of the default family: %j", (ranges, address) => {
    expect(serverAddress(ranges)).toBe(address);
    const objects = serviceNetwork(ranges, { time: "2026-01-01T00:00:00Z", hasControllers: true });
    expect(objects).toMatchObject([
      { kind: "Service", spec: { clusterIP: address, clusterIPs: [address] } },
      { kind: "IPAddress", metadata: { name: address } },
      { kind: "ServiceCIDR", spec: { cidrs: ranges } },
    ]);
  });

  it("has a range that is protected only where a controller can end the protection", () => {
    const [, , range] = serviceNetwork(["10.0.0.0/24"], { time: "2026-01-01T00:00:00Z", hasControllers: false });
    expect(range?.["metadata"]).toEqual({ name: "kubernetes" });
  });
});
