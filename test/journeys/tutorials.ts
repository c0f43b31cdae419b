import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { listFiles, readSource } from "../architecture/source-files.ts";
import { exampleOf, ownText, stepsOf, type TutorialStep } from "../e2e/docs-code/tutorial-steps.ts";
import { findKubectl } from "../e2e/kubectl.ts";
import type { PackedProject } from "./packed-project.ts";
import { onRealServer } from "./real-server.ts";
import { type Promised, TutorialCluster } from "./tutorial-cluster.ts";
import { PROMISES } from "./tutorial-promises.ts";

const TUTORIALS = ["cronjob", "dependents", "external", "guestbook", "versions"];
// It starts with the end state of another one.
const LATER = "convergence";
const FOLLOWED = /^(?:npx (?:kube)?scaffold |npm (?:test|install|run)\b)/u;
// The commands of the step "Run it".
const RUN_IT = /^(?:npm run dev|npx tsx |kubectl )/u;
const INIT = /^npx kubescaffold init/u;
const COMPARED = /^(?:PROJECT$|api\/|cmd\/|config\/|internal\/)/u;

/** Tests that the pages alone lead to the examples: every command is typed, and every block with the title of a file is pasted. */
export function testTutorials(create: (name: string) => PackedProject): void {
  it("every tutorial is followed", () => {
    expect([LATER, ...TUTORIALS].map((name) => `docs/tutorials/${name}.md`)).toEqual(listFiles("docs/tutorials"));
  });

  it.each(Object.entries(PROMISES))("each command of the last step of %s has its promise", (name, { commands }) => {
    const lines = stepsOf(readSource(`docs/tutorials/${name}.md`)).flatMap((step) =>
      step.kind === "command" && RUN_IT.test(step.line) ? [step.line] : [],
    );
    expect(Object.keys(commands)).toEqual(lines);
  });

  it.each(TUTORIALS)("the page %s leads to the state of its example", async (name) => {
    const page = readSource(`docs/tutorials/${name}.md`);
    const example = exampleOf(page);
    const [first, ...steps] = stepsOf(page);
    expect(first).toEqual({ kind: "command", line: `mkdir ${example} && cd ${example}` });
    const project = create(`tutorial-${example}`);
    const cluster = new TutorialCluster(project);
    onTestFinished(async () => await cluster.stop());
    const end = steps.findLastIndex((step) => step.kind === "command" && step.line === "npm test") + 1;
    for (const step of steps.slice(0, end)) await follow(project, step, cluster, {});
    const files = filesOf(example);
    expect(Object.fromEntries(files.map((file) => [file, project.read(file)]))).toEqual(
      Object.fromEntries(files.map((file) => [file, ownText(readSource(`examples/${example}/${file}`))])),
    );
    await project.succeed("npm run check");
    const { commands = {}, further } = PROMISES[name] ?? {};
    for (const step of steps.slice(end)) await follow(project, step, cluster, commands);
    await further?.(cluster);
    if (name === "versions") expectDropped(project, cluster.printed);
  });

  it(`the page ${LATER} finds the bug that it shows, and ends with the state of its example`, async () => {
    const page = readSource(`docs/tutorials/${LATER}.md`);
    const example = exampleOf(page);
    const project = create(`tutorial-${LATER}`);
    await project.follow(example);
    await installBeside(project, " croner");
    await project.succeed("npm run manifests && npm run generate");
    const printed: string[] = [];
    for (const step of stepsOf(page)) {
      if (step.kind === "command" && VERIFY.test(step.line)) printed.push(await verify(project, step.line));
      else await follow(project, step, new TutorialCluster(project), {});
    }
    expect(printed).toEqual([
      expect.stringMatching(/^clean: 0 findings, .*status 0$/msu),
      expect.stringMatching(/^finding 1: .*^ {2}end-state: jobs\.batch .*^written: .*status 1$/msu),
      expect.stringMatching(/^Seen in 0 of 3 runs\nstatus 0$/mu),
      expect.stringMatching(/^clean: 0 findings, .*status 0$/msu),
    ]);
    // The page shows what the second command has printed.
    const [finding = ""] = /^finding 1: .*\n.*$/mu.exec(printed[1] ?? "") ?? [];
    expect(withoutTimes(page)).toContain(withoutTimes(finding));
    const controller = "internal/controller/cronjob_controller.ts";
    expect(project.read(controller)).toBe(ownText(readSource(`examples/${example}/${controller}`)));
  });
}

const VERIFY = /^npx scaffold verify /u;

async function verify(project: PackedProject, line: string): Promise<string> {
  const { status, output } = await project.run(line);
  return `${output.trimEnd()}\nstatus ${String(status)}`;
}

// The name of a Job contains the time of its run.
function withoutTimes(text: string): string {
  return text.replaceAll(/cronjob-sample-\d+/gu, "cronjob-sample-*");
}

// The page migrates what step 1 has stored, and drops its version.
function expectDropped(project: PackedProject, printed: readonly string[]): void {
  expect(project.has("api/v1alpha1")).toBe(false);
  expect(project.read("PROJECT")).not.toContain("v1alpha1");
  expect(printed.filter((line) => line.startsWith("["))).toEqual(
    findKubectl() === undefined ? [] : ['["v1alpha1","v1"]', '["v1"]'],
  );
}

async function follow(
  project: PackedProject,
  step: TutorialStep,
  cluster: TutorialCluster,
  promises: Readonly<Record<string, Promised>>,
): Promise<void> {
  if (step.kind === "file") {
    const file = path.join(project.root, step.path);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, step.text);
    return;
  }
  if (step.kind === "change") {
    change(path.join(project.root, step.path), step);
    return;
  }
  const { line } = step;
  const typed = onRealServer(line);
  if (typed !== undefined) {
    await project.succeed(typed);
    return;
  }
  if (await cluster.follow(line, promises[line])) return;
  expect(line).toMatch(FOLLOWED);
  const [, packages] = /^npm install(?<packages>.*)$/u.exec(line) ?? [];
  if (packages === undefined) await project.succeed(INIT.test(line) ? `${line} --skip-install` : line);
  else if (packages !== "") await installBeside(project, packages);
}

function change(file: string, { from, to }: { readonly from: string; readonly to: string }): void {
  const parts = readFileSync(file, "utf8").split(from);
  expect(parts).toHaveLength(2);
  writeFileSync(file, parts.join(to));
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
