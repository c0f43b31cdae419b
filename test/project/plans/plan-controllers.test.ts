import { describe, expect, it } from "vitest";

import { planController } from "../../../src/project/plans/plan-controllers.ts";
import type { ProjectConfig, ProjectResource } from "../../../src/project/project-config.ts";

const CAPTAIN: ProjectResource = { group: "crew", kind: "Captain", version: "v1", controller: true };
const PROJECT: ProjectConfig = { layout: [], version: "3", resources: [CAPTAIN] };
const REQUEST = { group: "crew", version: "v1", kind: "Captain", force: false };

describe("planning a controller", () => {
  it("is a flag for the first one without a name", () => {
    const { controller: _, ...fresh } = CAPTAIN;
    expect(planController(PROJECT, fresh, REQUEST)).toEqual({ entries: { controller: true }, name: undefined });
  });

  it("makes a list of the flag when one with a name is added", () => {
    expect(planController(PROJECT, CAPTAIN, { ...REQUEST, controllerName: "captain-backup" })).toEqual({
      entries: { controllers: [{ name: "captain" }, { name: "captain-backup" }] },
      name: "captain-backup",
    });
  });

  it.for([
    ["a second one without a name", {}, "it already has a controller"],
    ["a name that is taken", { controllerName: "captain" }, "a controller with this name already exists"],
    ["a name of the same class", { controllerName: "cap-tain" }, 'its class name is the same as that of "captain"'],
    ["a name that is no label", { controllerName: "Bad_Name" }, "it is not a DNS-1035 label"],
  ] as const)("refuses %s", ([, change, message]) => {
    expect(() => planController(PROJECT, CAPTAIN, { ...REQUEST, ...change })).toThrow(message);
  });

  it("refuses the controller of another version, whose files it would share", () => {
    const request = { ...REQUEST, version: "v2" };
    expect(() => planController(PROJECT, undefined, request)).toThrow(
      'cannot create controller "captain" for Captain v2: Captain v1 has a controller with this name',
    );
    const named = planController(PROJECT, undefined, { ...request, controllerName: "captain-v2" });
    expect(named.entries).toEqual({ controllers: [{ name: "captain-v2" }] });
  });

  it("writes one again when it is forced, with what is recorded left alone", () => {
    const stored = { ...CAPTAIN, controller: undefined, controllers: [{ name: "captain" }, { name: "b" }] };
    const entries = { controllers: stored.controllers };
    expect(planController(PROJECT, stored as never, { ...REQUEST, controllerName: "b", force: true })).toEqual({
      entries,
      name: "b",
    });
  });

  it("puts the group before a second kind of one name, since their files share a folder", () => {
    expect(planController(PROJECT, undefined, { ...REQUEST, group: "fleet.io" })).toEqual({
      entries: { controllers: [{ name: "fleet-io-captain" }] },
      name: "fleet-io-captain",
    });
    const several = { ...PROJECT, multigroup: true };
    expect(planController(several, undefined, { ...REQUEST, group: "fleet" }).name).toBeUndefined();
  });
});
