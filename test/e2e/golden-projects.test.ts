import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { unformatted } from "../support/format-check.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { readFiles } from "../support/temporary-folder.ts";
import { committedForm, goldenProjects, goldenRegistry, makeProject, projectForm } from "./golden-projects.ts";
import { linkInstallation } from "./project-copy.ts";
import { RECOMMENDED_RULES } from "./recommended-rules.ts";

const LIVENESS_MS = 300_000;
// Formatting is checked.
const MORE: Readonly<Record<string, readonly string[]>> = { fmt: ["--check"] };

describe.each(goldenProjects())("the golden project $name", { timeout: LIVENESS_MS }, (project) => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "kubescaffold-golden-")));

  beforeAll(async () => {
    await makeProject(project, root);
    linkInstallation(root);
  }, LIVENESS_MS);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const run = (line: string): Promise<CommandResult> => runCommand(root, line, goldenRegistry(root));

  async function runScript(name: string): Promise<ProgramResult> {
    const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const last = (scripts[name] ?? "").split(" && ").at(-1) ?? "";
    const [program = "", ...args] = last.split(" ");
    const file = path.join(ROOT, "node_modules", ".bin", program);
    return await runProgram(file, [...args, ...(MORE[name] ?? [])], { cwd: root });
  }

  // `npx vitest run test/e2e/golden-projects -u` overwrites the files.
  it("is what its commands make", async () => {
    const made = committedForm(root);
    for (const [file, text] of Object.entries(made)) {
      await expect(text).toMatchFileSnapshot(path.join(project.folder, file));
    }
    const committed = existsSync(project.folder) ? Object.keys(readFiles(project.folder)) : [];
    expect(committed.filter((file) => !(file in made))).toEqual([]);
  });

  it("agrees with its PROJECT, as doctor sees it", async () => {
    const { stdout } = await run("doctor --output json");
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly severity: string }[] };
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("is made whole again by `manifests` and `generate`, which change nothing", async () => {
    const before = committedForm(root);
    expect(await run("manifests")).toMatchObject({ status: 0 });
    expect(await run("generate")).toMatchObject({ status: 0 });
    expect(committedForm(root)).toEqual(before);
  });

  it("is regenerated from its PROJECT by `alpha generate`", async () => {
    const again = path.join(root, "dist", "again");
    expect(await run("alpha generate --output-dir dist/again")).toMatchObject({ status: 0 });
    const made = Object.entries(committedForm(root)).filter(([file]) => !(file in project.added));
    expect(committedForm(again)).toEqual(Object.fromEntries(made));
  });

  it.each(["vet", "lint", "fmt"])("leaves `npm run %s` nothing to say", async (name) => {
    const { status, output } = await runScript(name);
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).not.toMatch(/\b[1-9]\d* (?:warnings?|errors?)\b/u);
  });

  it("has nothing that the recommended rules of ESLint and typescript-eslint report", async () => {
    const config = path.join(root, "dist", "recommended.json");
    mkdirSync(path.dirname(config), { recursive: true });
    const settings = { plugins: ["typescript"], categories: { correctness: "off" }, rules: RECOMMENDED_RULES };
    // typescript-eslint leaves unknown names in TypeScript to the compiler; ESLint knows none of Node.js in other files.
    const overrides = [{ files: ["**/*.mjs"], rules: { "no-undef": "error" } }];
    writeFileSync(config, JSON.stringify({ ...settings, overrides, env: { node: false, es2024: true } }));
    const file = path.join(ROOT, "node_modules", ".bin", "oxlint");
    const { status, output } = await runProgram(file, ["-c", config, "--ignore-pattern", "dist/**"], { cwd: root });
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("0 warnings and 0 errors") });
  });

  it("is formatted as formatters do that read .editorconfig alone", async () => {
    const files = readFiles(root);
    const [, settings = ""] = /^\[\*\]\n(?<settings>(?:.+\n)+)/mu.exec(files[".editorconfig"] ?? "") ?? [];
    const { max_line_length: width, indent_size: indent } = Object.fromEntries(
      settings.split("\n").map((line) => line.split(" = ", 2)),
    ) as Readonly<Record<string, string>>;
    const options = JSON.stringify({
      printWidth: Number(width),
      tabWidth: Number(indent),
      ignorePatterns: [".oxfmtrc.json"],
    });
    const sources = Object.entries(files).filter(([name]) => /^(?!dist\/|node_modules\/).*\.(?:ts|mjs)$/u.test(name));
    expect(await unformatted({ ...Object.fromEntries(sources), ".oxfmtrc.json": options })).toEqual([]);
  });

  it("passes all of its own tests", async () => {
    const tests = Object.keys(projectForm(project)).filter((file) =>
      /^(?:api|cmd|internal)\/.*\.test\.ts$/u.test(file),
    );
    expect(tests.length).toBeGreaterThan(0);
    // Files of tests share what they load, which is most of the time; the examples and the installed packages are tested as users do.
    const { status, stdout, stderr } = await run("test --no-isolate");
    expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
    expect(stripVTControlCharacters(stdout)).toMatch(
      new RegExp(`Test Files +${tests.length} passed \\(${tests.length}\\)`, "u"),
    );
  });
});
