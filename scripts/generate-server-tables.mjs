// Generates the tables of packages/apiserver that the sources of Kubernetes contain, in the versions that hack/control-plane pins: the feature gates of each minor
// version, and the roles and bindings of its start. Those of the minor version of the embedded server are whole, the others are what differs. Needs Go.
//
//   node scripts/generate-server-tables.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { DEFAULT_MINOR, pinnedMinors } from "./control-plane-pins.mjs";
import { printGateNames, printServerPatch } from "./releases/print-server-tables.mjs";
import { readServerTables } from "./releases/read-server-tables.mjs";
import { serverDigestsOf, serverTablePatch } from "./releases/server-table-patch.mjs";

const FOLDER = new URL("../packages/apiserver/src/release/", import.meta.url);
const DIGESTS = new URL("../packages/apiserver/test/release/release-digests.json", import.meta.url);

const all = readServerTables(pinnedMinors());
const base = all.get(DEFAULT_MINOR);
const others = [...all].filter(([minor]) => minor !== DEFAULT_MINOR);
writeTable("feature-gate-table.ts", "FEATURE_GATES", base.gates);
writeTable("feature-gate-table.ts", "RETIRED_GATES", base.retiredGates);
writeTable("bootstrap-table.ts", "BOOTSTRAP_ROLES", base.roles);
writeTable("bootstrap-table.ts", "BOOTSTRAP_BINDINGS", base.bindings);
write("gate-names.ts", printGateNames(all));
for (const [minor, tables] of others)
  write(`../../releases/${minor}.json`, printServerPatch(minor, serverTablePatch(base, tables)));
const digests = Object.fromEntries([...all].map(([minor, tables]) => [minor, serverDigestsOf(tables)]));
writeFileSync(fileURLToPath(DIGESTS), `${JSON.stringify(digests, undefined, 2)}\n`);

function write(module, text) {
  writeFileSync(fileURLToPath(new URL(module, FOLDER)), text);
}

// Replaces the lines of a table in its module, whose comments are written by hand.
function writeTable(module, name, lines) {
  const start = `export const ${name}: string = \`\n`;
  const text = readFileSync(fileURLToPath(new URL(module, FOLDER)), "utf8");
  const at = text.indexOf(start);
  if (at === -1) throw new Error(`${module} has no table ${name}`);
  const from = at + start.length;
  write(
    module,
    `${text.slice(0, from)}${lines.map((line) => `${line}\n`).join("")}${text.slice(text.indexOf("`;", from))}`,
  );
}
