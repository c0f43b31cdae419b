import { describe, expect, it } from "vitest";

import { allArguments, manifestArguments, schemaArguments } from "../../../src/cli/generating/project-arguments.ts";
import { FileTree } from "../../../src/machinery/file-tree.ts";

const BARE = new FileTree({ read: () => undefined });
const WITH_HEADER = new FileTree({ read: (path) => (path === "hack/boilerplate.ts.txt" ? "/* Ours. */" : undefined) });

describe("the generators of a project", () => {
  it("write the header of the project into code, where there is one", () => {
    expect(schemaArguments(BARE)).toEqual(["object", "applyconfiguration", "conversion", "paths=./..."]);
    expect(schemaArguments(WITH_HEADER)).toEqual([
      expect.stringMatching(/^object:headerFile=hack\/boilerplate\.ts\.txt,year=\d{4}$/u),
      expect.stringMatching(/^applyconfiguration:headerFile=hack\/boilerplate\.ts\.txt,year=\d{4}$/u),
      expect.stringMatching(/^conversion:headerFile=hack\/boilerplate\.ts\.txt,year=\d{4}$/u),
      "paths=./...",
    ]);
  });

  it("make schemas and manifests in one run", () => {
    expect(allArguments(BARE)).toEqual(["object", "applyconfiguration", "conversion", ...manifestArguments(BARE)]);
  });
});
