import { describe, expect, it } from "vitest";

import { knownValues } from "../../../../src/cli/commands/completion/known-values.ts";
import { CREATE_API, INIT, runCommands, STANDARD_REGISTRY } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const program = { name: "scaffold", version: "0.1.0", packageRoot: "/", registry: async () => STANDARD_REGISTRY };
const typed = { command: ["create", "webhook"], values: {} };

describe("the values of a flag", () => {
  it("are those of the resources in PROJECT, each once", async () => {
    const cwd = temporaryFolder();
    await runCommands(cwd, INIT, CREATE_API, CREATE_API.replace("Guestbook", "Visitor"));
    expect(await knownValues("kind", { program, cwd, typed })).toEqual(["Guestbook", "Visitor"]);
    expect(await knownValues("group", { program, cwd, typed })).toEqual(["webapp"]);
    expect(await knownValues("spoke", { program, cwd, typed })).toEqual(["v1"]);
    expect(await knownValues("domain", { program, cwd, typed })).toEqual([]);
  });

  it("are as spokes the other versions of the kind that is typed: those to add, or to take out", async () => {
    const cwd = temporaryFolder();
    const api = (kind: string, version: string): string =>
      `create api --group webapp --version ${version} --kind ${kind} --resource --controller=false --make=false`;
    const ofGuestbook = { kind: ["Guestbook"], group: ["webapp"] };
    await runCommands(cwd, INIT, ...["v1", "v2", "v3", "v4"].map((version) => api("Guestbook", version)));
    await runCommands(cwd, api("Visitor", "v9"));
    const spokes = (verb: string, values: Readonly<Record<string, readonly string[]>>): Promise<readonly string[]> =>
      knownValues("spoke", { program, cwd, typed: { command: [verb, "webhook"], values } });
    expect(await spokes("create", { ...ofGuestbook, version: ["v1"] })).toEqual(["v2", "v3", "v4"]);
    expect(await spokes("delete", { ...ofGuestbook, version: ["v1"] })).toEqual([]);
    await runCommands(
      cwd,
      "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2 --make=false",
    );
    expect(await spokes("create", { ...ofGuestbook, version: ["v1"] })).toEqual(["v3", "v4"]);
    expect(await spokes("create", { ...ofGuestbook, version: ["v1"], spoke: ["v3"] })).toEqual(["v4"]);
    expect(await spokes("create", ofGuestbook)).toEqual(["v3", "v4"]);
    expect(await spokes("delete", { ...ofGuestbook, version: ["v1"] })).toEqual(["v2"]);
    expect(await spokes("create", {})).toEqual(["v3", "v4", "v9"]);
  });

  it("are the keys of plugins that may be asked for", async () => {
    const keys = await knownValues("plugins", { program, cwd: temporaryFolder(), typed });
    expect(keys).toContain("deploy-image.ts.kubescaffold.dev/v1-alpha");
    expect(keys).not.toContain("base.ts.kubescaffold.dev/v1");
  });

  it.each([[{}], [{ PROJECT: "version: [" }]])("are none without a good project (%o)", async (files) => {
    expect(await knownValues("kind", { program, cwd: temporaryFolder(files), typed })).toEqual([]);
  });
});
