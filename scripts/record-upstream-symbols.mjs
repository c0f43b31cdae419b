// `node scripts/record-upstream-symbols.mjs`: verifies the upstream symbols in docstrings (`controller-runtime: pkg/reconcile.Reconciler`) against the Go
// sources of the pinned modules, and records them in test/architecture/upstream-symbols.txt. Needs Go, which downloads missing modules.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { ROOT } from "./ensure-installed.mjs";
import { declarations, MODULES } from "./upstream-sources.mjs";

const LIST = path.join(ROOT, "test", "architecture", "upstream-symbols.txt");

const references = docstringReferences();
const missing = references.filter((reference) => !isDeclared(reference));
if (missing.length > 0) {
  console.error(`not declared upstream:\n${missing.join("\n")}`);
  process.exit(1);
}
const versions = Object.values(MODULES).map((module) => `# ${module}`);
writeFileSync(LIST, `${[...versions, ...references].join("\n")}\n`);
console.log(`${String(references.length)} symbols are declared upstream`);

function docstringReferences() {
  const files = execFileSync("git", ["ls-files", "packages/*/src/*.ts"], { cwd: ROOT, encoding: "utf8" });
  const found = files
    .trim()
    .split("\n")
    .flatMap((file) => readFileSync(path.join(ROOT, file), "utf8").split("\n"))
    .map((line) => line.trim())
    .filter((line) => Object.keys(MODULES).some((module) => line.startsWith(`* ${module}: `)))
    .map((line) => line.slice("* ".length));
  return [...new Set(found)].toSorted((left, right) => (left < right ? -1 : 1));
}

// A folder has no upper-case letters, so the symbol starts at the first one behind a dot.
function isDeclared(reference) {
  const [module = "", name = ""] = reference.split(": ");
  const dot = name.search(/\.[A-Z]/u);
  return dot >= 0 && declarations(module, name.slice(0, dot)).has(name.slice(dot + 1));
}
