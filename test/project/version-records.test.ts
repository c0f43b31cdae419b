import { describe, expect, it } from "vitest";

import { planDeleteApi, withoutResource } from "../../src/project/plans/plan-delete.ts";
import { planRename } from "../../src/project/plans/plan-rename.ts";
import { BASE_SECTION, type ProjectConfig, type ProjectResource } from "../../src/project/project-config.ts";
import { copiedFrom, withCopiedFrom } from "../../src/project/version-records.ts";

const OLD: ProjectResource = {
  api: { crdVersion: "v1" },
  domain: "demo",
  group: "crew",
  kind: "Captain",
  version: "v1",
};
const NEW: ProjectResource = { ...OLD, version: "v2" };
const PROJECT: ProjectConfig = { layout: [], version: "3", domain: "demo", resources: [OLD, NEW] };
const COPIED = withCopiedFrom(PROJECT, NEW, "v1");

describe("the version that another was copied from", () => {
  it("is recorded beside what else the section has, and removed without a trace", () => {
    const project = { ...PROJECT, plugins: { [BASE_SECTION]: { generators: { crd: { maxDescLen: 0 } } } } };
    const copied = withCopiedFrom(project, NEW, "v1");
    expect(copied.plugins).toEqual({
      [BASE_SECTION]: {
        generators: { crd: { maxDescLen: 0 } },
        resources: [{ domain: "demo", group: "crew", kind: "Captain", version: "v2", from: "v1" }],
      },
    });
    expect(withCopiedFrom(copied, NEW, undefined)).toEqual(project);
    expect(withCopiedFrom(COPIED, NEW, undefined)).toEqual(PROJECT);
    expect(withCopiedFrom(PROJECT, NEW, undefined)).toBe(PROJECT);
  });

  it("is found while PROJECT has it", () => {
    expect(copiedFrom(COPIED, NEW)).toBe(OLD);
    expect(copiedFrom(COPIED, OLD)).toBeUndefined();
    expect(copiedFrom({ ...COPIED, resources: [NEW] }, NEW)).toBeUndefined();
  });

  it.for(["v1", "v2"])("is forgotten when %s is deleted", (version) => {
    const planned = planDeleteApi(COPIED, { group: "crew", kind: "Captain", version });
    expect(withoutResource(COPIED, planned).plugins).toBeUndefined();
  });

  it.for([
    [
      { version: "v1", toVersion: "v1beta1" },
      { kind: "Captain", version: "v2", from: "v1beta1" },
    ],
    [
      { version: "v2", toVersion: "v3" },
      { kind: "Captain", version: "v3", from: "v1" },
    ],
    [{ toKind: "Mate" }, { kind: "Mate", version: "v2", from: "v1" }],
  ] as const)("follows a rename (%j)", ([names, entry]) => {
    const { project } = planRename(COPIED, { group: "crew", kind: "Captain", ...names });
    expect(project.plugins).toEqual({ [BASE_SECTION]: { resources: [{ domain: "demo", group: "crew", ...entry }] } });
  });

  it.for([null, [], "x", { resources: null }, { resources: ["x", { kind: 1 }] }])(
    "is none in a section that has something else (%j)",
    (section) => {
      expect(copiedFrom({ ...PROJECT, plugins: { [BASE_SECTION]: section } }, NEW)).toBeUndefined();
    },
  );
});
