import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { INIT, runCommand } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const KEY = "kubernetesVersion";

describe("the version of Kubernetes of a project", () => {
  it("is the newest one by default, and that of init otherwise; 1.35 is not recorded", async () => {
    const section = (minor: string): string =>
      `plugins:\n  base.ts.kubescaffold.dev/v1:\n    kubernetesVersion: "${minor}"\n`;
    expect(projectIn(await started())).toContain(section("1.37"));
    expect(projectIn(await started("--kubernetes 1.35"))).not.toContain(KEY);
    const folder = await started("--kubernetes 1.36");
    expect(projectIn(folder)).toContain(section("1.36"));
    expect((await runCommand(folder, "doctor")).stdout).not.toContain(KEY);
  });

  it("is changed by edit, which shows it", async () => {
    const folder = await started();
    const { status, stderr } = await runCommand(folder, "edit --kubernetes v1.36.2");
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'note: Kubernetes 1.36 is used for --kubernetes "v1.36.2"\n',
    });
    expect(projectIn(folder)).toContain('kubernetesVersion: "1.36"');
    expect((await runCommand(folder, "edit --show")).stdout).toMatch(/^kubernetes {9}1\.36$/mu);
    const shown = JSON.parse((await runCommand(folder, "edit --show --output json")).stdout) as object;
    expect(shown).toMatchObject({ kubernetes: "1.36" });
    expect((await runCommand(folder, "edit --kubernetes 1.36")).stdout).toContain("already has these settings");
    await runCommand(folder, "edit --kubernetes 1.35");
    expect(projectIn(folder)).not.toContain(KEY);
  });

  it.each(["init", "edit", "dev"])("must be supported for %s, which changes nothing", async (command) => {
    const folder = command === "init" ? temporaryFolder() : await started();
    const before = command === "init" ? "" : projectIn(folder);
    const { status, stderr } = await runCommand(folder, `${command} --kubernetes 1.33`);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `error: cannot use --kubernetes "1.33": Kubernetes 1.33 is not supported; supported are 1.34, 1.35, 1.36, and 1.37 [KUBERNETES_VERSION]
hint: use 1.34, 1.35, 1.36, or 1.37
`,
    });
    expect(command === "init" ? "" : projectIn(folder)).toBe(before);
  });

  it.each([
    ['"1.33"', '"1.33" is not a supported version of Kubernetes: 1.34, 1.35, 1.36, 1.37'],
    ['"new"', '"new" is not a supported version of Kubernetes: 1.34, 1.35, 1.36, 1.37'],
    ["1.36", "1.36 is not a text: put it in quotes"],
    ["[]", "[] is not a text: put it in quotes"],
  ])("is refused with its line in PROJECT: %s", async (value, problem) => {
    const folder = await started("--kubernetes 1.37");
    const file = path.join(folder, "PROJECT");
    const text = readFileSync(file, "utf8").replace('"1.37"', value);
    writeFileSync(file, text);
    const line = text.slice(0, text.indexOf(KEY)).split("\n").length;
    const { status, stderr } = await runCommand(folder, "manifests");
    expect(status).toBe(1);
    expect(stderr).toContain(`PROJECT:${String(line)}:`);
    expect(stderr).toContain(`${KEY} ${problem}`);
  });

  it("is refused for the cluster of a kubeconfig", async () => {
    const { stderr } = await runCommand(await started(), "dev --kubeconfig x --kubernetes 1.36");
    expect(stderr).toContain("cannot use --kubernetes with --kubeconfig: it is for the embedded cluster");
  });
});

async function started(flags = ""): Promise<string> {
  const folder = temporaryFolder();
  const { status, stderr } = await runCommand(folder, `${INIT} ${flags}`.trim());
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return folder;
}

function projectIn(folder: string): string {
  return readFileSync(path.join(folder, "PROJECT"), "utf8");
}
