import { describe, expect, it } from "vitest";

import { planSpokes, type SpokeRequest } from "../../../src/project/plans/plan-webhook.ts";
import type { ProjectConfig, ProjectResource } from "../../../src/project/project-config.ts";

const version = (name: string, more: Partial<ProjectResource> = {}): ProjectResource => ({
  api: { crdVersion: "v1" },
  domain: "demo",
  group: "webapp",
  kind: "Guestbook",
  path: `p/api/${name}`,
  version: name,
  ...more,
});
const V1 = version("v1");
const project = (...resources: readonly ProjectResource[]): ProjectConfig => ({
  domain: "demo",
  layout: [],
  repo: "p",
  resources,
  version: "3",
});
const REQUEST: SpokeRequest = { conversion: true, spokes: ["v2"], force: false };

describe("planning spokes", () => {
  it("keeps the existing ones, in their order, and adds the requested ones", () => {
    const hub = version("v1", { webhooks: { conversion: true, spoke: ["v3"] } });
    const all = project(hub, version("v2"), version("v3"));
    expect(planSpokes(all, hub, REQUEST)).toEqual(["v3", "v2"]);
    expect(planSpokes(all, hub, { ...REQUEST, spokes: ["v3"], force: true })).toEqual(["v3"]);
    expect(() => planSpokes(all, hub, { ...REQUEST, spokes: ["v3"] })).toThrow("has the spoke v3 already");
  });

  it("takes versions of the same group and kind alone", () => {
    const others = [version("v2", { kind: "Visitor" }), version("v2", { group: "other" })];
    expect(() => planSpokes(project(V1, ...others), V1, REQUEST)).toThrow('invalid spoke "v2"');
    const { api: _api, ...external } = version("v2", { external: true });
    expect(() => planSpokes(project(V1, external), V1, REQUEST)).toThrow('invalid spoke "v2"');
    expect(() => planSpokes(project(external), external, REQUEST)).toThrow("is not defined in this project");
  });

  it("lists the versions that can be spokes when none is given", () => {
    const hintOf = (...resources: readonly ProjectResource[]): string => {
      try {
        planSpokes(project(...resources), V1, { ...REQUEST, spokes: [] });
      } catch (error) {
        return String((error as { readonly hint?: string }).hint);
      }
      return "";
    };
    expect(hintOf(V1, version("v2"), version("v3"))).toBe(
      "pass the versions to convert to and from this one: --spoke v2,v3",
    );
    expect(hintOf(V1)).toContain("add one with `npx scaffold create api`");
  });

  it("refuses a second hub of a kind, and spokes without a conversion", () => {
    const hub = version("v2", { webhooks: { conversion: true, spoke: ["v3"] } });
    expect(() => planSpokes(project(V1, hub, version("v3")), V1, { ...REQUEST, spokes: ["v3"] })).toThrow(
      "the hub is already v2",
    );
    expect(planSpokes(project(V1), V1, { ...REQUEST, conversion: false, spokes: [] })).toBeUndefined();
    expect(() => planSpokes(project(V1), V1, { ...REQUEST, conversion: false })).toThrow("it needs --conversion");
  });
});
