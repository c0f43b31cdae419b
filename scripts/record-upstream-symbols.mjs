// `node scripts/record-upstream-symbols.mjs`: verifies the upstream symbols in docstrings (`controller-runtime: pkg/reconcile.Reconciler`) against the Go
// sources of the pinned modules, and records them in test/architecture/upstream-symbols.txt. Needs Go, which downloads missing modules.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { ROOT } from "./ensure-installed.mjs";

// The versions that controller-runtime requires.
const MODULES = {
  "controller-runtime": "sigs.k8s.io/controller-runtime@v0.25.2",
  "client-go": "k8s.io/client-go@v0.37.0",
  apimachinery: "k8s.io/apimachinery@v0.37.0",
  "k8s.io/utils": "k8s.io/utils@v0.0.0-20260626114624-be93311217bd",
};
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

// Exported functions, methods, types, constants, and variables of a package.
function declarations(module, folder) {
  const directory = path.join(moduleDirectory(module), folder);
  if (!existsSync(directory)) return new Set();
  const sources = readdirSync(directory)
    .filter((name) => name.endsWith(".go") && !name.endsWith("_test.go"))
    .map((name) => readFileSync(path.join(directory, name), "utf8"));
  return new Set(sources.flatMap((text) => exportedNames(text.split("\n"))));
}

function exportedNames(lines) {
  let isGroup = false;
  return lines.flatMap((line) => {
    if (/^(?:type|const|var) \($/u.test(line)) isGroup = true;
    if (line === ")") isGroup = false;
    const member = isGroup ? /^\t(?<name>[A-Z]\w*)/u.exec(line) : null;
    if (member !== null) return [member.groups.name];
    const method = /^func \((?<receiver>[^)]*)\) (?<name>[A-Z]\w*)/u.exec(line);
    if (method === null) return /^(?:func|type|const|var) (?<name>[A-Z]\w*)/u.exec(line)?.groups.name ?? [];
    const [type = ""] = method.groups.receiver.replace(/^\w+ /u, "").replace("*", "").split("[");
    return [`${type}.${method.groups.name}`];
  });
}

function moduleDirectory(module) {
  const output = execFileSync("go", ["mod", "download", "-json", MODULES[module]], { cwd: tmpdir(), encoding: "utf8" });
  return JSON.parse(output).Dir;
}
