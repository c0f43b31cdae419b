// Runs controller-gen on the Go half of every golden case and writes what it prints to expected.yaml,
// or, for the cases that are errors, whether it fails and what it says to upstream.txt; so too for deliberate differences.
//
// node scripts/golden-reference.mjs [generator[/case]]
//
// controller-gen and the Go module of the cases live in the user's cache folder. A case is a folder
// packages/generators/test/<generator>/golden/<case> with go/ (packages), input/ (the same in TypeScript) and,
// where the plain generator does not do, case.json with the arguments.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { RECORDED_MINOR } from "./control-plane-pins.mjs";
import { installControllerGen, prepareModule, run } from "./controller-gen.mjs";

const ROOT = path.resolve(fileURLToPath(new URL("..", import.meta.url)));
const TESTS = path.join(ROOT, "packages", "generators", "test");
const DEFAULT_ARGUMENTS = {
  crd: ["crd"],
  rbac: ["rbac:roleName=manager-role"],
  webhook: ["webhook"],
  schemapatch: ["schemapatch:manifests=manifests"],
};

// A copy, so that two runs at once do not disturb one another.
const MODULE = mkdtempSync(path.join(os.tmpdir(), "golden-reference-"));
cpSync(prepareModule(RECORDED_MINOR), MODULE, {
  recursive: true,
  filter: (file) => !/[\\/](?:cases|structs)$/u.test(file),
});

const [only = ""] = process.argv.slice(2);
const cases = findCases().filter(({ generator, name }) => `${generator}/${name}`.startsWith(only));
const program = installControllerGen();
const failures = cases.filter((each) => !writeExpected(each)).map(({ generator, name }) => `${generator}/${name}`);
writeCatalogue();
writeOptions();
rmSync(MODULE, { recursive: true, force: true });
console.log(`${cases.length - failures.length} expected files written`);
if (failures.length > 0) {
  console.error(`controller-gen failed on ${failures.join(", ")}`);
  process.exitCode = 1;
}

function findCases() {
  return Object.keys(DEFAULT_ARGUMENTS).flatMap((generator) => {
    const folder = path.join(TESTS, generator, "golden");
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names
      .filter((name) => existsSync(path.join(folder, name, "go")))
      .map((name) => ({ generator, name, folder: path.join(folder, name) }));
  });
}

// The names, places and arguments of all markers, as controller-gen lists them.
function writeCatalogue() {
  const generators = ["crd", "rbac:roleName=x", "webhook", "object", "applyconfiguration"];
  const categories = JSON.parse(run(program, [...generators, "-wwww"]));
  const markers = categories
    .flatMap((each) => each.markers ?? [each])
    .map(({ name, target, fields = [] }) => ({
      name,
      target,
      arguments: fields.map((field) => ({ name: field.name, type: field.type, isOptional: field.optional === true })),
    }));
  const key = ({ name, target }) => `${name} ${target}`;
  markers.sort((left, right) => (key(left) < key(right) ? -1 : 1));
  const text = `[\n${markers.map((each) => `  ${JSON.stringify(each)}`).join(",\n")}\n]\n`;
  writeFileSync(path.join(TESTS, "markers", "fixtures", "catalogue.json"), text);
}

// It says them in another order in every run.
function byPlace(left, right) {
  const lineOf = (message) => Number(/^\S+?:(\d+):/u.exec(message)?.[1] ?? 0);
  return lineOf(left) - lineOf(right) || (left < right ? -1 : 1);
}

// One message prints a whole CRD as Go does.
function shorten(line) {
  return line.length > 240 ? `${line.slice(0, 240)}…` : line;
}

// The names and arguments of all options of the command line, as controller-gen lists them.
function writeOptions() {
  const options = JSON.parse(run(program, ["-hhhh"]))
    .flatMap((category) => category.markers ?? [category])
    .map(({ name, target, fields = [] }) => ({
      name,
      target,
      arguments: fields.map((field) => ({ name: field.name, type: field.type, isOptional: field.optional === true })),
    }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const text = `[\n${options.map((each) => `  ${JSON.stringify(each)}`).join(",\n")}\n]\n`;
  writeFileSync(path.join(TESTS, "arguments", "fixtures", "options.json"), text);
}

function writeExpected({ generator, name, folder }) {
  const target = path.join(MODULE, "cases");
  rmSync(target, { recursive: true, force: true });
  cpSync(path.join(folder, "go"), target, { recursive: true });
  const manifests = path.join(folder, "input", "manifests");
  if (existsSync(manifests)) cpSync(manifests, path.join(target, "manifests"), { recursive: true });
  // The order in which it prints several patched files is random.
  const output = generator === "schemapatch" ? "output:dir=patched" : "output:stdout";
  const words = [...argumentsOf(generator, folder), "paths=./...", output];
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: target, encoding: "utf8", maxBuffer: 1 << 28 });
  if (name.startsWith("invalid-")) {
    writeFileSync(path.join(folder, "upstream.txt"), answerOf({ status, stderr, target }));
    return true;
  }
  if (name.startsWith("differs-")) {
    writeFileSync(path.join(folder, "upstream.txt"), status === 0 ? stdout : answerOf({ status, stderr, target }));
    return true;
  }
  if (status !== 0) {
    console.error(`${generator}/${name}: ${stderr}`);
    return false;
  }
  const patched = path.join(target, "patched");
  writeFileSync(path.join(folder, "expected.yaml"), generator === "schemapatch" ? readAll(patched) : stdout);
  return true;
}

// The files of a folder in the order of their names, each behind a line with its name.
function readAll(folder) {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.map((name) => `# ${name}\n${readFileSync(path.join(folder, name), "utf8")}`).join("");
}

// What controller-gen says of a case that is an error, without the folders of this machine and without its advice.
function answerOf({ status, stderr, target }) {
  if (status === 0) return "controller-gen accepts this\n";
  if (stderr.includes("panic: ") || status === 2) return "controller-gen crashes\n";
  const [said = ""] = stderr.split("\nUsage:");
  const lines = said.split("\n").filter((line) => line !== "" && !/^(?:Error: not all|run `|exit status)/u.test(line));
  const placed = lines.filter((line) => /^\S+:(?:-|\d+:\d+): /u.test(line));
  const messages = [...new Set(placed.length > 0 ? placed : lines)].map((line) =>
    shorten(line.replaceAll(`${target}${path.sep}`, "")),
  );
  return ["controller-gen fails:", ...messages.toSorted(byPlace), ""].join("\n");
}

function argumentsOf(generator, folder) {
  const file = path.join(folder, "case.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).arguments : DEFAULT_ARGUMENTS[generator];
}
