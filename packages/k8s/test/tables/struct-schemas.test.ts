import { describe, expect, it } from "vitest";

import { structNames, structSchema } from "../../src/tables/struct-schemas.ts";

describe("structSchema", () => {
  it("holds what controller-gen adds to the OpenAPI", () => {
    expect(structSchema("meta/v1.Condition")).toMatchObject({
      required: ["lastTransitionTime", "message", "reason", "status", "type"],
      properties: { status: { type: "string", enum: ["True", "False", "Unknown"] }, reason: { maxLength: 1024 } },
    });
    expect(structSchema("core/v1.SecretEnvSource")).toEqual({
      type: "object",
      properties: { name: { type: "string", default: "" }, optional: { type: "boolean" } },
      "x-kubernetes-map-type": "atomic",
    });
  });

  it("lacks what only the OpenAPI has", () => {
    const port = structSchema("core/v1.ContainerPort") as { properties: Record<string, unknown> };
    expect(port.properties["protocol"]).toEqual({ type: "string", default: "TCP" });
  });

  it("resolves every reference and freezes the result", () => {
    for (const name of structNames()) {
      const schema = structSchema(name);
      expect(Object.isFrozen(schema)).toBe(true);
      expect(JSON.stringify(schema)).not.toContain('"$ref":"');
    }
    expect(structNames().length).toBeGreaterThan(600);
  });

  it("knows nothing of other names", () => {
    expect(structSchema("core/v1.Nothing")).toBeUndefined();
    expect(structSchema("core/v1.constructor")).toBeUndefined();
    expect(structSchema("x")).toBeUndefined();
  });
});
