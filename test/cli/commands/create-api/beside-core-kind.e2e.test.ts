import { describe, expect, it } from "vitest";

import { parseProject } from "../../../../src/project/project-file.ts";
import { INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";
import { typeCheck } from "../../../support/type-check.ts";

const GVK = "--group apps --version v1 --kind Deployment";
const CORE = { core: true, group: "apps", kind: "Deployment", version: "v1" };
const OWN = { api: { crdVersion: "v1" }, domain: "demo", group: "apps", kind: "Deployment", version: "v1" };

describe("an API with the names of a kind of Kubernetes", () => {
  it.each([
    ["a webhook", `create webhook ${GVK} --defaulting --make=false`, "--controller=false"],
    ["a controller", `create api ${GVK} --resource=false --controller --make=false`, "--controller=false"],
  ])("is a second resource, in the domain of the project, beside %s", async (_, before, flags) => {
    const root = temporaryFolder();
    await runCommands(root, INIT, before, `create api ${GVK} --resource --namespaced ${flags}`);
    const files = readFiles(root);
    const { resources } = parseProject(files["PROJECT"] ?? "");
    expect(resources).toMatchObject([CORE, OWN]);
    expect(files["api/v1/groupversion_info.ts"]).toContain("+groupName=apps.demo\n");
    expect(Object.keys(files)).toContain("config/crd/bases/apps.demo_deployments.yaml");
    expect(typeCheck(files)).toEqual([]);
    expect(await runCommand(root, `create api ${GVK} --resource --make=false ${flags}`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("the API resource already exists"),
    });
  });

  it("gets the controller that is added without a resource", async () => {
    const root = temporaryFolder();
    await runCommands(
      root,
      INIT,
      `create webhook ${GVK} --defaulting --make=false`,
      `create api ${GVK} --resource --controller=false`,
      `create api ${GVK} --resource=false --controller`,
    );
    const { resources } = parseProject(readFiles(root)["PROJECT"] ?? "");
    expect(resources).toMatchObject([CORE, { ...OWN, controller: true }]);
    expect(readFiles(root)["internal/controller/deployment_controller.ts"]).toContain("groups=apps.demo,");
  });
});
