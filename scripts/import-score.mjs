// Imports every CustomResourceDefinition of the folders that are named, generates from what was written, and prints how many schemas came out as they
// were, as the table of docs/import-crd.md.
//
// node scripts/import-score.mjs <folder>…
//
// A folder holds the manifests of one project and is named for it: project@version.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

import { ensureInstalled, runStatus } from "./ensure-installed.mjs";

const SOURCES = "--conditions=@kubescaffold/source";
const folders = process.argv.slice(2);

if (folders.length === 0) {
  console.error("usage: node scripts/import-score.mjs <folder>…");
  process.exitCode = 2;
} else if (process.execArgv.includes(SOURCES)) {
  await printScores();
} else {
  ensureInstalled();
  process.exitCode = runStatus(process.execPath, [SOURCES, "--import", "tsx", import.meta.filename, ...folders]);
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
  const { readCrds } = await import("../src/importer/crd-facts.ts");
  const { importCrds } = await import("../src/importer/import-crds.ts");
  const { verifyImport } = await import("../src/importer/verify-import.ts");
  const found = manifestsBelow(folder).flatMap((file) =>
    readCrds(readYamlDocuments(readFileSync(file, "utf8"), { file }), file),
  );
  const crds = [...new Map(found.map((crd) => [`${crd.kind}.${crd.group}`, crd])).values()];
  const { files, overrides } = importCrds({ crds, folderOf: (group, version) => `${group}/${version}`, structSchema });
  const { verdicts, problems } = await verifyImport({ crds, files });
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
