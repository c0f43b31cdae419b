import { describe, expect, it } from "vitest";

import { selfManaged } from "../../src/certificates/self-managed.ts";

const DAY_MS = 24 * 60 * 60_000;
const BASE = { secretName: "certificates", serviceName: "webhooks" } as const;

describe("selfManaged", () => {
  it("has the defaults that its documentation lists", () => {
    expect(selfManaged(BASE)).toMatchObject({
      lifetimeMs: 90 * DAY_MS,
      renewBeforeMs: 30 * DAY_MS,
      caLifetimeMs: 3650 * DAY_MS,
      propagationMs: 30_000,
      overlapMs: 3_600_000,
      checkIntervalMs: 60_000,
      fieldOwner: "kubescaffold-certificates",
    });
  });

  it.each([
    ["no name of a Secret", { secretName: "" }, /secretName and namespace must not be empty/u],
    ["an empty namespace", { namespace: "" }, /secretName and namespace must not be empty/u],
    ["no names", { serviceName: undefined }, /the certificate has no names/u],
    ["an invalid address", { ipAddresses: ["127.0.0"] }, /"127\.0\.0" is not an address/u],
    ["an address with a zone", { ipAddresses: ["fe80::1%eth0"] }, /is not an address/u],
    ["a host name in Unicode", { dnsNames: ["bücher.demo"] }, /invalid host name "bücher\.demo"/u],
    ["a lifetime of zero", { lifetimeMs: 0 }, /lifetimeMs of self-managed certificates must be a number above zero/u],
    ["NaN", { overlapMs: Number.NaN }, /overlapMs of self-managed certificates/u],
    ["a renewal before the certificate exists", { renewBeforeMs: 91 * DAY_MS }, /renewBeforeMs is \d+/u],
    [
      "an authority that ends before its certificates",
      { caLifetimeMs: 200 * DAY_MS },
      /lifetimeMs is \d+, and caRenewBeforeMs is \d+/u,
    ],
    ["an authority without end", { caLifetimeMs: Infinity }, /caLifetimeMs is Infinity/u],
    ["an overlap that is shorter than two checks", { overlapMs: 60_000 }, /and overlapMs is 60000/u],
  ])("refuses %s", (_, options, message) => {
    expect(() => selfManaged({ ...BASE, ...options } as never)).toThrow(message);
  });
});
