import { rmSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CHART = "edit --plugins=helm/v2-alpha --output-dir=charts";
const FIX = "scaffold edit --plugins=helm/v2-alpha";
const API = CREATE_API.replace(" --make=false", "");

async function project(...commands: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, API, ...commands);
  return root;
}

interface Report {
  readonly findings: readonly { readonly severity: string; readonly path: string; readonly message: string }[];
}

async function findingsOf(root: string): Promise<readonly unknown[]> {
  const { stdout } = await runCommand(root, "doctor --output json");
  return (JSON.parse(stdout) as Report).findings.filter((each) => each.path === "charts/chart");
}

function stale(file: string): object {
  return {
    severity: "note",
    path: "charts/chart",
    message: expect.stringContaining(`generated files are stale: charts/chart/${file}`),
    hint: `run ${FIX}, which preserves your changes`,
    canFix: false,
  };
}

describe("a chart of a project", () => {
  it.each([
    ["create api", API.replace("Guestbook", "Visitor"), "crd/visitors.webapp.demo.yaml"],
    ["create webhook", CREATE_WEBHOOK.replace(" --make=false", ""), "cert-manager/"],
    ["delete api", "delete api --group webapp --version v1 --kind Guestbook", "crd/guestbooks.webapp.demo.yaml"],
    ["rename api", "rename api --group webapp --version v1 --kind Guestbook --to-kind Visitor", "crd/guestbooks"],
    ["edit --namespaced", "edit --namespaced --force", "rbac/guestbook-admin-role.yaml"],
  ])("is stale after %s, which says so, and so does doctor until it is regenerated", async (_title, command, file) => {
    const root = await project(CHART);
    expect(await findingsOf(root)).toEqual([]);
    const { status, stdout } = await runCommand(root, command);
    expect(status).toBe(0);
    expect(stdout).toContain(`\nNext:\n`);
    expect(stdout).toContain(`  ${FIX}    # regenerates charts/chart\n`);
    expect(await findingsOf(root)).toEqual([stale(`templates/${file}`)]);
    await runCommands(root, FIX.slice("scaffold ".length));
    expect(await findingsOf(root)).toEqual([]);
  });

  it("is not spoken of when it is not there, or when the command has made it", async () => {
    const root = await project();
    expect((await runCommand(root, "edit --multigroup")).stdout).not.toContain("regenerates");
    expect((await runCommand(root, CHART)).stdout).not.toContain("# makes");
    rmSync(path.join(root, "charts"), { recursive: true });
    expect((await runCommand(root, "edit --multigroup=false")).stdout).not.toContain("regenerates");
    expect(await findingsOf(root)).toEqual([]);
  });
});
