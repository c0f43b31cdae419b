import { describe, expect, it } from "vitest";

import { structSchema } from "../src/structs/index.ts";

describe("structSchema", () => {
  it("returns the same schema at each call", () => {
    const schema = structSchema("core/v1.PodTemplateSpec");
    expect(schema.properties?.["spec"]?.required).toEqual(["containers"]);
    expect(structSchema("core/v1.PodTemplateSpec")).toBe(schema);
  });

  it("says which struct it does not know", () => {
    expect(() => structSchema("core/v1.PodTemplate2")).toThrow(
      expect.objectContaining({
        code: "SCHEMA_STRUCT_UNKNOWN",
        message: expect.stringContaining("core/v1.PodTemplate2"),
      }),
    );
  });
});
