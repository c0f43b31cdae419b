import { newAlreadyExists, newInternalError } from "@kubescaffold/k8s";
import { applyJsonMergePatch } from "@kubescaffold/schema/patches";
import { describe, expect, it } from "vitest";

import { revertingPatch, SampleObjects } from "../../src/verify/sample-objects.ts";

describe("the patch that reverts a change of a field", () => {
  it.each([
    [{ spec: { size: 1 } }, ["spec", "size"], { spec: { size: 2 } }],
    [{ spec: { size: 1 } }, ["spec", "port"], { spec: { size: 1, port: 80 } }],
    [
      { spec: { size: 1 } },
      ["spec", "template", "metadata", "name"],
      { spec: { size: 1, template: { metadata: { name: "b" } } } },
    ],
    [{ spec: { template: {} } }, ["spec", "template", "name"], { spec: { template: { name: "b" } } }],
    [{}, ["spec", "size"], { spec: { size: 1 } }],
  ])("restores %j after a change of %j", (original, path, changed) => {
    expect(applyJsonMergePatch(changed, revertingPatch(original, path) as never)).toEqual(original);
  });
});

describe("the creation of a sample", () => {
  const sample = { apiVersion: "demo/v1", kind: "Relay", metadata: { name: "a", uid: "1" } };
  const taken = newAlreadyExists({ group: "demo", resource: "relays" }, "a");
  const unconverted = newInternalError("conversion webhook for demo/v1, Kind=Relay failed: connection refused");
  const type = { storedAs: { group: "demo", resource: "relays" }, group: "demo", resource: "relays", isCustom: true };
  const server = { context: { resources: { findByKind: () => type } } };

  async function create(...errors: readonly Error[]): Promise<readonly unknown[]> {
    const left = [...errors];
    const client = {
      create: async () => await Promise.reject(left.shift() ?? new Error("one attempt too many")),
      get: async () => await Promise.resolve(sample),
    };
    const samples = new SampleObjects(client as never, server as never, { samples: [sample], changes: [] });
    const written = await samples.apply({ kind: "create" });
    return written.flatMap(({ changes }) => changes.map(({ object }) => object));
  }

  it("accepts what an attempt has stored whose answer was not converted", async () => {
    await expect(create(unconverted, taken)).resolves.toEqual([sample]);
  });

  it("fails if the object existed before", async () => {
    await expect(create(taken)).rejects.toBe(taken);
  });
});
