import type { Endpoint, EndpointSlice } from "@kubescaffold/k8s/discovery/v1";
import { describe, expect, it } from "vitest";

import { planSlices, recycleSlices } from "../../../src/controllers/endpoints/slice-plan.ts";

const EMPTY = sliceOf("", []);

function sliceOf(
  name: string,
  endpoints: readonly Endpoint[],
  labels: Readonly<Record<string, string>> = {},
): EndpointSlice {
  const metadata = {
    labels: { ...labels },
    ...(name === "" ? { generateName: "web-" } : { name, resourceVersion: "1" }),
  };
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata,
    addressType: "IPv4",
    endpoints: [...endpoints],
    ports: [],
  };
}

function endpointsOf(from: number, to: number, isReady: boolean = true): readonly Endpoint[] {
  return Array.from({ length: to - from }, (_, index) => ({
    addresses: [`10.0.${String(Math.floor((from + index) / 256))}.${String((from + index) % 256)}`],
    conditions: { ready: isReady },
  }));
}

function planned(existing: readonly EndpointSlice[], endpoints: readonly Endpoint[]): unknown {
  const { create, update, remove } = planSlices(existing, { ports: [], endpoints }, EMPTY);
  const shown = (slices: readonly EndpointSlice[]): unknown =>
    slices.map(({ metadata, endpoints: own }) => [metadata.name ?? "", own.length]);
  return { create: shown(create), update: shown(update), remove: remove.map(({ metadata }) => metadata.name) };
}

describe("the plan of slices", () => {
  it("creates slices of 100 endpoints", () => {
    expect(planned([], endpointsOf(0, 250))).toEqual({
      create: [
        ["", 100],
        ["", 100],
        ["", 50],
      ],
      update: [],
      remove: [],
    });
  });

  it("changes nothing if the endpoints are the desired ones", () => {
    expect(planned([sliceOf("a", endpointsOf(0, 3))], endpointsOf(0, 3))).toEqual({
      create: [],
      update: [],
      remove: [],
    });
  });

  it("updates the slice of a changed endpoint, and fills it before others", () => {
    const existing = [sliceOf("a", endpointsOf(0, 10)), sliceOf("b", endpointsOf(10, 20))];
    const desired = [...endpointsOf(0, 10), ...endpointsOf(10, 19, false), ...endpointsOf(30, 40)];
    expect(planned(existing, desired)).toEqual({ create: [], update: [["b", 19]], remove: [] });
  });

  it("puts new endpoints in the fullest slice that has room for all of them", () => {
    const existing = [
      sliceOf("a", endpointsOf(0, 95)),
      sliceOf("b", endpointsOf(100, 190)),
      sliceOf("c", endpointsOf(200, 210)),
    ];
    const present = existing.flatMap(({ endpoints }) => endpoints);
    expect(planned(existing, [...present, ...endpointsOf(300, 310)])).toEqual({
      create: [],
      update: [["b", 100]],
      remove: [],
    });
  });

  it("removes slices without endpoints, and updates those with other labels", () => {
    const existing = [sliceOf("a", endpointsOf(0, 1)), sliceOf("b", endpointsOf(1, 2), { old: "label" })];
    expect(planned(existing, endpointsOf(1, 2))).toEqual({ create: [], update: [["b", 1]], remove: ["a"] });
  });

  it("reuses removed slices for new ones", () => {
    const plan = recycleSlices({ create: [EMPTY, EMPTY], update: [], remove: [sliceOf("a", [])] });
    expect([
      plan.create.length,
      plan.remove,
      plan.update.map(({ metadata }) => [metadata.name, metadata.resourceVersion]),
    ]).toEqual([1, [], [["a", "1"]]]);
  });
});
