// Generates the tables of packages/apiserver that the sources of Kubernetes contain, in the version that hack/control-plane pins for the minor version of the
// embedded server: its feature gates, and the roles and bindings of its start. Needs Go.
//
//   node scripts/generate-server-tables.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { DEFAULT_MINOR } from "./control-plane-pins.mjs";
import { clientSources, kubernetesSources } from "./releases/kubernetes-sources.mjs";
import { readGates } from "./releases/read-gates.mjs";
import { readRoles } from "./releases/read-roles.mjs";

const FOLDER = new URL("../packages/apiserver/src/", import.meta.url);

const sources = kubernetesSources(DEFAULT_MINOR);
const gates = readGates({ sources, clientSources: clientSources(DEFAULT_MINOR), minor: DEFAULT_MINOR });
const { roles, bindings } = readRoles(sources);
writeTable("metrics/feature-gate-table.ts", "FEATURE_GATES", gates.map(gateLine));
writeTable("authorization/bootstrap-table.ts", "BOOTSTRAP_ROLES", roles);
writeTable("authorization/bootstrap-table.ts", "BOOTSTRAP_BINDINGS", bindings);

function gateLine({ name, stage, isOn }) {
  return `${name} ${stage} ${isOn ? "1" : "0"}`;
}

// Replaces the lines of a table in its module, whose comments are written by hand.
function writeTable(module, name, lines) {
  const file = fileURLToPath(new URL(module, FOLDER));
  const start = `export const ${name}: string = \`\n`;
  const text = readFileSync(file, "utf8");
  const at = text.indexOf(start);
  if (at === -1) throw new Error(`${module} has no table ${name}`);
  const from = at + start.length;
  writeFileSync(file, `${text.slice(0, from)}${lines.join("\n")}\n${text.slice(text.indexOf("`;", from))}`);
}
