import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ROOT } from "../../../test/architecture/source-files.ts";
import { newProject, type ProjectCopy } from "../../../test/e2e/project-copy.ts";
import { typesOfProjects } from "../../../test/e2e/types-of-projects.ts";
import { runCommands } from "../../../test/support/run-command.ts";
import { type ProgramResult, runProgram } from "../../../test/support/run-program.ts";

const LIVENESS_MS = 300_000;
const INIT = "init --domain demo --project-name shop --skip-install --license apache2";
const PLUGIN = "--plugins=deploy-image/v1-alpha --make=false";

// As it is written in a shell, which takes the quotes away.
const COMMAND =
  'create api --group example.com --version v1alpha1 --kind Memcached --image=memcached:1.4.36-alpine --image-container-command="memcached,-m=64,-o,modern,-v" --image-container-port=11211 --run-as-user=1001 --plugins="deploy-image/v1-alpha" --make=false';

const VARIANTS: readonly (readonly [title: string, commands: readonly string[]])[] = [
  ["a project with the command of the documentation", [INIT, COMMAND.replaceAll('"', "")]],
  [
    "a project of one namespace, with a kind of one name in two groups",
    [
      `${INIT} --namespaced`,
      "edit --multigroup",
      `create api --group cache --version v1 --kind HTTPProxy --image=reg:5000/ns/img:1.2 --image-container-command=sh,-c,'a,"b' ${PLUGIN}`,
      `create api --group store --version v1 --kind HTTPProxy --image=nginx@sha256:${"0".repeat(64)} --image-container-port=80 ${PLUGIN}`,
      `create api --group store --version v1 --kind Db --image=db --run-as-user=1 ${PLUGIN}`,
    ],
  ],
  [
    "a project with long names and words",
    [
      INIT,
      `create api --group very-long-group-name --version v1beta1 --kind DistributedCoordinator --plural coordinators --image=ghcr.io/acme/${"a".repeat(80)}:v1 --image-container-command=${"serve,--with-an-option,".repeat(6)}last --image-container-port=65535 ${PLUGIN}`,
    ],
  ],
];

const projects = new Map<string, ProjectCopy>();

beforeAll(async () => {
  for (const [title, commands] of VARIANTS) {
    const project = newProject();
    projects.set(title, project);
    await runCommands(project.root, ...commands, "manifests", "generate");
  }
}, LIVENESS_MS);
afterAll(() => {
  for (const project of projects.values()) project.remove();
});

it("all type-check strictly", { timeout: LIVENESS_MS }, async () => {
  expect(projects.size).toBe(VARIANTS.length);
  expect(await typesOfProjects([...projects.values()].map(({ root }) => root))).toEqual({ status: 0, output: "" });
});

describe.each(VARIANTS)("%s", { timeout: LIVENESS_MS }, (title) => {
  let project: ProjectCopy;

  beforeAll(() => {
    project = projects.get(title) ?? project;
  });

  function run(program: string, ...args: readonly string[]): Promise<ProgramResult> {
    return runProgram(path.join(ROOT, "node_modules", ".bin", program), args, { cwd: project.root });
  }

  it.each([
    ["lints clean", "oxlint", ["--type-aware", "--deny-warnings"]],
    ["is formatted", "oxfmt", ["--check"]],
  ] as const)("%s", async (_title, program, args) => {
    const { status, output } = await run(program, ...args);
    expect({ status, output }).toMatchObject({ status: 0 });
  });

  it("passes its own tests on the embedded server", async () => {
    const { status, output } = await run("vitest", "run", "--no-isolate");
    expect({ status, output }).toMatchObject({ status: 0, output: expect.stringMatching(/Tests +\d+ passed/u) });
  });
});
