import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { runFormerProgram } from "../../src/upgrade/former-program.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const LIVENESS_MS = 120_000;

// Packs a program of the name that writes down how it was called.
function pack(folder: string, program: string): string {
  writeFiles(folder, {
    "kubescaffold/package.json": JSON.stringify({ name: "kubescaffold", version: "0.0.1" }),
    "kubescaffold/dist/scaffold.cjs": program,
    "library/package.json": JSON.stringify({ name: "@kubescaffold/k8s", version: "0.0.1" }),
  });
  for (const name of ["kubescaffold", "library"])
    execFileSync("npm", ["pack", "--silent", `./${name}`], { cwd: folder, stdio: "pipe" });
  return path.join(folder, "kubescaffold-0.0.1.tgz");
}

// A registry without packages that records what it is asked for.
async function startRegistry(): Promise<{ readonly url: string; readonly seen: readonly string[] }> {
  const seen: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    seen.push(url);
    response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

const { signal } = new AbortController();

describe("runFormerProgram", { timeout: LIVENESS_MS }, () => {
  it("installs a packed program with what was packed beside it, and lets it generate", async () => {
    const folder = temporaryFolder();
    const tarball = pack(
      folder,
      'const [fs, path] = [require("node:fs"), require("node:path")];\nconst out = process.argv.at(-1);\nrequire.resolve("@kubescaffold/k8s/package.json");\nfs.mkdirSync(out);\nfs.writeFileSync(path.join(out, "words"), process.argv.slice(2).join(" "));\n',
    );
    const [input, output] = [path.join(folder, "in"), path.join(folder, "out")];
    await runFormerProgram({ version: "0.0.1", tarball, input, output, signal });
    expect(readFileSync(path.join(output, "words"), "utf8")).toBe(
      `alpha generate --make=false --input-dir ${input} --output-dir ${output}`,
    );
  });

  it("says that there is no such tarball, before npm looks for a package there", async () => {
    const folder = temporaryFolder({ "api/x.ts": "" });
    for (const name of ["missing.tgz", "api"]) {
      const tarball = path.join(folder, name);
      const run = { version: "0.0.1", tarball, input: folder, output: path.join(folder, "out"), signal };
      await expect(runFormerProgram(run)).rejects.toMatchObject({
        code: "CLI_FORMER_PROGRAM",
        message: `cannot install the program of ${tarball}: no such file`,
      });
    }
  });

  it.each([
    "/tmp/evil",
    "user/repo",
    "file:../evil",
    "git+ssh://git@example.com/evil",
    "npm:evil@1.0.0",
    "latest",
    "^1.0.0",
  ])("refuses %s as a version before npm starts", async (version) => {
    const folder = temporaryFolder();
    const run = { version, tarball: undefined, input: folder, output: path.join(folder, "out"), signal };
    await expect(runFormerProgram(run)).rejects.toMatchObject({
      code: "CLI_FORMER_PROGRAM",
      message: expect.stringContaining(`"${version}" of the program: it is not an exact version`) as unknown,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("asks the registry of the user, and not the one that npm read from the project", async () => {
    const [own, foreign] = [await startRegistry(), await startRegistry()];
    vi.stubEnv("npm_execpath", "npm-cli.js");
    vi.stubEnv("npm_config_registry", foreign.url);
    const home = temporaryFolder({ npmrc: `registry=${own.url}\n` });
    vi.stubEnv("NPM_CONFIG_USERCONFIG", path.join(home, "npmrc"));
    vi.stubEnv("NPM_CONFIG_CACHE", path.join(home, "cache"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = temporaryFolder({ ".npmrc": `registry=${foreign.url}\n`, PROJECT: "" });
    const run = { version: "9.9.9", tarball: undefined, input: folder, output: path.join(folder, "out"), signal };
    await expect(runFormerProgram(run)).rejects.toMatchObject({ code: "CLI_FORMER_PROGRAM" });
    expect(own.seen).toContain("/kubescaffold");
    expect(foreign.seen).toEqual([]);
  });

  it("says what the program said when it fails", async () => {
    const folder = temporaryFolder();
    const tarball = pack(folder, 'console.error("cannot read PROJECT");\nprocess.exit(1);\n');
    const run = runFormerProgram({
      version: "0.0.1",
      tarball,
      input: folder,
      output: path.join(folder, "out"),
      signal,
    });
    await expect(run).rejects.toThrow(/cannot run version 0\.0\.1 of the program[^]*cannot read PROJECT/u);
  });
});
