import { describe, expect, it } from "vitest";

import { knownValues } from "../../src/cli/known-values.ts";
import { CREATE_API, INIT, runCommands, STANDARD_REGISTRY } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const program = { name: "scaffold", version: "0.1.0", packageRoot: "/", registry: async () => STANDARD_REGISTRY };

describe("the values of a flag", () => {
  it("are those of the resources in PROJECT, each once", async () => {
    const cwd = temporaryFolder();
    await runCommands(cwd, INIT, CREATE_API, CREATE_API.replace("Guestbook", "Visitor"));
    expect(await knownValues("kind", { program, cwd })).toEqual(["Guestbook", "Visitor"]);
    expect(await knownValues("group", { program, cwd })).toEqual(["webapp"]);
    expect(await knownValues("spoke", { program, cwd })).toEqual(["v1"]);
    expect(await knownValues("domain", { program, cwd })).toEqual([]);
  });

  it("are the keys of plugins that may be asked for", async () => {
    const keys = await knownValues("plugins", { program, cwd: temporaryFolder() });
    expect(keys).toContain("deploy-image.ts.kubescaffold.dev/v1-alpha");
    expect(keys).not.toContain("base.ts.kubescaffold.dev/v1");
  });

  it.each([[{}], [{ PROJECT: "version: [" }]])("are none without a good project (%o)", async (files) => {
    expect(await knownValues("kind", { program, cwd: temporaryFolder(files) })).toEqual([]);
  });
});
