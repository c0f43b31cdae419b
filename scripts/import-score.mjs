// Imports every CustomResourceDefinition of the folders that are named, generates from what was written, and prints how many schemas came out as they
// were, as the table of docs/reference/import-crd.md.
//
// node scripts/import-score.mjs <folder>…
//
// A folder holds the manifests of one project and is named for it: project@version.
//
// node scripts/import-score.mjs --projects <folder>…
//
// With --projects, a folder is a checkout of a whole Go project, named project@commit. `import project` and `manifests` run on it, and every committed
// CRD is compared with the generated one, and the project is type-checked, as the second table of docs/migrate/import-project.md.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { isDeepStrictEqual } from "node:util";

import { ensureInstalled, ROOT, runStatus } from "./ensure-installed.mjs";
import { layoutOf, runScaffold, SOURCES } from "./imported-projects.mjs";

const args = process.argv.slice(2);
const isProjects = args[0] === "--projects";
const folders = (isProjects ? args.slice(1) : args).map((folder) => path.resolve(folder));

if (folders.length === 0) {
  console.error("usage: node scripts/import-score.mjs [--projects] <folder>…");
  process.exitCode = 2;
} else if (process.execArgv.includes(SOURCES)) {
  await (isProjects ? printProjectScores() : printScores());
} else {
  ensureInstalled();
  process.exitCode = runStatus(process.execPath, [
    SOURCES,
    "--import",
    "tsx",
    import.meta.filename,
    ...args.slice(0, isProjects ? 1 : 0),
    ...folders,
  ]);
}

async function printScores() {
  const scores = [];
  for (const folder of folders) scores.push(await scoreOf(folder));
  console.log("| Project | Version | Kinds | Schemas the same | Facts the same | Keywords in raw markers |");
  console.log("|---|---|---|---|---|---|");
  for (const { name, kinds, verdicts, overrides } of scores) {
    const [project, version = ""] = name.split("@");
    const cells = [project, version, kinds, sameSchemas(verdicts), sameFacts(verdicts), rawUses(overrides)];
    console.log(`| ${cells.join(" | ")} |`);
  }
  const all = scores.flatMap(({ verdicts }) => verdicts);
  const kinds = scores.reduce((sum, each) => sum + each.kinds, 0);
  const raw = rawUses(scores.flatMap(({ overrides }) => overrides));
  console.log(`| all | | ${kinds} | ${sameSchemas(all)} | ${sameFacts(all)} | ${raw} |`);
  for (const score of scores) printFaults(score);
}

async function scoreOf(folder) {
  const { readYamlDocuments } = await import("@kubescaffold/k8s/yaml");
  const { structSchema } = await import("@kubescaffold/k8s/tables");
  const { readCrds } = await import("../packages/generators/src/importer/crd-facts.ts");
  const { importCrds } = await import("../packages/generators/src/importer/import-crds.ts");
  const { verifyImport } = await import("../packages/generators/src/importer/verify-import.ts");
  const found = manifestsBelow(folder).flatMap((file) =>
    readCrds(readYamlDocuments(readFileSync(file, "utf8"), { file }), file),
  );
  const crds = [...new Map(found.map((crd) => [`${crd.kind}.${crd.group}`, crd])).values()];
  const { files, overrides } = importCrds({ crds, folderOf: (group, version) => `${group}/${version}`, structSchema });
  const { verdicts, problems } = await verifyImport(crds, files);
  return { name: path.basename(path.resolve(folder)), kinds: crds.length, verdicts, problems, overrides };
}

function manifestsBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/u.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

function sameSchemas(verdicts) {
  return `${verdicts.filter(({ differences }) => differences.length === 0).length}/${verdicts.length}`;
}

function sameFacts(verdicts) {
  return `${verdicts.filter(({ facts }) => facts.length === 0).length}/${verdicts.length}`;
}

function rawUses(overrides) {
  const counts = new Map();
  for (const { keyword } of overrides) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  const parts = [...counts].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return parts.length === 0 ? "none" : parts.map(([keyword, count]) => `${keyword} ${count}`).join(", ");
}

function printFaults({ name, verdicts, problems }) {
  for (const problem of problems) console.log(`\n${name}: ${problem}`);
  for (const { group, kind, version, differences, facts } of verdicts) {
    if (differences.length === 0 && facts.length === 0) continue;
    console.log(`\n${name}: ${kind}.${version}.${group}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`);
    for (const { path: place, keyword, wanted, found } of differences) {
      console.log(`  ${place} ${keyword}: ${JSON.stringify(wanted)} became ${JSON.stringify(found)}`);
    }
  }
}

async function printProjectScores() {
  console.log(
    "| Project | Commit | Layout | Kinds | CRDs equal | Descriptions equal | RBAC rules | Webhooks | Type errors |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  const faults = [];
  for (const folder of folders) {
    const [name, commit = ""] = path.basename(folder).split("@");
    const score = await projectScoreOf(folder);
    faults.push(...score.faults.map((fault) => `${name}: ${fault}`));
    const { layout, kinds, equal, described, total, rules, webhooks, typeErrors } = score;
    const cells = [
      name,
      commit,
      layout,
      kinds,
      `${equal} of ${total}`,
      `${described} of ${total}`,
      rules,
      webhooks,
      typeErrors,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  for (const fault of faults) console.log(`\n${fault}`);
}

async function projectScoreOf(folder) {
  const { findManifests } = await import("../src/go-project/manifest-places.ts");
  const none = {
    layout: "none",
    kinds: 0,
    equal: 0,
    described: 0,
    total: 0,
    rules: "none",
    webhooks: "none",
    typeErrors: "",
  };
  const parent = mkdtempSync(path.join(tmpdir(), "import-score-"));
  const name = path.basename(folder).split("@")[0];
  const target = path.join(parent, name);
  // PROJECT version 2 has no name: the folder gives it.
  const source = path.join(parent, "go", name);
  mkdirSync(path.dirname(source));
  symlinkSync(folder, source, "junction");
  try {
    const imported = runScaffold(ROOT, [
      "import",
      "project",
      source,
      "--output-dir",
      target,
      "--skip-install",
      "--output",
      "json",
    ]);
    if (imported.status !== 0) return { ...none, faults: [(imported.stderr || imported.stdout).trim()] };
    const result = JSON.parse(imported.stdout);
    const { scores } = result;
    const made = runScaffold(target, ["manifests"]);
    if (made.status !== 0) return { ...none, faults: [made.stderr.trim()] };
    const generated = runScaffold(target, ["generate"]);
    if (generated.status !== 0) return { ...none, faults: [generated.stderr.trim()] };
    const typeErrors = await typeErrorsOf(target);
    const paths = readdirSync(folder, { recursive: true }).map((each) => each.split(path.sep).join("/"));
    const wanted = await definitionsBelow(path.join(folder, findManifests({ paths }).crds));
    const found = await definitionsBelow(path.join(target, "config/crd/bases"));
    const same = (strip) =>
      [...wanted].filter(([id, crd]) => isDeepStrictEqual(strip(crd), strip(found.get(id)))).map(([id]) => id);
    const equal = same(withoutDescriptions);
    const scoreOfPart = (part) => {
      const { same: count, total } = scores.find(({ what }) => what === part);
      return `${count} of ${total}`;
    };
    return {
      layout: layoutOf(result),
      kinds: wanted.size,
      equal: equal.length,
      described: same((crd) => crd).length,
      total: wanted.size,
      rules: scoreOfPart("RBAC rules"),
      webhooks: scoreOfPart("webhooks"),
      typeErrors: typeErrors.length === 0 ? "none" : typeErrors.length,
      faults: [
        ...typeErrors,
        ...[...wanted.keys()].filter((id) => !equal.includes(id)).map((id) => `${id} differs`),
        ...[...found.keys()].filter((id) => !wanted.has(id)).map((id) => `${id} has no committed CRD`),
        ...scores.flatMap(({ differences }) => differences),
      ],
    };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

// With the project's own settings, and the packages of this repository.
async function typeErrorsOf(project) {
  const { typeCheck } = await import("../test/support/type-check.ts");
  const names = readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|json)$/u.test(entry.name))
    .map((entry) => path.relative(project, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  return typeCheck(Object.fromEntries(names.map((name) => [name, readFileSync(path.join(project, name), "utf8")])));
}

// By name; the annotations that name the generator and its version are left out.
async function definitionsBelow(folder) {
  const { readYamlDocuments } = await import("@kubescaffold/k8s/yaml");
  const documents = manifestsBelow(folder).flatMap((file) =>
    readYamlDocuments(readFileSync(file, "utf8"), { file }).filter((each) => each?.kind === "CustomResourceDefinition"),
  );
  return new Map(documents.map((document) => [document.metadata.name, withoutGenerator(document)]));
}

function withoutGenerator(document) {
  const { annotations = {}, ...metadata } = document.metadata;
  const kept = Object.entries(annotations).filter(
    ([key]) => !/^(?:controller-gen\.|)kube[a-z]+\.(?:io|dev)\/version$/u.test(key),
  );
  return { ...document, metadata: { ...metadata, annotations: Object.fromEntries(kept) } };
}

// A property may be called description: then its value is a schema.
function withoutDescriptions(value) {
  if (Array.isArray(value)) return value.map((each) => withoutDescriptions(each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => key !== "description" || typeof each !== "string")
      .map(([key, each]) => [key, withoutDescriptions(each)]),
  );
}
