import { describe, expect, it } from "vitest";

import { readCrds } from "../../../../packages/generators/src/importer/crd-facts.ts";
import { crdOf } from "../../../../packages/generators/test/importer/crd-sample.ts";
import {
  foldersBelow,
  foldersInProject,
  requireOwnFolders,
} from "../../../../src/cli/commands/import-crd/import-folders.ts";
import { FileTree } from "../../../../src/machinery/file-tree.ts";
import type { ProjectConfig } from "../../../../src/project/project-config.ts";

const PROJECT: ProjectConfig = { domain: "my.org", layout: [], version: "3" };

function treeOf(files: Readonly<Record<string, string>>): FileTree {
  return new FileTree({ read: (path) => files[path] });
}

describe("the folders of imported types", () => {
  it("are those of the project for kinds of its domain", () => {
    const folderOf = foldersInProject(PROJECT, treeOf({}));
    expect(folderOf("shop.my.org", "v1")).toBe("api/v1");
    expect(folderOf("my.org", "v1beta1")).toBe("api/v1beta1");
    expect(folderOf("notmy.org", "v1")).toBe("api/notmy.org/v1");
    const multigroup = foldersInProject({ ...PROJECT, multigroup: true }, treeOf({}));
    expect(multigroup("shop.my.org", "v1")).toBe("api/shop/v1");
  });

  it("are those of the project for groups that it has kinds of", () => {
    const resources = [{ group: "crew", domain: "elsewhere.io", kind: "Captain", version: "v1", api: {} }];
    expect(foldersInProject({ ...PROJECT, resources }, treeOf({}))("crew.elsewhere.io", "v1")).toBe("api/v1");
  });

  it("do not mix groups", () => {
    const tree = treeOf({ "api/v1/groupversion_info.ts": "// +groupName=crew.my.org\n" });
    const folderOf = foldersInProject(PROJECT, tree);
    expect(folderOf("crew.my.org", "v1")).toBe("api/v1");
    expect(folderOf("shop.my.org", "v1")).toBe("api/shop.my.org/v1");
    const crds = readCrds([crdOf({ type: "object" })], "a");
    expect(() => requireOwnFolders(() => "api/v1", crds, tree)).toThrow("the folder contains the group crew.my.org");
  });

  it("are those of versions below the folder that was given", () => {
    const crds = readCrds([crdOf({ type: "object" })], "a");
    expect(foldersBelow("src/api", crds)("example.com", "v1")).toBe("src/api/v1");
    expect(foldersBelow("", crds)("example.com", "v1")).toBe("v1");
    const several = [...crds, ...crds.map((crd) => ({ ...crd, group: "other.io" }))];
    expect(foldersBelow("src/api", several)("other.io", "v1")).toBe("src/api/other.io/v1");
  });
});
