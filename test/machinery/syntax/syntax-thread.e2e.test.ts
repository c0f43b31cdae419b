import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { beforeAll, describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../support/temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
// Below the package, whose name and version the program reads.
const BUILT = path.join(ROOT, "node_modules/.cache/kubescaffold-syntax-thread");
const WORKING = path.join(BUILT, "working");

function run(cwd: string, line: string, { dist = WORKING, cache = temporaryFolder() } = {}): unknown {
  const { status, stderr } = spawnSync(process.execPath, [path.join(dist, "scaffold.cjs"), ...line.split(" ")], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, XDG_CACHE_HOME: cache },
  });
  return { status, stderr };
}

// The built program with another thread, or without its file.
function withThread(name: string, source: string | undefined): string {
  const dist = path.join(BUILT, name);
  cpSync(WORKING, dist, { recursive: true });
  const thread = path.join(dist, "syntax-thread.cjs");
  if (source === undefined) rmSync(thread);
  else writeFileSync(thread, source);
  return dist;
}

const BROKEN = [
  ["cmd/main.ts", "const a = ;\n", /cannot change cmd\/main\.ts:\d+:11: it is not valid TypeScript/u],
  [
    "config/rbac/kustomization.yaml",
    "a: [\n",
    /cannot change config\/rbac\/kustomization\.yaml:\d+:\d+: it is not valid YAML/u,
  ],
] as const;

async function brokenProject(file: string, text: string): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT);
  appendFileSync(path.join(root, file), text);
  return root;
}

describe("the built program, whose thread parses files", () => {
  beforeAll(() => {
    rmSync(BUILT, { recursive: true, force: true });
    execFileSync(process.execPath, ["scripts/build-bundle.mjs", WORKING], { cwd: ROOT, stdio: "pipe" });
  }, 120_000);

  it("loads the compiler in the thread alone, with a code cache of its own, and not for what is plain", () => {
    const [root, cache] = [temporaryFolder(), temporaryFolder()];
    const scripts = (): readonly string[] =>
      Object.keys(readFiles(cache))
        .flatMap((file) => /(?<name>[a-z-]+)-[\da-f]{16}-node/u.exec(file)?.groups?.["name"] ?? [])
        .toSorted();
    expect(run(root, INIT, { cache })).toEqual({ status: 0, stderr: "" });
    expect(scripts()).toEqual(["program-init"]);
    expect(run(root, `${CREATE_API} --make=false`, { cache })).toEqual({ status: 0, stderr: "" });
    expect(scripts()).toEqual(["program-create", "program-init", "ts-morph-syntax"]);
  });

  it.each([
    ["works", readThread],
    ["throws", () => `throw new Error("broken");`],
    ["is missing", () => undefined],
    ["ends without an answer", () => `process.exit(0);`],
  ])("refuses a broken file, and writes nothing, when the thread %s", async (name, source) => {
    const dist = withThread(name.replaceAll(" ", "-"), source());
    for (const [file, text, message] of BROKEN) {
      const root = await brokenProject(file, text);
      const before = readFiles(root);
      const expected = await runCommand(root, CREATE_API);
      expect(expected.stderr).toMatch(message);
      expect(run(root, CREATE_API, { dist })).toEqual({ status: expected.status, stderr: expected.stderr });
      expect(readFiles(root)).toEqual(before);
    }
    const fresh = temporaryFolder();
    expect(run(fresh, INIT, { dist })).toEqual({ status: 0, stderr: "" });
    expect(run(fresh, CREATE_API, { dist })).toEqual({ status: 0, stderr: "" });
  });

  it("ends when nothing was asked of a thread that would never end", () => {
    const dist = withThread("endless", "setInterval(() => undefined, 1000);");
    expect(run(temporaryFolder(), CREATE_API, { dist })).toEqual({
      status: 1,
      stderr: expect.stringContaining("[PROJECT_NOT_FOUND]") as string,
    });
  });
});

function readThread(): string {
  return readFileSync(path.join(WORKING, "syntax-thread.cjs"), "utf8");
}
