import { describe, expect, it } from "vitest";

import { planRename } from "../../../src/project/plans/plan-rename.ts";
import type { ProjectConfig, ProjectResource } from "../../../src/project/project-config.ts";

const captain: ProjectResource = {
  api: { crdVersion: "v1", namespaced: true },
  controllers: [{ name: "captain" }, { name: "captain-backup" }],
  domain: "demo",
  group: "crew",
  kind: "Captain",
  path: "ship/api/v1",
  plural: "captainz",
  version: "v1",
};
const operands = { resources: [{ group: "crew", version: "v1", kind: "Captain", options: { image: "x" } }], port: 1 };
const project: ProjectConfig = {
  domain: "demo",
  layout: [],
  plugins: { "operand.example.com/v1": operands, "other.example.com/v1": {} },
  resources: [captain, { ...captain, kind: "Sailor", plural: "sailors", controllers: [{ name: "mate" }] }],
  version: "3",
};
const request = { group: "crew", kind: "Captain", toKind: "Skipper" };

describe("planRename", () => {
  it("renames the entry, the controller that has the kind's name, and what plugins keep of it", () => {
    const { project: after, renamed } = planRename(project, request);
    const { plural: _, ...others } = captain;
    const skipper = { ...others, kind: "Skipper", controllers: [{ name: "skipper" }, { name: "captain-backup" }] };
    expect(after.resources).toEqual([skipper, project.resources?.[1]]);
    expect([...renamed]).toEqual([[captain, skipper]]);
    expect(after.plugins).toEqual({
      "operand.example.com/v1": { ...operands, resources: [{ ...operands.resources[0], kind: "Skipper" }] },
      "other.example.com/v1": {},
    });
  });

  it("keeps a new plural only where it is irregular", () => {
    expect(planRename(project, { ...request, toPlural: "skippers" }).project.resources?.[0]?.plural).toBeUndefined();
    expect(planRename(project, { ...request, toPlural: "skipperz" }).project.resources?.[0]?.plural).toBe("skipperz");
  });

  it("refuses the name of a controller whose files would be at the same place", () => {
    expect(() => planRename(project, { ...request, toKind: "Mate" })).toThrow("a controller of the project");
    expect(() => planRename(project, { ...request, toKind: "Captainbackup" })).toThrow("a controller of the project");
  });

  it("refuses a kind whose derived plural is too long for servers", () => {
    const toKind = `K${"y".repeat(58)}`;
    expect(() => planRename(project, { ...request, toKind: toKind.replace(/y$/u, "s") })).not.toThrow();
    expect(() => planRename(project, { ...request, toKind, toPlural: "s".repeat(64) })).toThrow("plural");
  });
});
