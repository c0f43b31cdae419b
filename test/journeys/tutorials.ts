import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { listFiles, readSource } from "../architecture/source-files.ts";
import { exampleOf, ownText, stepsOf, type TutorialStep } from "../e2e/docs-code/tutorial-steps.ts";
import { findKubectl } from "../e2e/kubectl.ts";
import type { PackedProject } from "./packed-project.ts";
import { TutorialCluster } from "./tutorial-cluster.ts";

const TUTORIALS = ["cronjob", "dependents", "external", "guestbook", "versions"];
const FOLLOWED = /^(?:npx (?:kube)?scaffold |npm (?:test|install|run)\b)/u;
// The tutorials that are followed with a cluster, to their end.
const WITH_CLUSTER = new Set(["versions"]);
// Commands of the others that run until they are interrupted, and those that need a cluster; the tests of the examples run them.
const NOT_FOLLOWED =
  /^(?:npm run dev|npx tsx |export KUBECONFIG=|kubectl |KUBESCAFFOLD_ENVTEST_BACKEND=binaries npm test)/u;
const INIT = /^npx kubescaffold init/u;
const COMPARED = /^(?:PROJECT$|api\/|cmd\/|config\/|internal\/)/u;

/** Tests that the pages alone lead to the examples: every command is typed, and every block with the title of a file is pasted. */
export function testTutorials(create: (name: string) => PackedProject): void {
  it("every tutorial is followed", () => {
    expect(TUTORIALS.map((name) => `docs/tutorials/${name}.md`)).toEqual(listFiles("docs/tutorials"));
  });

  it.each(TUTORIALS)("the page %s leads to the state of its example", async (name) => {
    const page = readSource(`docs/tutorials/${name}.md`);
    const example = exampleOf(page);
    const [first, ...steps] = stepsOf(page);
    expect(first).toEqual({ kind: "command", line: `mkdir ${example} && cd ${example}` });
    const project = create(`tutorial-${example}`);
    const cluster = WITH_CLUSTER.has(name) ? new TutorialCluster(project) : undefined;
    onTestFinished(async () => await cluster?.stop());
    const end = steps.findLastIndex((step) => step.kind === "command" && step.line === "npm test") + 1;
    for (const step of steps.slice(0, end)) await follow(project, step, cluster);
    const files = filesOf(example);
    expect(Object.fromEntries(files.map((file) => [file, project.read(file)]))).toEqual(
      Object.fromEntries(files.map((file) => [file, ownText(readSource(`examples/${example}/${file}`))])),
    );
    await project.succeed("npm run check");
    for (const step of steps.slice(end)) await follow(project, step, cluster);
    if (cluster !== undefined) expectDropped(project, cluster.printed);
  });
}

// The page migrates what step 1 has stored, and drops its version.
function expectDropped(project: PackedProject, printed: readonly string[]): void {
  expect(project.has("api/v1alpha1")).toBe(false);
  expect(project.read("PROJECT")).not.toContain("v1alpha1");
  expect(printed.filter((line) => line.startsWith("["))).toEqual(
    findKubectl() === undefined ? [] : ['["v1alpha1","v1"]', '["v1"]'],
  );
}

async function follow(project: PackedProject, step: TutorialStep, cluster: TutorialCluster | undefined): Promise<void> {
  if (step.kind === "file") {
    const file = path.join(project.root, step.path);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, step.text);
    return;
  }
  const { line } = step;
  if (cluster === undefined ? NOT_FOLLOWED.test(line) : await cluster.follow(line)) return;
  expect(line).toMatch(FOLLOWED);
  const [, packages] = /^npm install(?<packages>.*)$/u.exec(line) ?? [];
  if (packages === undefined) await project.succeed(INIT.test(line) ? `${line} --skip-install` : line);
  else if (packages !== "") await installBeside(project, packages);
}

// The modules are those of another project.
async function installBeside(project: PackedProject, packages: string): Promise<void> {
  await project.succeed(`cd "$(realpath node_modules)/.." && npm install --no-save${packages}`);
}

function filesOf(example: string): readonly string[] {
  return listFiles(`examples/${example}`)
    .map((file) => file.replace(`examples/${example}/`, ""))
    .filter((file) => COMPARED.test(file));
}
