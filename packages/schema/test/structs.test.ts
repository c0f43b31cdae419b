import { loadStructSchemas } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import { structSchema as in35, structSchema } from "../src/structs.ts";
import { structSchema as in34 } from "../src/structs/v1-34.ts";
import { structSchema as in36 } from "../src/structs/v1-36.ts";
import { structSchema as in37 } from "../src/structs/v1-37.ts";

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

describe.each([
  ["1.34", in34],
  ["1.35", in35],
  ["1.36", in36],
  ["1.37", in37],
] as const)("the structs of Kubernetes %s", (minor, lookUp) => {
  it("are those that the generators write", async () => {
    const { structSchema: generated, structNames } = await loadStructSchemas(minor);
    expect(structNames().length).toBeGreaterThan(800);
    for (const name of structNames()) expect(lookUp(name)).toEqual(generated(name));
    expect(Object.isFrozen(lookUp("core/v1.PodTemplateSpec"))).toBe(true);
    const others = [in34, in35, in36, in37].filter((each) => each !== lookUp);
    for (const other of others) expect(other("core/v1.PodTemplateSpec")).not.toEqual(lookUp("core/v1.PodTemplateSpec"));
  });

  it("does not have unknown names", () => {
    expect(() => lookUp("core/v1.PodTemplate2")).toThrow(expect.objectContaining({ code: "SCHEMA_STRUCT_UNKNOWN" }));
  });
});
