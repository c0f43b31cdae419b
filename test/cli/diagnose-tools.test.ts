import { describe, expect, it } from "vitest";

import { diagnoseTools, type ToolSurroundings } from "../../src/cli/diagnose-tools.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function messagesOf(change: Partial<ToolSurroundings>): readonly string[] {
  const surroundings = {
    root: temporaryFolder({ "node_modules/x": "" }),
    project: { layout: [], version: "3" },
    tree: new FileTree({ read: () => "{}" }),
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
    expect(messagesOf({ nodeVersion })).toEqual([`error: Node ${nodeVersion} is too old`]);
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
