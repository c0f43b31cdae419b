import { describe, expect, it } from "vitest";

import { planDefinition } from "../../../src/project/plans/plan-api.ts";
import type { ProjectConfig, ProjectResource } from "../../../src/project/project-config.ts";

const V1: ProjectResource = {
  api: { crdVersion: "v1" },
  domain: "demo",
  group: "crew",
  kind: "Captain",
  plural: "crowd",
  version: "v1",
};
const PROJECT: ProjectConfig = { layout: [], resources: [V1], version: "3" };
const REQUEST = { group: "crew", domain: "demo", version: "v2", kind: "Captain", resource: true };

describe("planning a definition", () => {
  it("gives another version the plural and the scope of the others", () => {
    expect(planDefinition(PROJECT, undefined, REQUEST)).toEqual({ plural: "crowd", namespaced: false });
    expect(planDefinition(PROJECT, undefined, { ...REQUEST, plural: "crowd", namespaced: false })).toEqual({
      plural: "crowd",
      namespaced: false,
    });
  });

  it("takes what is asked for, else derives it, for a kind that is new", () => {
    expect(planDefinition(PROJECT, undefined, { ...REQUEST, kind: "Ship" })).toEqual({
      plural: undefined,
      namespaced: true,
    });
    const asked = { ...REQUEST, kind: "Ship", plural: "fleet", namespaced: false };
    expect(planDefinition(PROJECT, undefined, asked)).toEqual({ plural: "fleet", namespaced: false });
  });

  it.each([
    ["another plural than the other versions have", { plural: "captains" }, 'PROJECT has the plural "crowd"'],
    ["another scope than the other versions have", { namespaced: true }, "version v1 is cluster-scoped"],
    [
      "the plural of another kind of the group",
      { kind: "Mate", plural: "crowd" },
      'its plural "crowd" is that of Captain',
    ],
  ])("refuses %s", (_, change, message) => {
    expect(() => planDefinition(PROJECT, undefined, { ...REQUEST, ...change })).toThrow(message);
  });

  it("lets kinds of different groups have one plural, and a version that is alone change its scope", () => {
    const elsewhere = { ...REQUEST, group: "ship", kind: "Mate", plural: "crowd" };
    expect(planDefinition(PROJECT, undefined, elsewhere).plural).toBe("crowd");
    expect(planDefinition(PROJECT, V1, { ...REQUEST, version: "v1", namespaced: true }).namespaced).toBe(true);
  });
});
