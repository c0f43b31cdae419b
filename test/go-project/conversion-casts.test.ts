import { describe, expect, it } from "vitest";

import { readCrds } from "../../packages/generators/src/importer/crd-facts.ts";
import { castConversion } from "../../src/go-project/conversion-casts.ts";

const TEXT = "export const boatConverter: SpokeConverter<BoatHub, Boat> = newBoatConverter({});\n";

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
  it("needs no functions where a part has another schema, so that it compiles", () => {
    expect(cast({ type: "object" }, { type: "object", properties: { size: { type: "integer" } } }))
      .toBe(`export const boatConverter: SpokeConverter<BoatHub, Boat> = newBoatConverter(
  // TODO(user): write the functions that BoatConversions requires, and remove the cast.
  {} as never,
);
`);
  });

  it("casts a part with other descriptions of its fields, which may have other types", () => {
    const specOf = (description: string): object => ({
      type: "object",
      properties: { template: { type: "object", description } },
    });
    expect(cast(specOf("old"), specOf("new"))).toContain("{} as never");
  });

  it("casts a spec that may be missing, and requires fields", () => {
    const spec = { type: "object", required: ["size"], properties: { size: { type: "integer" } } };
    expect(cast(spec, spec)).toContain("{} as never");
  });

  it("casts nothing if only the description of the part differs", () => {
    expect(cast({ type: "object", description: "old" }, { type: "object", description: "new" })).toBe(TEXT);
  });
});
