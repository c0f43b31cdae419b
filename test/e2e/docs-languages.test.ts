/** The samples of the pages for other languages run, each with the client that `npm run clients` has installed. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

import { resolveAsset } from "@kubescaffold/envtest";
import { describe, expect, it } from "vitest";

import { listFiles, readSource, ROOT } from "../architecture/source-files.ts";
import { CLIENT_ENV, clientFolder } from "../support/other-clients.ts";
import { runProgram } from "../support/run-program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { stepsOf } from "./docs-code/tutorial-steps.ts";
import { PROGRAM } from "./project-copy.ts";

/** What a language needs beside the files of its page. */
interface Toolchain {
  /** Why the page cannot run here. */
  readonly missing: string | undefined;
  /** Prepares the folder that has the files of the page. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** Folders that precede the PATH. */
  readonly programs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the output contains if the tests ran. */
  readonly passed: RegExp;
}

const LIVENESS_MS = 300_000;
const kubectl = await resolveAsset("kubectl").catch(() => undefined);
const hasGo = spawnSync("go", ["version"]).status === 0;
const inClient = (language: string, ...names: readonly string[]): string => path.join(clientFolder(language), ...names);
const missingClient = (language: string): string | undefined =>
  existsSync(clientFolder(language)) ? undefined : `\`npm run clients\` has not installed the client of ${language}`;

const TOOLCHAINS: Readonly<Record<string, Toolchain>> = {
  python: {
    missing: missingClient("python"),
    programs: [inClient("python", "environment", "bin")],
    passed: /1 passed/u,
  },
  rust: {
    missing: missingClient("rust"),
    // The versions that were compiled for the client.
    prepare: async (folder) => {
      await mkdir(path.join(folder, "src"));
      await writeFile(path.join(folder, "src", "lib.rs"), "");
      await copyFile(inClient("rust", "Cargo.lock"), path.join(folder, "Cargo.lock"));
    },
    env: { ...CLIENT_ENV, CARGO_TARGET_DIR: inClient("rust", "target") },
    passed: /test becomes_available \.\.\. ok/u,
  },
  java: { missing: missingClient("java"), passed: /Tests run: 1, Failures: 0, Errors: 0/u },
  go: {
    missing: hasGo ? undefined : "there is no Go on the PATH",
    prepare: async (folder) => {
      const module = path.join(ROOT, "hack", "envtest");
      for (const name of ["go.mod", "go.sum"]) await copyFile(path.join(module, name), path.join(folder, name));
    },
    env: { CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: "-mod=mod" },
    passed: /^ok\s/mu,
  },
  shell: {
    missing: kubectl === undefined ? "`scripts/build-control-plane.mjs` has not built kubectl" : undefined,
    programs: [path.dirname(kubectl ?? "")],
    passed: /all checks passed/u,
  },
};

const PAGES = listFiles("docs/guides/languages").map((file) => path.basename(file, ".md"));

it("each page of a language has its toolchain", () => {
  expect(PAGES.toSorted()).toEqual(Object.keys(TOOLCHAINS).toSorted());
});

describe.each(Object.entries(TOOLCHAINS))("the page for %s", { timeout: LIVENESS_MS }, (language, toolchain) => {
  if (toolchain.missing !== undefined) console.warn(`SKIPPED: the page for ${language}: ${toolchain.missing}`);

  it.skipIf(toolchain.missing !== undefined)("has tests that pass", async () => {
    const folder = temporaryFolder();
    const steps = stepsOf(readSource(`docs/guides/languages/${language}.md`));
    for (const step of steps) if (step.kind === "file") await write(path.join(folder, step.path), step.text);
    await toolchain.prepare?.(folder);
    const programs = path.join(folder, ".programs");
    await write(path.join(programs, "scaffold"), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
    await chmod(path.join(programs, "scaffold"), 0o755);
    const PATH = [...(toolchain.programs ?? []), programs, process.env["PATH"] ?? ""].join(path.delimiter);
    const commands = steps.flatMap((step) => (step.kind === "command" ? [step.line] : []));
    expect(commands).toHaveLength(1);
    const { status, output } = await runProgram("sh", ["-c", commands[0] ?? ""], {
      cwd: folder,
      env: { ...toolchain.env, PATH },
    });
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(toolchain.passed) });
  });
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
