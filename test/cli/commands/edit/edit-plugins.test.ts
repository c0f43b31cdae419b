import { describe, expect, it } from "vitest";

import { INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

describe("edit --plugins", () => {
  it.each(["deploy-image/v1-alpha", "kustomize/v2", "deploy-image/v1-alpha,grafana/v1-alpha"])(
    "refuses %s, which takes no part in it",
    async (keys) => {
      const root = temporaryFolder();
      await runCommands(root, INIT);
      const files = readFiles(root);
      const { status, stderr } = await runCommand(root, `edit --plugins=${keys}`);
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("PLUGIN_UNSUPPORTED_COMMAND") });
      expect(readFiles(root)).toEqual(files);
    },
  );

  it.each(["ts/v1,deploy-image/v1-alpha", "deploy-image/v1-alpha"])(
    "changes settings of a project of %s, though one of its plugins takes no part",
    async (keys) => {
      const root = temporaryFolder();
      await runCommands(root, `${INIT} --plugins=${keys}`, "edit --multigroup --license none");
      const files = readFiles(root);
      expect(files["PROJECT"]).toContain("multigroup: true");
      expect(files).not.toHaveProperty(["hack/boilerplate.ts.txt"]);
    },
  );

  it("lets the default plugins change a setting", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, "edit --plugins=ts/v1 --multigroup");
    expect(readFiles(root)["PROJECT"]).toContain("multigroup: true");
  });
});
