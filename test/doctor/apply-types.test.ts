import { describe, expect, it } from "vitest";

import { diagnoseApply } from "../../src/doctor/project-files.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";
import type { ProjectConfig } from "../../src/project/project-config.ts";

const MARKED = "/**\n * Boat floats.\n * +kubebuilder:ac:generate=true\n */\nexport interface Boat {}\n";
const BARE = "/** Boat floats. */\nexport interface Boat {}\n";

function project(ssa: boolean): ProjectConfig {
  const api = { crdVersion: "v1", ...(ssa ? { ssa } : {}) };
  return { layout: [], version: "3", resources: [{ kind: "Boat", version: "v1", group: "sea", api }] };
}

function treeOf(types: string | undefined, group = ""): FileTree {
  const files: Readonly<Record<string, string | undefined>> = {
    "api/v1/boat_types.ts": types,
    "api/v1/groupversion_info.ts": group,
  };
  return new FileTree({ read: (path) => files[path] });
}

describe("what doctor says of server-side apply", () => {
  it.each([
    ["a kind that is marked and recorded", MARKED, "", true],
    ["a kind that is neither", BARE, "", false],
    ["a kind whose package is marked", BARE, "// +kubebuilder:ac:generate=true\n", true],
    ["a kind whose types are missing, which is said elsewhere", undefined, "", true],
  ])("is nothing for %s", (_name, types, group, ssa) => {
    expect(diagnoseApply(treeOf(types, group), project(ssa))).toEqual([]);
  });

  it("is a note for a kind that is marked and not recorded", () => {
    expect(diagnoseApply(treeOf(MARKED), project(false))).toMatchObject([
      { severity: "note", path: "api/v1/boat_types.ts", message: expect.stringContaining("Boat") as string },
    ]);
  });

  it("is an error for a kind that is recorded and not marked, and marks it when it is to fix that", () => {
    const tree = treeOf(BARE);
    const [finding, ...others] = diagnoseApply(tree, project(true));
    expect([finding?.severity, others]).toEqual(["error", []]);
    finding?.fix?.(tree);
    expect(tree.read("api/v1/boat_types.ts")).toBe(MARKED);
    expect(diagnoseApply(tree, project(true))).toEqual([]);
  });
});
