// Generates the types and tables of packages/k8s from the sources of Kubernetes in the versions that hack/control-plane pins: types with what any of the minor
// versions has, the tables of the default one, and what differs in those of the others. Needs Go.
//
//   node scripts/generate-k8s-types.mjs [--structs]
//
// With --structs it also regenerates what comes from the Go packages: the schemas that controller-gen makes of their types, the named string types, and the
// required fields of types that are new.
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { DEFAULT_MINOR, pinnedMinors } from "./control-plane-pins.mjs";
import { printApplyTypes } from "./k8s-types/print-apply-types.mjs";
import { printStructPatch, printStructs, structPatch, structTables } from "./k8s-types/print-structs.mjs";
import { printDefinitions, printPatch, printPrefixes, printResources } from "./k8s-types/print-tables.mjs";
import { printTypes } from "./k8s-types/print-types.mjs";
import { printRequiredFields, requiredFields } from "./k8s-types/required-fields.mjs";
import { printStringTypes } from "./k8s-types/string-types.mjs";
import { modulesOf, superset } from "./k8s-types/superset.mjs";
import { digestsOf } from "./releases/digests.mjs";
import { kubernetesSources } from "./releases/kubernetes-sources.mjs";
import { readTables } from "./releases/read-tables.mjs";
import { tablePatch } from "./releases/table-patch.mjs";

const SOURCES = fileURLToPath(new URL("../packages/k8s/src", import.meta.url));
const DIGESTS = fileURLToPath(new URL("../packages/k8s/test/tables/release-digests.json", import.meta.url));
const STRING_TYPES = fileURLToPath(new URL("./k8s-types/string-types.json", import.meta.url));
const REQUIRED_FIELDS = fileURLToPath(new URL("./k8s-types/required-fields.json", import.meta.url));

const { values } = parseArgs({ options: { structs: { type: "boolean", default: false } } });
const allTables = Object.fromEntries(pinnedMinors().map((minor) => [minor, readTables(kubernetesSources(minor))]));
const tables = allTables[DEFAULT_MINOR];
if (values.structs) await writeGoFacts();
await writeTypes();
await writeTables();

async function writeTypes() {
  const strings = JSON.parse(await readFile(STRING_TYPES, "utf8"));
  const required = JSON.parse(await readFile(REQUIRED_FIELDS, "utf8"));
  const all = superset(allTables);
  const { versionsOf } = all;
  for (const { place, groupVersion, definitions } of modulesOf(all)) {
    const { group, version } = groupVersion;
    const resources = all.resources.filter((each) => each.group === group && each.version === version);
    const own = { place, groupVersion, definitions, resources, versionsOf };
    await write(`api/${place}.ts`, printTypes({ ...own, strings, required }));
    const apply = printApplyTypes({ ...own, all: all.definitions });
    if (apply !== undefined) await write(`api/apply/${place}.ts`, apply);
  }
}

async function writeTables() {
  await write("tables/definition-texts.ts", printDefinitions(tables));
  await write("tables/resource-rows.ts", printResources(tables));
  await write("tables/definition-prefixes.ts", printPrefixes(tables.prefixes));
  const others = pinnedMinors().filter((minor) => minor !== DEFAULT_MINOR);
  for (const minor of others) {
    const other = allTables[minor];
    const { hasElementDefaults } = other;
    const text = printPatch(minor, { hasElementDefaults, patch: tablePatch(tables, other) });
    await write(`../releases/${minor}.json`, text);
  }
  const digests = Object.fromEntries(pinnedMinors().map((minor) => [minor, digestsOf(allTables[minor])]));
  await writeFile(DIGESTS, `${JSON.stringify(digests, undefined, 2)}\n`);
}

async function writeGoFacts() {
  const facts = Object.fromEntries(pinnedMinors().map((minor) => [minor, goFacts(minor)]));
  const base = structTables(facts[DEFAULT_MINOR].schemas);
  await write("tables/struct-texts.ts", printStructs(base));
  for (const minor of pinnedMinors().filter((each) => each !== DEFAULT_MINOR)) {
    const patch = structPatch(base, structTables(facts[minor].schemas));
    await write(`tables/structs/v${minor.replace(".", "-")}.ts`, printStructPatch(minor, patch));
  }
  const definitionsOf = mapValues(allTables, ({ definitions }) => definitions);
  const strings = mapValues(facts, (each) => each.strings);
  await writeFile(
    STRING_TYPES,
    printStringTypes(strings, definitionsOf, JSON.parse(await readFile(STRING_TYPES, "utf8"))),
  );
  const recorded = JSON.parse(await readFile(REQUIRED_FIELDS, "utf8"));
  const tags = mapValues(facts, ({ required }) => required);
  await writeFile(REQUIRED_FIELDS, printRequiredFields(requiredFields(recorded, tags)));
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function goFacts(minor) {
  const cwd = fileURLToPath(new URL("./k8s-structs", import.meta.url));
  const run = spawnSync("go", ["run", ".", minor], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (run.status !== 0) throw new TypeError("go run failed", { cause: run.error });
  return JSON.parse(run.stdout);
}

async function write(path, text) {
  const file = join(SOURCES, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
