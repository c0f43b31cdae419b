import { describe, expect, it } from "vitest";

import { INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

const API = "create api --resource=false --make=false";
const WEBHOOK = "create webhook --defaulting --make=false";

describe("a built-in kind of Kubernetes", () => {
  it.each([
    [`${API} --group apps --version v1 --kind Deployement`, "did you mean --kind Deployment?"],
    [`${WEBHOOK} --group core --version v1 --kind Pods`, "did you mean --kind Pod?"],
    [
      `${API} --group apps --version v9 --kind Deployment`,
      "pass --version v1, or set the module of its types with --external-api-path",
    ],
    [`${API} --group apps --version v2 --kind Widget`, "the group apps has the versions v1"],
    [
      `${WEBHOOK} --group extensions --version v1 --kind Ingress`,
      "set the module of its types with --external-api-path",
    ],
  ])("has to be one that there is: %s", async (line, wayOut) => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const files = readFiles(root);
    const { status, stderr } = await runCommand(root, line);
    expect(status).toBe(1);
    expect(stderr).toContain("the kind does not exist in Kubernetes [PROJECT_RESOURCE_NOT_FOUND]");
    expect(stderr).toContain(wayOut);
    expect(readFiles(root)).toEqual(files);
  });

  it.each([
    "--group core --version v1 --kind Namespace",
    "--group autoscaling --version v2 --kind HorizontalPodAutoscaler",
  ])("is found in its group: %s", async (gvk) => {
    const root = temporaryFolder();
    await runCommands(root, INIT, `${API} ${gvk}`, `${WEBHOOK} ${gvk}`);
    expect(readFiles(root)["PROJECT"]).toContain("core: true");
  });
});
