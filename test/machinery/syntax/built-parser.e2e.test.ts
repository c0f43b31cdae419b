import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { beforeAll, describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../support/temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
// Below the package, whose name and version the program reads.
const DIST = path.join(ROOT, "node_modules/.cache/kubescaffold-built-parser");

function run(cwd: string, line: string, cache = temporaryFolder()): unknown {
  const { status, stderr } = spawnSync(process.execPath, [path.join(DIST, "scaffold.cjs"), ...line.split(" ")], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, XDG_CACHE_HOME: cache },
  });
  return { status, stderr };
}

describe("the built program, which parses what it is about to write", () => {
  beforeAll(() => {
    rmSync(DIST, { recursive: true, force: true });
    execFileSync(process.execPath, ["scripts/build-bundle.mjs", DIST], { cwd: ROOT, stdio: "pipe" });
  }, 120_000);

  it("loads a parser for it, no compiler, and neither for what is plain", () => {
    const [root, cache] = [temporaryFolder(), temporaryFolder()];
    const scripts = (): readonly string[] =>
      Object.keys(readFiles(cache))
        .flatMap((file) => /(?<name>[a-z-]+)-[\da-f]{16}-node/u.exec(file)?.groups?.["name"] ?? [])
        .toSorted();
    expect(run(root, INIT, cache)).toEqual({ status: 0, stderr: "" });
    expect(scripts()).toEqual(["program-init"]);
    expect(run(root, `${CREATE_API} --make=false`, cache)).toEqual({ status: 0, stderr: "" });
    expect(scripts()).toEqual(["program-create", "program-init", "ts-parser"]);
  });

  it.each([
    ["cmd/main.ts", "const a = ;\n", /cannot change cmd\/main\.ts:\d+:11: it is not valid TypeScript/u],
    [
      "config/rbac/kustomization.yaml",
      "a: [\n",
      /cannot change config\/rbac\/kustomization\.yaml:\d+:\d+: it is not valid YAML/u,
    ],
  ])("refuses a broken %s as the sources do, and writes nothing", async (file, text, message) => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    appendFileSync(path.join(root, file), text);
    const before = readFiles(root);
    const expected = await runCommand(root, CREATE_API);
    expect(expected.stderr).toMatch(message);
    expect(run(root, CREATE_API)).toEqual({ status: expected.status, stderr: expected.stderr });
    expect(readFiles(root)).toEqual(before);
  });
});
