import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import * as fc from "fast-check";
import { expect, it } from "vitest";

import { addTypeMarker } from "../../src/machinery/type-markers.ts";
import type { ProjectConfig } from "../../src/project/project-config.ts";
import { parseProject } from "../../src/project/project-file.ts";
import { namesOf } from "../../src/project/resource-names.ts";
import { STORAGE_VERSION } from "../../src/project/storage-version.ts";
import { ROOT } from "../architecture/source-files.ts";
import { unformatted } from "../support/format-check.ts";
import { aimed, EXTERNAL_TYPES, inverseOf, type Step, STEP } from "../support/random-steps.ts";
import { restoredForm } from "../support/restored-form.ts";
import { INIT, runCommand, runCommands } from "../support/run-command.ts";
import { listFolders, readFiles, writeFiles } from "../support/temporary-folder.ts";
import { typeCheck } from "../support/type-check.ts";

// The same sequences each time, so that a change is at fault when they fail; variables ask for others, and for more.
const RUNS = Number(process.env["KUBESCAFFOLD_PROPERTY_RUNS"] ?? 8);
const SEED = Number(process.env["KUBESCAFFOLD_PROPERTY_SEED"] ?? 4242);
const LIVENESS_MS = 6 * 3_600_000;
const REFUSAL = /^error: .+ \[(?:PROJECT|CLI|SCAFFOLD|DEPLOY_IMAGE)_\w+\]$/mu;
// Files whose license was changed since are named, one below the other.
const CHANGED =
  /^error: cannot delete: these files were changed since they were scaffolded:\n(?: {2}.+\n)* {2}.+ \[CLI_CHANGED_FILES\]$/mu;
const BEACON = path.join(ROOT, "test/golden/projects/single-group/files", EXTERNAL_TYPES);

it(
  "any sequence of commands leaves a sound project, and what is created and deleted leaves no trace",
  async () => {
    const steps = fc.array(STEP, { minLength: 1, maxLength: 30, size: "max" });
    const sound = fc.assert(fc.asyncProperty(steps, runAll), { numRuns: RUNS, seed: SEED });
    await expect(sound).resolves.toBeUndefined();
  },
  LIVENESS_MS,
);

async function runAll(steps: readonly Step[]): Promise<void> {
  const above = mkdtempSync(path.join(tmpdir(), "kubescaffold-sequence-"));
  const root = path.join(above, "project");
  try {
    mkdirSync(root);
    await runCommands(root, INIT);
    writeFiles(root, { [EXTERNAL_TYPES]: readFileSync(BEACON, "utf8") });
    for (const step of steps) await runStep(root, step);
    await requireReproducible(root, steps);
    await requireSound(root);
    await requireRestorable(root);
  } finally {
    rmSync(above, { recursive: true, force: true });
  }
}

async function runStep(root: string, { line: typed, isRepeated, isUndone }: Step): Promise<void> {
  const line = aimed(typed, projectOf(root));
  // Neither generates what the inverse makes generated again: without generators, or where files were not up to date.
  const isQuick = line.includes("--make=false") || line.startsWith("edit");
  // Generated files that are not up to date would be, after the command and its inverse.
  if (isUndone && !isQuick && /^(?:create|rename)/u.test(line)) {
    for (const each of ["manifests --prune", "generate"]) await runOnce(root, each);
  }
  const [before, project] = [stateOf(root), projectOf(root)];
  if (!(await runOnce(root, line))) return;
  if (isRepeated) await runAgain(root, line);
  const inverse = isUndone ? inverseOf(line, project, projectOf(root)) : undefined;
  if (inverse === undefined) return;
  const undone = await runCommand(root, inverse);
  expect({ ...undone, line, inverse }).toMatchObject({ status: 0, stderr: "" });
  expect(isQuick ? handmade(stateOf(root)) : stateOf(root)).toEqual(isQuick ? handmade(before) : before);
}

// A command that is refused says why, and changes nothing.
async function runOnce(root: string, line: string): Promise<boolean> {
  const before = stateOf(root);
  const { status, stderr } = await runCommand(root, line);
  if (status === 0) return true;
  expect({ line, status }).toEqual({ line, status: 1 });
  if (line !== "doctor --fix") expect(stderr).toMatch(stderr.includes("CLI_CHANGED_FILES") ? CHANGED : REFUSAL);
  if (line !== "doctor --fix") expect(stateOf(root)).toEqual(before);
  return false;
}

// The same tree, or a refusal, which changes nothing either.
async function runAgain(root: string, line: string): Promise<void> {
  const before = stateOf(root);
  await runOnce(root, line);
  expect(stateOf(root)).toEqual(before);
}

// Licenses and scopes are for what is made after them: what was there before is made otherwise again.
async function requireReproducible(root: string, steps: readonly Step[]): Promise<void> {
  await runCommands(root, "alpha generate --output-dir ../again --make=false");
  const again = readFiles(path.join(root, "../again"));
  if (steps.some(({ line }) => line.startsWith("edit --license") || line.startsWith("edit --namespaced"))) {
    await runCommands(root, "alpha generate --input-dir ../again --output-dir ../oncemore --make=false");
    expect(readFiles(path.join(root, "../oncemore"))).toEqual(again);
    return;
  }
  const made = Object.entries(readFiles(root)).filter(([file]) => !isGenerated(file));
  const expected = Object.entries(again).filter(([file]) => !isGenerated(file));
  const compared = steps.some(({ line }) => line.startsWith("delete api")) ? withoutOrder : Object.fromEntries;
  expect(compared(expected)).toEqual(compared(made));
}

// A kind whose first version is deleted keeps its place in the lists, and is regenerated where its next version is in PROJECT.
function withoutOrder(files: readonly (readonly [file: string, text: string])[]): Readonly<Record<string, string>> {
  const sorted = (list: string): string => list.trimEnd().split("\n").toSorted().join("\n");
  const isList = (file: string): boolean => file.endsWith("kustomization.yaml");
  return Object.fromEntries(
    files.map(([file, text]) => [file, isList(file) ? text.replaceAll(/(?:^ *- \S+\n)+/gmu, sorted) : text]),
  );
}

function isGenerated(file: string): boolean {
  return (
    file === EXTERNAL_TYPES ||
    /^config\/(?:crd\/bases\/|rbac\/role\.yaml$|webhook\/manifests\.yaml$)|\/zz_generated\./u.test(file)
  );
}

async function requireSound(root: string): Promise<void> {
  writeFiles(root, withStoredVersions(readFiles(root), projectOf(root)));
  await runCommands(root, "manifests --prune", "generate");
  const { stdout } = await runCommand(root, "doctor --output json");
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly severity: string }[] };
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  const files = readFiles(root);
  expect(typeCheck(files)).toEqual([]);
  expect(await unformatted(files)).toEqual([]);
}

// Every command leaves enough in the other files that PROJECT can be restored from them, up to what restoredForm leaves out.
async function requireRestorable(root: string): Promise<void> {
  const before = projectOf(root);
  rmSync(path.join(root, "PROJECT"));
  await runCommands(root, "alpha restore-project");
  const after = projectOf(root);
  // Without resources there are no folders of groups.
  const hasFolders = (before.resources ?? []).length > 0;
  const { multigroup: _before, ...withoutFolders } = before;
  expect(restoredForm(after)).toEqual(restoredForm(hasFolders ? before : withoutFolders));
}

// Of several versions without a conversion between them a person says which is stored.
function withStoredVersions(files: Readonly<Record<string, string>>, project: ProjectConfig): typeof files {
  const marked = { ...files };
  for (const resource of project.resources ?? []) {
    const versions = (project.resources ?? [])
      .filter(({ api, group, kind }) => api !== undefined && group === resource.group && kind === resource.kind)
      .map((each) => `${namesOf(project, each).apiFolder}/${namesOf(project, each).kindLower}_types.ts`);
    const [first = ""] = versions;
    const hasMarker = versions.some((file) => marked[file]?.includes(STORAGE_VERSION));
    if (versions.length < 2 || hasMarker) continue;
    marked[first] = addTypeMarker(marked[first] ?? "", { type: resource.kind, marker: STORAGE_VERSION }) ?? "";
  }
  return marked;
}

function projectOf(root: string): ProjectConfig {
  return parseProject(readFileSync(path.join(root, "PROJECT"), "utf8"));
}

interface State {
  readonly files: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
}

// Without generators, what they once made of a kind that goes is not made again when it comes back.
function handmade({ files }: State): object {
  return Object.fromEntries(Object.entries(files).filter(([file]) => !isGenerated(file)));
}

function stateOf(root: string): State {
  return { files: readFiles(root), folders: listFolders(root) };
}
