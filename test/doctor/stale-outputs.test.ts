import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

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
  it("is stale after the sources have changed, though nobody generated anything", async () => {
    const root = await project(CHART);
    const types = path.join(root, "api/v1/guestbook_types.ts");
    const text = readFiles(root)["api/v1/guestbook_types.ts"] ?? "";
    writeFileSync(types, text.replace("export interface GuestbookSpec {", "$&\n  /** Pages. */\n  pages?: string;\n"));
    expect(await findingsOf(root)).toEqual([stale("templates/crd/guestbooks.webapp.demo.yaml")]);
  });

  it("that cannot be regenerated is a note of doctor", async () => {
    const root = await project(CHART);
    rmSync(path.join(root, "config/manager/kustomization.yaml"));
    expect(await findingsOf(root)).toEqual([
      expect.objectContaining({
        severity: "note",
        message: expect.stringContaining("it cannot be regenerated: "),
        hint: expect.stringContaining(`then run ${FIX}`),
      }),
    ]);
  });
});
