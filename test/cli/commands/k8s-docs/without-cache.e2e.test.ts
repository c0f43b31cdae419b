import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, vi } from "vitest";

import { describeNewProject } from "../../../../src/cli/commands/k8s-docs/run-k8s-docs.ts";
import { runCommand, STANDARD_REGISTRY } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";
import { DECLARATIONS, MODELS, projectFolder, readTypes, useOwnCache, useRegistry } from "./described-types.ts";

const cacheOfTest = useOwnCache();

// Root may write to a folder of any permissions, but to no folder below a file.
function loseCache(): void {
  writeFileSync(path.join(cacheOfTest(), "kubescaffold"), "");
}

describe("k8s-docs without a writable cache", () => {
  it("describes the types, with a warning", async () => {
    loseCache();
    await useRegistry(MODELS);
    const root = projectFolder();
    const { status, stdout, stderr } = await runCommand(root, "k8s-docs");
    expect(status).toBe(0);
    expect(stdout).not.toContain("cached");
    expect(stdout).toContain("types    described in 1 file");
    expect(readTypes(root)).toContain("The containers of a Pod.");
    expect(stderr).toBe(
      `warning: cannot cache the descriptions in ${path.join(cacheOfTest(), "kubescaffold", "k8s-docs")}: a file is in the place of a folder (ENOTDIR); ` +
        "`scaffold explain` and API servers print none\n" +
        "hint: choose another path, or move the file; XDG_CACHE_HOME selects another cache folder\n",
    );
  });

  it("writes the file of the project", async () => {
    loseCache();
    await useRegistry(MODELS);
    const root = temporaryFolder();
    const { status, stderr } = await runCommand(root, "k8s-docs --output-file docs.json");
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^warning: cannot cache/u)]);
    expect(Object.keys(readFiles(root))).toEqual(["docs.json"]);
  });

  it("fails where nothing else shows the descriptions", async () => {
    loseCache();
    await useRegistry(MODELS);
    const root = temporaryFolder();
    const { status, stdout, stderr } = await runCommand(root, "k8s-docs");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: cannot cache the descriptions in .* \[SCAFFOLD_DISK\]\nhint: .*\n$/u);
    expect(readFiles(root)).toEqual({});
  });

  it("downloads without the cache of npm", async () => {
    vi.stubEnv("npm_config_cache", path.join(cacheOfTest(), "file", "npm"));
    writeFileSync(path.join(cacheOfTest(), "file"), "");
    await useRegistry(MODELS);
    const root = projectFolder();
    expect(await runCommand(root, "k8s-docs")).toMatchObject({ status: 0, stderr: "" });
    expect(readTypes(root)).toContain("The containers of a Pod.");
  });

  it("prints what explain knows", async () => {
    loseCache();
    const { status, stdout, stderr } = await runCommand(temporaryFolder(), "explain pod.spec");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Kind:     Pod\n");
  });
});

describe("descriptions of a new project", () => {
  it("are added to its types", async () => {
    await useRegistry(MODELS);
    const root = projectFolder();
    expect(await noteOf(root)).toBe("");
    expect(readTypes(root)).toContain("The containers of a Pod.");
  });

  it("are added without a writable cache", async () => {
    loseCache();
    await useRegistry(MODELS);
    const root = projectFolder();
    expect(await noteOf(root)).toBe("");
    expect(readTypes(root)).toContain("The containers of a Pod.");
  });

  it("are a note of one line where they cannot be downloaded", async () => {
    vi.stubEnv("npm_config_registry", "http://127.0.0.1:9");
    const root = projectFolder();
    expect(await noteOf(root)).toMatch(
      /^note: the types of Kubernetes have no descriptions in editors: cannot download \S+ and \S+ with npm: .*ECONNREFUSED 127\.0\.0\.1:9; run `npx scaffold k8s-docs` to add them\n$/u,
    );
    expect(readTypes(root)).toBe(DECLARATIONS);
  });

  it("are a note of one line where there is no npm", async () => {
    const empty = path.join(cacheOfTest(), "empty");
    mkdirSync(empty);
    vi.stubEnv("PATH", empty);
    expect(await noteOf(projectFolder())).toBe(
      "note: the types of Kubernetes have no descriptions in editors: cannot run npm: no such program; run `npx scaffold k8s-docs` to add them\n",
    );
    expect(existsSync(path.join(cacheOfTest(), "kubescaffold"))).toBe(false);
  });
});

const PROGRAM = { name: "scaffold", version: "0.1.0", packageRoot: "", registry: async () => STANDARD_REGISTRY };

async function noteOf(cwd: string): Promise<string> {
  let text = "";
  const terminal = { isInteractive: false, writeOut: () => undefined, writeError: (each: string) => (text += each) };
  await describeNewProject({ cwd, terminal, program: PROGRAM });
  return text;
}
