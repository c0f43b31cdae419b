// Generates the types and tables of packages/k8s from Kubernetes' OpenAPI v3 documents.
//
//   node scripts/generate-k8s-types.mjs <folder of JSON files | URL of a server> [--structs]
//
// The server has --feature-gates=MutatingAdmissionPolicy=true and --runtime-config=admissionregistration.k8s.io/v1alpha1=true,admissionregistration.k8s.io/v1beta1=true.
// With --structs it also regenerates what comes from the Go packages, which needs Go: the schemas that controller-gen makes of their types, and
// the named string types.
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { definitionPlace, groupPlace } from "./k8s-types/places.mjs";
import { printApplyTypes } from "./k8s-types/print-apply-types.mjs";
import { printDefinitions, printPrefixes, printResources, printStructs } from "./k8s-types/print-tables.mjs";
import { printTypes } from "./k8s-types/print-types.mjs";
import { GATED, readOpenApi } from "./k8s-types/read-openapi.mjs";
import { resourcesOf } from "./k8s-types/resources.mjs";
import { printStringTypes } from "./k8s-types/string-types.mjs";

const SOURCES = fileURLToPath(new URL("../packages/k8s/src", import.meta.url));
const STRING_TYPES = fileURLToPath(new URL("./k8s-types/string-types.json", import.meta.url));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { structs: { type: "boolean", default: false } },
});
if (positionals.length !== 1) {
  process.stderr.write(
    "usage: node scripts/generate-k8s-types.mjs <folder of OpenAPI v3 JSON files | URL of a server> [--structs]\n",
  );
  process.exit(2);
}
const documents = await readOpenApi(positionals[0]);
const definitions = Object.assign({}, ...documents.map(({ schemas }) => schemas));
if (values.structs) await writeGoFacts();
await writeTypes();
await writeTables();

async function writeTypes() {
  const strings = JSON.parse(await readFile(STRING_TYPES, "utf8"));
  for (const document of documents) {
    const { group, version } = document;
    const place = groupPlace({ group, version });
    const own = Object.entries(definitions)
      .map(([name, schema]) => ({ ...definitionPlace(name), schema }))
      .filter((definition) => definition.place === place)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const resources = resourcesOf(document);
    const types = printTypes({ place, groupVersion: { group, version }, definitions: own, strings, resources });
    await write(`api/${place}.ts`, types);
    const apply = printApplyTypes({
      place,
      groupVersion: { group, version },
      definitions: own,
      all: definitions,
      resources,
    });
    if (apply !== undefined) await write(`api/apply/${place}.ts`, apply);
  }
}

async function writeTables() {
  await write("tables/definition-texts.ts", printDefinitions(definitions));
  const isGated = ({ group, version }) => GATED.has(`${group}/${version}`);
  const [served, gated] = [documents.filter((each) => !isGated(each)), documents.filter(isGated)];
  await write("tables/resource-rows.ts", printResources(served.flatMap(resourcesOf), gated.flatMap(resourcesOf)));
  await write("tables/definition-prefixes.ts", printPrefixes(documents));
}

async function writeGoFacts() {
  const cwd = fileURLToPath(new URL("./k8s-structs", import.meta.url));
  const run = spawnSync("go", ["run", "."], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (run.status !== 0) throw new TypeError("go run failed", { cause: run.error });
  const { schemas, strings } = JSON.parse(run.stdout);
  const entries = Object.entries(schemas).map(([name, { flat }]) => [name, flat]);
  await write("tables/struct-texts.ts", printStructs(Object.fromEntries(entries)));
  await writeFile(STRING_TYPES, printStringTypes(strings, definitions));
}

async function write(path, text) {
  const file = join(SOURCES, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
