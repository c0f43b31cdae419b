import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { transform } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUNDLE = fileURLToPath(new URL("../../node_modules/.cache/kubescaffold-bundle/scaffold.cjs", import.meta.url));

function runBundle(
  cwd: string,
  line: string,
  cacheHome?: string,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUNDLE, ...line.split(" ")], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...(cacheHome === undefined ? {} : { XDG_CACHE_HOME: cacheHome }) },
  });
  return { status, stdout, stderr };
}

describe("the bundled program", () => {
  beforeAll(() => {
    execFileSync(process.execPath, ["scripts/build-bundle.mjs", "node_modules/.cache/kubescaffold-bundle"], {
      cwd: ROOT,
      stdio: "pipe",
    });
  }, 180_000);

  it("writes what the sources write, file by file", async () => {
    const [ours, bundled] = [temporaryFolder(), temporaryFolder()];
    await runCommands(ours, INIT, CREATE_API, CREATE_WEBHOOK, "manifests");
    for (const line of [INIT, CREATE_API, CREATE_WEBHOOK, "manifests"])
      expect(runBundle(bundled, line)).toMatchObject({ status: 0, stderr: "" });
    expect(readFiles(bundled)).toEqual(readFiles(ours));
  });

  it("names the commit that it was built from, where git knows one", () => {
    const isClone = existsSync(path.join(ROOT, ".git"));
    const commit = isClone ? /^[\da-f]{40}(?:-dirty)?$/u : /^unknown$/u;
    expect(JSON.parse(runBundle(temporaryFolder(), "version --output json").stdout)).toMatchObject({
      commit: expect.stringMatching(commit) as string,
    });
  });

  it("keeps the code of each command apart, so that help does not load what others ran", () => {
    const cache = temporaryFolder();
    for (const line of ["version", "nonsense", "--help", "help"]) runBundle(cache, line, cache);
    const uses = Object.keys(readFiles(cache)).map((file) => /program-([a-z]*)-/u.exec(file)?.[1] ?? file);
    expect(uses.toSorted()).toEqual(["help", "version"]);
  });

  it("reads the script of the other commands for none that starts a project or adds to it", () => {
    const [root, cache] = [temporaryFolder(), temporaryFolder()];
    const scripts = (): readonly string[] =>
      Object.keys(readFiles(cache)).map((file) => path.basename(file).replace(/-[0-9a-f]{16}-.*$/u, ""));
    for (const line of ["version", "--help", INIT, `${CREATE_API} --make=false`, `${CREATE_WEBHOOK} --make=false`])
      expect(runBundle(root, line, cache)).toMatchObject({ status: 0, stderr: "" });
    expect(scripts().toSorted()).toEqual(expect.arrayContaining(["program-create", "program-help", "program-init"]));
    expect(scripts().filter((name) => name.startsWith("commands"))).toEqual([]);
    runBundle(root, "manifests", cache);
    expect(scripts().filter((name) => name.startsWith("commands"))).toEqual(["commands-manifests"]);
  });

  it("caches a run in the user's cache folder, unless this is disabled or impossible", () => {
    const source = `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface Apple extends KubernetesObject {
  // +kubebuilder:nonsense
  spec: string;
}
`;
    const root = temporaryFolder({ "api/v1/a.ts": source });
    const cache = temporaryFolder();
    const run = (line: string, cacheHome = cache): string => runBundle(root, line, cacheHome).stderr;
    const records = (): readonly string[] => Object.keys(readFiles(cache)).filter((file) => file.includes("/runs/"));
    const first = run("gen crd paths=./... --no-cache");
    expect([first, records()]).toEqual([expect.stringContaining("warning MARKER_UNKNOWN"), []]);
    const before = readFiles(root);
    expect([run("gen crd paths=./..."), run("gen crd paths=./..."), records().length]).toEqual([first, first, 1]);
    writeFiles(root, { "config/crd/demo.example.com_apples.yaml": "by hand\n" });
    expect([run("gen crd paths=./..."), readFiles(root)]).toEqual([first, before]);
    expect(run("gen crd paths=./...", path.join(root, "api/v1/a.ts"))).toBe(first);
    expect(readFiles(root)).toEqual(before);
  });

  it.each(["--help", "create api --help", "version"])("prints for %s what the sources print", async (line) => {
    const folder = temporaryFolder();
    const { stdout } = await runCommand(folder, line);
    // The bundle describes the default plugin in its own words.
    const withoutPlugins = (text: string): string => text.replace(/Available Plugins:[\s\S]*?\n\n/u, "");
    // Sources that nobody built have no commit.
    const withoutCommit = (text: string): string => text.replace(/commit [\w-]+ of [\w:-]+,/u, "commit unknown,");
    expect(withoutCommit(withoutPlugins(runBundle(folder, line).stdout))).toBe(withoutPlugins(stdout));
  });

  it.each([
    ["initt", 2],
    ["create api --groop a", 2],
    ["create api --version v1 --kind A", 1],
  ])("ends %s with status %i", (line, status) => {
    const result = runBundle(temporaryFolder(), line);
    expect(result).toMatchObject({ status, stdout: "" });
    expect(result.stderr).toMatch(/^error: .*\[[A-Z_]+\]\nhint: /u);
  });

  it.each(["14.21.3", "18.20.8", "20.18.3"])("prints in one sentence that Node.js %s is too old", (version) => {
    const folder = temporaryFolder({
      "preload.cjs": `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`,
    });
    const words = ["--require", path.join(folder, "preload.cjs"), BUNDLE, "version"];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `error: kubescaffold requires Node.js 20.19 or later, and this is Node.js ${version}: install the current LTS release from https://nodejs.org [NODE_UNSUPPORTED]\n`,
    );
  });

  it("has a launcher in syntax that Node.js 14 parses", async () => {
    const launcher = readFileSync(BUNDLE, "utf8");
    const options = { format: "esm" } as const;
    const lowered = await transform(launcher, { ...options, target: "node14" });
    expect(lowered.code).toBe((await transform(launcher, { ...options, target: "esnext" })).code);
    expect(launcher).not.toContain('from"node:');
  });
});
