import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readSource, ROOT } from "../architecture/source-files.ts";
import { runCommands } from "../support/run-command.ts";
import { runProgram } from "../support/run-program.ts";
import { readFiles, writeFiles } from "../support/temporary-folder.ts";
import { newProject, type ProjectCopy } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const TYPES = "api/v1/guestbook_types.ts";
const CONTROLLER = "internal/controller/guestbook_controller.ts";
const SAMPLE = "config/samples/webapp_v1_guestbook.yaml";

const BLOCKS = [...readSource("docs/start/quick-start.md").matchAll(/^```(?<language>\w+)\n(?<text>.*?)^```$/gmsu)].map(
  ({ groups }) => ({ language: groups?.["language"] ?? "", text: groups?.["text"] ?? "" }),
);
const blocksIn = (...languages: readonly string[]): readonly string[] =>
  BLOCKS.filter(({ language }) => languages.includes(language)).map(({ text }) => text);

const COMMANDS = (blocksIn("sh")[0] ?? "")
  .split("\n")
  .filter((line) => line.startsWith("npx "))
  .map((line) => line.replace(/^npx \w+ /u, "").replace(/^init/u, "init --skip-install"));

function part(text: string, from: string, to = "$never"): readonly [before: string, after: string] {
  const [start, end] = [text.indexOf(from), text.indexOf(to)];
  expect(start).toBeGreaterThan(0);
  return [text.slice(0, start), end < 0 ? "" : text.slice(end)];
}

// What a reader of the page does to the files that it names.
function followPage(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [types = "", sample = "", controller = "", imports = ""] = blocksIn("ts", "yaml");
  const [beforeSpec, afterSpec] = part(files[TYPES] ?? "", "/** GuestbookSpec", "/** GuestbookStatus");
  const [beforeReconcile] = part(files[CONTROLLER] ?? "", "  /**\n   * Drives");
  const [ours, builtIn, own] = imports.split("\n");
  expect(own).toBe('import { controllerutil } from "@kubescaffold/runtime";');
  const imported = beforeReconcile.replace(
    "import {\n  type Client,",
    `${ours}\n${builtIn}\nimport {\n  type Client,\n  controllerutil,`,
  );
  const tests = Object.entries(files).filter(([file]) => /^internal\/.*\.test\.ts$/u.test(file));
  return {
    [TYPES]: `${beforeSpec}${types}\n${afterSpec}`,
    [CONTROLLER]: `${imported}${controller}}\n`,
    [SAMPLE]: `${part(files[SAMPLE] ?? "", "spec:")[0]}${sample}`,
    ...Object.fromEntries(
      tests.map(([file, text]) => [file, text.replaceAll("spec: {}", 'spec: { greeting: "Welcome" }')]),
    ),
  };
}

describe("the quick start", { timeout: LIVENESS_MS }, () => {
  let project: ProjectCopy;

  beforeAll(async () => {
    project = newProject();
    await runCommands(project.root, ...COMMANDS);
    const { root } = project;
    writeFiles(root, followPage(readFiles(root)));
    await runCommands(root, "manifests", "generate");
  }, LIVENESS_MS);
  afterAll(() => project.remove());

  it("begins with a project, an API and a webhook", () => {
    expect(COMMANDS.map((line) => line.split(" -")[0])).toEqual(["init", "create api", "create webhook"]);
  });

  it.each([
    ["tsc", ["--noEmit"]],
    ["oxlint", ["--type-aware", "--deny-warnings"]],
    ["oxfmt", ["--check"]],
    ["vitest", ["run"]],
  ] as const)("makes a project in which %s finds nothing", async (program, args) => {
    const file = path.join(ROOT, "node_modules", ".bin", program);
    const { status, output } = await runProgram(file, args, { cwd: project.root });
    expect({ status, output }).toMatchObject({ status: 0 });
  });
});
