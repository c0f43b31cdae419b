// Generates the types and tables of packages/k8s from the sources of Kubernetes in the version that hack/control-plane pins for the minor version of the
// embedded server, and what differs in the tables of the other pinned versions. Needs Go.
//
//   node scripts/generate-k8s-types.mjs [--structs]
//
// With --structs it also regenerates what comes from the Go packages: the schemas that controller-gen makes of their types, and the named string types.
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { DEFAULT_MINOR, pinnedMinors } from "./control-plane-pins.mjs";
import { definitionPlace, groupPlace } from "./k8s-types/places.mjs";
import { printApplyTypes } from "./k8s-types/print-apply-types.mjs";
import { printStructPatch, printStructs, structPatch, structTables } from "./k8s-types/print-structs.mjs";
import { printDefinitions, printPatch, printPrefixes, printResources } from "./k8s-types/print-tables.mjs";
import { printTypes } from "./k8s-types/print-types.mjs";
import { printStringTypes } from "./k8s-types/string-types.mjs";
import { digestsOf } from "./releases/digests.mjs";
import { kubernetesSources } from "./releases/kubernetes-sources.mjs";
import { readTables } from "./releases/read-tables.mjs";
import { tablePatch } from "./releases/table-patch.mjs";

const SOURCES = fileURLToPath(new URL("../packages/k8s/src", import.meta.url));
const DIGESTS = fileURLToPath(new URL("../packages/k8s/test/tables/release-digests.json", import.meta.url));
const STRING_TYPES = fileURLToPath(new URL("./k8s-types/string-types.json", import.meta.url));

const { values } = parseArgs({ options: { structs: { type: "boolean", default: false } } });
const tables = readTables(kubernetesSources(DEFAULT_MINOR));
const { documents, definitions, resources, gatedResources } = tables;
if (values.structs) await writeGoFacts();
await writeTypes();
await writeTables();

async function writeTypes() {
  const strings = JSON.parse(await readFile(STRING_TYPES, "utf8"));
  for (const { group, version } of documents) {
    const place = groupPlace({ group, version });
    const own = Object.entries(definitions)
      .map(([name, schema]) => ({ ...definitionPlace(name), schema }))
      .filter((definition) => definition.place === place)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const kinds = [...resources, ...gatedResources].filter((each) => each.group === group && each.version === version);
    const groupVersion = { group, version };
    const types = printTypes({ place, groupVersion, definitions: own, strings, resources: kinds });
    await write(`api/${place}.ts`, types);
    const apply = printApplyTypes({
      place,
      groupVersion,
      definitions: own,
      all: definitions,
      resources: kinds,
    });
    if (apply !== undefined) await write(`api/apply/${place}.ts`, apply);
  }
}

async function writeTables() {
  await write("tables/definition-texts.ts", printDefinitions(tables));
  await write("tables/resource-rows.ts", printResources(tables));
  await write("tables/definition-prefixes.ts", printPrefixes(tables.prefixes));
  const others = pinnedMinors().filter((minor) => minor !== DEFAULT_MINOR);
  const digests = { [DEFAULT_MINOR]: digestsOf(tables) };
  for (const minor of others) {
    const other = readTables(kubernetesSources(minor));
    digests[minor] = digestsOf(other);
    const { hasElementDefaults } = other;
    const text = printPatch(minor, { hasElementDefaults, patch: tablePatch(tables, other) });
    await write(`../releases/${minor}.json`, text);
  }
  await writeFile(DIGESTS, `${JSON.stringify(digests, undefined, 2)}\n`);
}

async function writeGoFacts() {
  const { schemas, strings } = goFacts(DEFAULT_MINOR);
  const base = structTables(schemas);
  await write("tables/struct-texts.ts", printStructs(base));
  for (const minor of pinnedMinors().filter((each) => each !== DEFAULT_MINOR)) {
    const patch = structPatch(base, structTables(goFacts(minor).schemas));
    await write(`tables/structs/v${minor.replace(".", "-")}.ts`, printStructPatch(minor, patch));
  }
  await writeFile(STRING_TYPES, printStringTypes(strings, definitions));
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
