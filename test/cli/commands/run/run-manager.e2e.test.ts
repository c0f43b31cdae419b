import { spawn } from "node:child_process";
import { once } from "node:events";

import { describe, expect, it, onTestFinished } from "vitest";

import { newProject, PROGRAM, type ProjectCopy } from "../../../e2e/project-copy.ts";
import { INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { userEnvironment } from "../../../support/run-program.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

// A project whose manager is this source.
async function project(main: string): Promise<ProjectCopy> {
  const made = newProject();
  onTestFinished(made.remove);
  await runCommands(made.root, INIT);
  writeFiles(made.root, { "cmd/main.ts": main });
  return made;
}

const PRINT = "console.log(JSON.stringify(process.argv.slice(2)));\nprocess.exitCode = 7;\nexport {};\n";

describe("scaffold run", () => {
  it.each([
    ["run", []],
    ["run --zap-log-level=debug --leader-elect", ["--zap-log-level=debug", "--leader-elect"]],
    ["run -- --help", ["--help"]],
  ])("%s gives the manager %j, and ends with its status", async (line, args) => {
    const { root } = await project(PRINT);
    const { status, stdout } = await runCommand(root, line);
    expect({ status, stdout }).toEqual({ status: 7, stdout: `${JSON.stringify(args)}\n` });
  });

  it.each(["run", "dev", "dev --watch=false"])("%s names a missing package before it starts anything", async (line) => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const { status, stdout, stderr } = await runCommand(root, line);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(
      "error: cannot run cmd/main.ts: the package tsx is not installed [CLI_EXTERNAL_PROGRAM]\nhint: run `npm install` in the project\n",
    );
  });

  it("--help is about the command", async () => {
    const { root } = await project(PRINT);
    const { status, stdout } = await runCommand(root, "run --help");
    expect(status).toBe(0);
    expect(stdout).toContain("`scaffold run -- --help` lists its flags");
  });

  it.skipIf(process.platform === "win32")("lets the manager stop at SIGTERM before it ends", async () => {
    const main = [
      'process.on("SIGTERM", () => { console.log("stopped"); process.exit(0); });',
      "setInterval(() => undefined, 1000);",
      'console.log("started");',
      "export {};",
      "",
    ].join("\n");
    const { root } = await project(main);
    const child = spawn(process.execPath, [PROGRAM, "run"], {
      cwd: root,
      env: userEnvironment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      if (output === "started\n") child.kill("SIGTERM");
    });
    const [status] = (await once(child, "close")) as readonly unknown[];
    expect({ status, output }).toEqual({ status: 0, output: "started\nstopped\n" });
  });
});
