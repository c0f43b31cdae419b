// Imports Go projects of other people, checks what was made of them, deploys it beside the manifests of the originals, and prints the table of
// docs/verification/import-corpus.md.
//
// node scripts/import-corpus.mjs [--skip-tests] <folder of checkouts> [name…]
//
// A checkout is a folder named project@commit. For each, `import project` runs into a folder below this repository's packages, so that its own type
// check and its own tests run. Then `config/default` of both projects is built (that of the original by kubectl) and applied to a new embedded server
// each, and the definitions, roles, webhooks, and Deployments that the servers have are compared. The checkouts are not changed, and nothing of them is
// kept.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

import { ensureInstalled, ROOT, runStatus } from "./ensure-installed.mjs";
import { compareDeployed } from "./import-corpus/compare-deployed.mjs";
import { builtOf, deploy, originalOf } from "./import-corpus/deployed-objects.mjs";
import { layoutOf, runScaffold, SOURCES } from "./imported-projects.mjs";

const words = process.argv.slice(2);
const SKIP_TESTS = "--skip-tests";
const flags = words.filter((word) => word === SKIP_TESTS);
const [corpus, ...names] = words.filter((word) => word !== SKIP_TESTS);

// What a project needs that has its manifests elsewhere: its folder of CRDs, and the kustomization that deploys it.
const PLACES = {
  "hierarchical-namespaces": { base: "config/variants/default-cc" },
  hive: { base: "config", crds: "config/crds" },
  "redis-operator": { base: "manifests/kustomize/overlays/default", crds: "manifests" },
};

if (corpus === undefined) {
  console.error("usage: node scripts/import-corpus.mjs [--skip-tests] <folder of checkouts> [name…]");
  process.exitCode = 2;
} else if (process.execArgv.includes(SOURCES)) {
  await printTable(path.resolve(corpus));
} else {
  ensureInstalled();
  const args = [SOURCES, "--import", "tsx", import.meta.filename, ...flags, path.resolve(corpus), ...names];
  process.exitCode = runStatus(process.execPath, args);
}

async function printTable(folder) {
  console.log(
    "| Project | Commit | Layout | CRDs | Roles | Webhooks | Deployments | `config/default` | Types | Tests | Notes |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|---|");
  const checkouts = readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isDirectory() && each.name.includes("@"))
    .map(({ name }) => name)
    .filter((name) => names.length === 0 || names.includes(name.split("@")[0]))
    .toSorted();
  const faults = [];
  for (const checkout of checkouts) {
    const [name, commit] = checkout.split("@");
    const { cells, problems } = await resultOf(path.join(folder, checkout), name);
    console.log(`| ${[name, commit, ...cells].join(" | ")} |`);
    faults.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  for (const fault of faults) console.log(`\n${fault}`);
}

async function resultOf(folder, name) {
  const parent = mkdtempSync(path.join(tmpdir(), "import-corpus-"));
  try {
    // The folder gives the name of projects without one, and the packages of this repository are found above the new project.
    const [source, target] = [path.join(parent, "go", name), path.join(parent, "ts", name)];
    mkdirSync(path.dirname(source));
    symlinkSync(folder, source, "junction");
    symlinkSync(path.join(ROOT, "node_modules"), path.join(parent, "node_modules"), "junction");
    const options = ["--output-dir", target, "--skip-install", "--output", "json", ...flags];
    const { base = "config/default", crds } = PLACES[name] ?? {};
    const imported = runScaffold(ROOT, [
      "import",
      "project",
      source,
      ...options,
      ...(crds === undefined ? [] : ["--crds", crds]),
    ]);
    if (!imported.stdout.startsWith("{"))
      return { cells: Array(9).fill("none"), problems: [imported.stderr.trim() || String(imported.error)] };
    const result = JSON.parse(imported.stdout);
    const { scores, checks } = result;
    const [built, types, tests] = ["config/default", "types", "tests"].map((what) =>
      checks.find((check) => check.what === what),
    );
    const deployed = await compareServers(await originalOf(folder, { base, crds }), await builtOf(target));
    return {
      cells: [
        layoutOf(result),
        ...deployed.cells,
        ...[built, types, tests].map((check) => wordOf(check)),
        base === "config/default" ? "" : `deployed from \`${base}\``,
      ],
      problems: [
        ...deployed.problems,
        ...deployed.notes.map((note) => `note: ${note}`),
        ...scores.flatMap(({ what, differences }) => differences.map((difference) => `${what}: ${difference}`)),
        ...checks.flatMap(({ what, problems }) => problems.map(({ where, why }) => `${what}: ${where}: ${why}`)),
      ],
    };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function wordOf(check) {
  if (check === undefined) return "not run";
  if (check.state === "failed") return `${check.problems.length} failed`;
  return check.state === "passed" ? check.note.replace(/^it builds /u, "").replace("they compile", "pass") : "not run";
}

async function compareServers(wanted, made) {
  const { grants } = await import("../src/go-project/compare-manifests.ts");
  const before = await deploy(wanted);
  const after = await deploy(made);
  const { cells, problems, notes } = compareDeployed(before.stored, after.stored, { grants });
  return {
    cells,
    notes,
    problems: [
      ...before.refused.map((each) => `the server refuses an object of the original: ${each}`),
      ...after.refused.map((each) => `the server refuses an object of the new project: ${each}`),
      ...problems,
    ],
  };
}
