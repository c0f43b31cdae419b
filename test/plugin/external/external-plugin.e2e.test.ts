import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it, onTestFinished } from "vitest";

import { discoverPlugins } from "../../../src/plugin/external/discover-plugins.ts";
import { externalPlugin } from "../../../src/plugin/external/external-plugin.ts";
import type { PluginRegistry } from "../../../src/plugin/registry.ts";
import { CREATE_API, INIT, runCommand, STANDARD_REGISTRY } from "../../support/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const PROGRAMS = fileURLToPath(new URL("./plugins", import.meta.url));
const TIMEOUT_MS = 60_000;
const hasProgram = (name: string, argument: string): boolean => spawnSync(name, [argument]).status === 0;

/** A folder of plugins, with the program of one. */
function install(key: string, write: (file: string) => void): string {
  const folder = temporaryFolder();
  const [name = "", version = ""] = key.split("/");
  mkdirSync(path.join(folder, name, version), { recursive: true });
  const file = path.join(folder, name, version, name);
  write(file);
  chmodSync(file, 0o755);
  return folder;
}

const script = (source: string) => (file: string) => {
  writeFileSync(file, `#!/usr/bin/env node\n${source}\n`);
};

function withPlugins(folder: string, cwd: string, timeoutMs = TIMEOUT_MS): PluginRegistry {
  const { plugins, problems } = discoverPlugins([folder]);
  const external = plugins.map((each) => externalPlugin(each, { cwd, timeoutMs }));
  return { ...STANDARD_REGISTRY, plugins: [...STANDARD_REGISTRY.plugins, ...external], problems };
}

async function project(): Promise<string> {
  const root = temporaryFolder();
  expect(await runCommand(root, INIT)).toMatchObject({ status: 0 });
  return root;
}

describe("a plugin in Python", { skip: !hasProgram("python3", "--version"), timeout: TIMEOUT_MS }, () => {
  const installed = (): string => install("notes/v1", (file) => copyFileSync(path.join(PROGRAMS, "notes.py"), file));

  it("takes part in the chain of a project, reads its flags and adds to its own files", async () => {
    const root = temporaryFolder();
    const registry = withPlugins(installed(), root);
    expect(await runCommand(root, `${INIT} --plugins ts/v1,notes/v1 --note hello`, registry)).toMatchObject({
      status: 0,
    });
    expect(await runCommand(root, `${CREATE_API} --stars 3`, registry)).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(path.join(root, "NOTES.md"), "utf8")).toBe("# hello\nGuestbook ***\n");
    expect(readFileSync(path.join(root, "PROJECT"), "utf8")).toContain("- notes/v1");
    const { stdout } = await runCommand(root, CREATE_API.replace("v1", "v2").concat(" --controller=false"), registry);
    expect(stdout).toContain("changed NOTES.md\n");
    expect(stdout).not.toContain("--force");
  });

  it("is part of help, with its flags, its words and its examples", async () => {
    const root = temporaryFolder();
    const { stdout } = await runCommand(root, "init --plugins notes/v1 --help", withPlugins(installed(), root));
    expect(stdout).toContain("With notes/v1:\nKeeps notes.");
    expect(stdout).toMatch(/--note string +what to write down \(default "begun"\)/u);
    expect(stdout).toContain("scaffold init --plugins notes/v1 --note hello");
  });

  it("has its flags checked before it is run", async () => {
    const root = await project();
    const result = await runCommand(
      root,
      `${CREATE_API} --plugins notes/v1 --stars many`,
      withPlugins(installed(), root),
    );
    expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining("It must be an integer") });
  });

  it("is run again with the flags of its commands when the project is regenerated, and not when parts are compared", async () => {
    const root = temporaryFolder();
    const registry = withPlugins(installed(), root);
    const run = async (line: string): Promise<void> => {
      expect(await runCommand(root, line, registry)).toMatchObject({ status: 0 });
    };
    await run(`${INIT} --plugins ts/v1,notes/v1`);
    await run(CREATE_API);
    expect(readFileSync(path.join(root, "NOTES.md"), "utf8")).toBe("# begun\nGuestbook *\n");
    await run("manifests");
    await run("generate");
    await run("doctor");
    await run("alpha generate --output-dir dist/again --make=false");
    expect(readFileSync(path.join(root, "dist/again/NOTES.md"), "utf8")).toMatch(/^# begun\n(?:Guestbook \*\n)+$/u);
    await run("rename api --group webapp --kind Guestbook --to-kind Visitor");
    await run("delete api --group webapp --version v1 --kind Visitor");
  });

  it("says its errors, and nothing is written", async () => {
    const root = await project();
    const before = readFileSync(path.join(root, "PROJECT"), "utf8");
    const result = await runCommand(root, "edit --multigroup --plugins notes/v1", withPlugins(installed(), root));
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("plugin notes/v1: the notes are not about edit [PLUGIN_REPORTED]\ntry init");
    expect(readFileSync(path.join(root, "PROJECT"), "utf8")).toBe(before);
  });
});

describe("a plugin in Go", { skip: !hasProgram("go", "version"), timeout: 10 * TIMEOUT_MS }, () => {
  const installed = (): string =>
    install("counter.example.com/v2-alpha", (file) => {
      const source = temporaryFolder();
      copyFileSync(path.join(PROGRAMS, "counter.go.txt"), path.join(source, "main.go"));
      writeFileSync(path.join(source, "go.mod"), "module counter.example.com\n\ngo 1.21\n");
      execFileSync("go", ["build", "-o", file, "."], { cwd: source });
    });

  it("is part of help though its keys are those of Go's fields", async () => {
    const root = await project();
    const { stdout } = await runCommand(root, "edit --plugins counter/v2-alpha --help", withPlugins(installed(), root));
    expect(stdout).toContain("With counter.example.com/v2-alpha:\nCounts files.");
    expect(stdout).toMatch(/--shout +write in capitals/u);
    expect(stdout).toContain("edit --plugins counter/v2-alpha");
  });

  it("sees the files of the project and none of what is installed, and knows the chain", async () => {
    const root = await project();
    mkdirSync(path.join(root, "node_modules", "x"), { recursive: true });
    writeFileSync(path.join(root, "node_modules", "x", "index.js"), "");
    writeFileSync(path.join(root, "logo.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]));
    const registry = withPlugins(installed(), root);
    expect(await runCommand(root, "edit --plugins counter/v2-alpha --shout", registry)).toMatchObject({ status: 0 });
    const text = readFileSync(path.join(root, "docs/COUNT.txt"), "utf8");
    expect(text).toMatch(/^\d+ FILES, CHAIN COUNTER\.EXAMPLE\.COM\/V2-ALPHA TS\.KUBESCAFFOLD\.DEV\/V1\n$/u);
    expect(existsSync(path.join(root, "logo.png"))).toBe(true);
  });
});

describe("a plugin that misbehaves", { timeout: TIMEOUT_MS }, () => {
  const outcome = async (source: string, timeoutMs?: number): Promise<string> => {
    const root = await project();
    const registry = withPlugins(install("bad/v1", script(source)), root, timeoutMs);
    const { status, stderr } = await runCommand(root, "edit --multigroup --plugins bad/v1", registry);
    expect(status).toBe(1);
    expect(readFileSync(path.join(root, "PROJECT"), "utf8")).not.toContain("multigroup");
    return stderr;
  };

  it("by printing no JSON is quoted", async () => {
    expect(await outcome(`console.log("hello, world")`)).toContain(
      `cannot read the response of plugin bad/v1: it is not a JSON document; it starts with "hello, world"`,
    );
  });

  it("by printing nothing is reported", async () => {
    expect(await outcome("")).toContain("cannot read the response of plugin bad/v1: it printed nothing");
  });

  it("with a response of an unexpected form names the place", async () => {
    expect(await outcome(`console.log('{"universe": {"a": 1}}')`)).toContain("universe.a must be string");
  });

  it("by failing is named with its status", async () => {
    expect(await outcome("process.exitCode = 3")).toContain("plugin bad/v1 exited with status 3");
  });

  it("by never ending is stopped", async () => {
    expect(await outcome("setInterval(() => {}, 1000)", 500)).toContain("plugin bad/v1 did not respond within 0.5 s");
  });

  it.skipIf(process.platform === "win32")("is stopped with all that it has started", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    // What it starts holds its output open, and a connection to this test.
    const started = `require("node:net").connect(${String(port)}, "127.0.0.1")`;
    const stopped = once(server, "connection").then(([socket]) => once(socket as Socket, "close"));
    const child = `import { spawn } from "node:child_process"; spawn(process.execPath, ["-e", '${started}'], { stdio: "inherit" });`;
    expect(await outcome(child, 3000)).toContain("plugin bad/v1 did not respond within 3 s");
    await stopped;
  });

  it("by writing outside of the project is stopped", async () => {
    expect(await outcome(`console.log('{"universe": {"../x": "y"}}')`)).toContain("it writes ../x");
  });
});
