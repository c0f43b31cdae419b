import { describe, expect, it } from "vitest";

import { diagnoseTools, type ToolSurroundings } from "../../src/doctor/tools.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PACKAGE = JSON.stringify({
  dependencies: { "@kubescaffold/k8s": "^0.1.0", "@kubescaffold/runtime": "^0.1.0" },
  devDependencies: { kubescaffold: "^0.1.0" },
});

function treeOf(manifest: string | undefined): FileTree {
  return new FileTree({ read: (path) => (path === "package.json" ? manifest : "") });
}

function messagesOf(change: Partial<ToolSurroundings>): readonly string[] {
  const surroundings = {
    root: temporaryFolder({ "node_modules/x": "" }),
    project: { layout: [], version: "3" },
    tree: treeOf(PACKAGE),
    version: "0.1.0",
    nodeVersion: "v20.19.0",
    hasProgram: () => true,
  };
  return diagnoseTools({ ...surroundings, ...change }).map((each) => `${each.severity}: ${each.message}`);
}

describe("the tools of a project", () => {
  it("are all right when all is there", () => {
    expect(messagesOf({})).toEqual([]);
    expect(messagesOf({ nodeVersion: "v24.1.0" })).toEqual([]);
  });

  it.for(["v20.18.9", "v18.20.0"])("need a later Node than %s", (nodeVersion) => {
    expect(messagesOf({ nodeVersion })).toEqual([`error: Node ${nodeVersion} is not supported`]);
  });

  it.for(["{}", "\uFEFF{}", '{ "dependencies": { "kubescaffold": "^0.1.0" } }'])("have to be named: %s", (manifest) => {
    const [message, ...others] = messagesOf({ tree: treeOf(manifest) });
    expect(message).toMatch(/^error: the project does not depend on @kubescaffold\/k8s, @kubescaffold\/runtime/u);
    expect(others).toEqual([]);
  });

  it.for(["no JSON", "null", "7"])("are not looked for in a package.json that holds %s", (manifest) => {
    expect(messagesOf({ tree: treeOf(manifest) })).toEqual(["error: it is not a JSON object"]);
  });

  it("are not asked for where there is no program", () => {
    expect(
      messagesOf({ tree: new FileTree({ read: (path) => (path === "package.json" ? "{}" : undefined) }) }),
    ).toEqual([]);
    expect(messagesOf({ tree: treeOf(undefined) })).toEqual([]);
  });

  it("report a recorded version that is not exact, which updates refuse", () => {
    expect(messagesOf({ project: { layout: [], version: "3", cliVersion: "user/repo" } })).toContain(
      'error: cliVersion is "user/repo": it is not an exact version of three numbers, such as 0.2.0',
    );
  });

  it("may be missing, not installed, or of another version", () => {
    expect(
      messagesOf({
        root: temporaryFolder(),
        project: { layout: [], version: "3", cliVersion: "0.0.9" },
        hasProgram: (name) => name !== "kind",
      }),
    ).toEqual([
      "note: the dependencies are not installed",
      "note: the project was scaffolded by version 0.0.9, and this is version 0.1.0",
      "note: the program kind is not on the PATH",
    ]);
  });
});
