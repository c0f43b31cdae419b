import { describe, expect, it } from "vitest";

import { readCrds } from "../../packages/generators/src/importer/crd-facts.ts";
import { castConversion } from "../../src/go-project/conversion-casts.ts";

const TEXT = [
  "BoatHub.create({ metadata, spec: { ...spec }, ...{ status: { ...status } } });",
  "Boat.create({ metadata, spec: { ...spec }, ...{ status: { ...status } } });",
].join("\n");

function cast(hub: object, spoke: object): string {
  const versions = [hub, spoke].map((spec, index) => ({
    name: `v${String(index + 1)}`,
    schema: { openAPIV3Schema: { type: "object", properties: { spec, status: { type: "object" } } } },
  }));
  const [crd] = readCrds(
    [
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        spec: { group: "g", names: { kind: "Boat" }, versions },
      },
    ],
    "test",
  );
  return crd === undefined ? "" : castConversion(TEXT, crd, { hub: "v1", spoke: "v2" });
}

describe("the conversion of an imported spoke", () => {
  it("casts a part whose schema differs between the versions, to the type of each side", () => {
    const [to, from] = cast({ type: "object" }, { type: "object", properties: { size: { type: "integer" } } }).split(
      "\n",
    );
    expect(to).toBe(
      'BoatHub.create({ metadata, spec: { ...spec } as unknown as NonNullable<BoatHub["spec"]>, ...{ status: { ...status } } });',
    );
    expect(from).toBe(
      'Boat.create({ metadata, spec: { ...spec } as unknown as NonNullable<Boat["spec"]>, ...{ status: { ...status } } });',
    );
  });

  it("casts a part with other descriptions of its fields, which may have other types", () => {
    const specOf = (description: string): object => ({
      type: "object",
      properties: { template: { type: "object", description } },
    });
    expect(cast(specOf("old"), specOf("new"))).toContain("as unknown as");
  });

  it("casts a spec that may be missing, and requires fields", () => {
    const spec = { type: "object", required: ["size"], properties: { size: { type: "integer" } } };
    expect(cast(spec, spec)).toContain('NonNullable<BoatHub["spec"]>');
  });

  it("casts nothing if only the description of the part differs", () => {
    expect(cast({ type: "object", description: "old" }, { type: "object", description: "new" })).toBe(TEXT);
  });
});
