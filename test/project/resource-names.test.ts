import { describe, expect, it } from "vitest";

import type { ProjectConfig } from "../../src/project/project-config.ts";
import { groupIdentifier, namesOf, pascalCase } from "../../src/project/resource-names.ts";

const SINGLE: ProjectConfig = { domain: "demo", layout: [], version: "3" };

describe("the names of a resource", () => {
  it("in a project of one group", () => {
    expect(namesOf(SINGLE, { group: "crew", domain: "demo", version: "v1", kind: "FirstMate" })).toEqual({
      group: "crew",
      qualifiedGroup: "crew.demo",
      version: "v1",
      kind: "FirstMate",
      kindLower: "firstmate",
      kindVariable: "firstMate",
      plural: "firstmates",
      isPluralIrregular: false,
      apiFolder: "api/v1",
      controllerFolder: "internal/controller",
      webhookFolder: "internal/webhook/v1",
      groupPrefix: "",
      crdBase: "crew.demo_firstmates.yaml",
      sampleName: "crew_v1_firstmate.yaml",
    });
  });

  it.each([
    ["Class", "classObject"],
    ["Package", "packageObject"],
    ["HTTPRoute", "httpRoute"],
  ])("%s has a variable that the language allows", (kind, variable) => {
    expect(namesOf(SINGLE, { group: "crew", version: "v1", kind }).kindVariable).toBe(variable);
  });

  it("in a project of several groups, whose folders keep dots and dashes", () => {
    expect(
      namesOf({ ...SINGLE, multigroup: true }, { group: "foo.policy", domain: "demo", version: "v1", kind: "Rule" }),
    ).toMatchObject({
      apiFolder: "api/foo.policy/v1",
      controllerFolder: "internal/controller/foo.policy",
      webhookFolder: "internal/webhook/foo.policy/v1",
      groupPrefix: "foo.policy_",
      sampleName: "foo.policy_v1_rule.yaml",
    });
  });

  it("of the core group, which clusters call by no name", () => {
    expect(namesOf(SINGLE, { core: true, group: "core", version: "v1", kind: "Pod" }).qualifiedGroup).toBe("");
  });

  // Scenario 13: the plurals are those that kubebuilder and controller-gen give.
  it.each([
    ["HTTPRoute", "httpRoute", "httproutes"],
    ["Bus", "bus", "buses"],
    ["Sheep", "sheep", "sheep"],
    ["Data", "data", "data"],
    ["NetworkPolicy", "networkPolicy", "networkpolicies"],
    ["API", "api", "apis"],
  ])("of kind %s", (kind, kindVariable, plural) => {
    expect(namesOf(SINGLE, { group: "g", version: "v1", kind })).toMatchObject({ kindVariable, plural });
  });

  it("become identifiers", () => {
    expect([pascalCase("captain-backup"), groupIdentifier("sea-creatures"), groupIdentifier("foo.policy")]).toEqual([
      "CaptainBackup",
      "seaCreatures",
      "fooPolicy",
    ]);
  });
});
