import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { COMMANDS } from "../../src/cli/commands.ts";
import { ROOT } from "../architecture/source-files.ts";
import { runCommands } from "../support/run-command.ts";
import { type ProgramResult, runProgram, runSuccessfully } from "../support/run-program.ts";
import { copyExample, newProject, type ProjectCopy } from "./project-copy.ts";
import { typesOfProjects } from "./types-of-projects.ts";

const LIVENESS_MS = 300_000;
const INIT = "init --domain demo --project-name guestbook --skip-install";
const API = "create api --version v1 --resource --controller --make=false";
const WEBHOOK = "create webhook --version v1 --make=false --defaulting --programmatic-validation";

interface Variant {
  readonly title: string;
  readonly make: () => ProjectCopy;
  readonly commands: readonly string[];
}

const VARIANTS: readonly Variant[] = [
  { title: "a new project", make: newProject, commands: [INIT] },
  {
    title: "a project with an API, a controller and webhooks",
    make: newProject,
    commands: [INIT, `${API} --group webapp --kind Guestbook`, `${WEBHOOK} --group webapp --kind Guestbook`],
  },
  {
    title: "a project of several groups",
    make: newProject,
    commands: [
      `${INIT} --license none`,
      "edit --multigroup",
      `${API} --group crew --kind Captain`,
      `${API} --group ship --kind Frigate --namespaced=false`,
      `${WEBHOOK} --group ship --kind Frigate`,
    ],
  },
  {
    title: "a project whose kind has several versions",
    make: newProject,
    commands: [
      INIT,
      `${API} --group webapp --kind Guestbook`,
      "create api --group webapp --version v2 --kind Guestbook --resource --controller=false --make=false",
      "create webhook --group webapp --version v1 --kind Guestbook --make=false --conversion --spoke v2",
    ],
  },
  { title: "the example", make: copyExample, commands: [] },
];

const projects = new Map<string, ProjectCopy>();

beforeAll(async () => {
  for (const { title, make, commands } of VARIANTS) {
    const project = make();
    projects.set(title, project);
    await runCommands(project.root, ...commands, "manifests", "generate");
  }
}, LIVENESS_MS);
afterAll(() => {
  for (const project of projects.values()) project.remove();
});

it("`npm run vet` has nothing to say about any project", { timeout: LIVENESS_MS }, async () => {
  expect(projects.size).toBe(VARIANTS.length);
  expect(await typesOfProjects([...projects.values()].map(({ root }) => root))).toEqual({ status: 0, output: "" });
});

describe.each(VARIANTS)("$title", { timeout: LIVENESS_MS }, ({ title }) => {
  let project: ProjectCopy;

  beforeAll(() => {
    project = projects.get(title) ?? project;
  });

  function manifest(): { readonly scripts: Readonly<Record<string, string>> } {
    return JSON.parse(readFileSync(path.join(project.root, "package.json"), "utf8")) as ReturnType<typeof manifest>;
  }

  // The program that an npm script of the project names, with this repository's installation of it.
  async function runScript(name: string): Promise<ProgramResult> {
    // A script may run its program twice.
    const [once = ""] = (manifest().scripts[name] ?? "").split(" && ");
    const [program = "", ...args] = once.split(" ");
    const file = path.join(ROOT, "node_modules", ".bin", program);
    return await runProgram(file, name === "fmt" ? [...args, "--check"] : args, { cwd: project.root });
  }

  it.concurrent.each(["lint", "fmt"])("leaves `npm run %s` nothing to say", async (name) => {
    const { status, output } = await runScript(name);
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).not.toMatch(/\b[1-9]\d* (?:warnings?|errors?)\b/u);
  });

  it("has a target of make for what its npm scripts do, and more", async ({ skip }) => {
    const make = await runProgram("make", ["--version"], { cwd: project.root });
    skip(make.status !== 0, "there is no make");
    const help = await runSuccessfully("make", ["help"], { cwd: project.root });
    const targets = [...help.matchAll(/^ {2}(?<name>[a-z0-9-]+) {2,}\S/gmu)].map(
      (match) => match.groups?.["name"] ?? "",
    );
    expect(targets).toEqual(
      expect.arrayContaining([
        "manifests",
        "generate",
        "test",
        "build",
        "run",
        "dev",
        "docker-build",
        "install",
        "deploy",
        "undeploy",
      ]),
    );
    const { status, output } = await runProgram("make", ["-n", ...targets], { cwd: project.root });
    expect({ status, output }).toMatchObject({ status: 0 });
    const named = [...output.matchAll(/\bnpm (?:run )?(?:--silent )?(?<script>[\w-]+)/gu)].map(
      ([, script = ""]) => script,
    );
    const { scripts } = manifest();
    expect(named.filter((script) => script !== "install" && !(script in scripts))).toEqual([]);
    const calls = [output, ...named.map((script) => scripts[script] ?? "")].join("\n");
    const commands = [...calls.matchAll(/\bscaffold (?<command>[a-z][a-z0-9-]*)/gu)].map(([, command = ""]) => command);
    expect(commands).toEqual(expect.arrayContaining(["manifests", "deploy", "install", "run"]));
    const known = new Set(COMMANDS.map((command) => command.path[0]));
    expect(commands.filter((command) => !known.has(command))).toEqual([]);
    const files = [...calls.matchAll(/\bnode (?<file>hack\/\S+\.mjs)/gu)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(path.join(project.root, file)))).toEqual([]);
  });
});

it(
  "`npm run lint` finds controllers and webhooks that are not registered any more",
  { timeout: LIVENESS_MS },
  async () => {
    const { root } = projects.get("a project with an API, a controller and webhooks") ?? newProject();
    const file = path.join(root, "cmd", "main.ts");
    const text = readFileSync(file, "utf8");
    const lines = text.split("\n");
    const left = lines.filter((line) => line.startsWith("import ") || !line.includes("Guestbook"));
    expect(lines.length - left.length).toBe(2);
    writeFileSync(file, left.join("\n"));
    const { status, output } = await runProgram(path.join(ROOT, "node_modules", ".bin", "oxlint"), [file], {
      cwd: root,
    });
    writeFileSync(file, text);
    expect(status).toBe(1);
    const unused = output.match(/\w+(?=' is imported but never used)/gu);
    expect(unused?.toSorted()).toEqual(["GuestbookReconciler", "setupGuestbookV1Webhook"]);
  },
);
