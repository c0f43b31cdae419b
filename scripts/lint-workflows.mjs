// `npm run lint:workflows`: actionlint and zizmor over the workflows and Dependabot configurations of this repository, of the examples, and of the golden
// projects, which hold every workflow that commands and plugins scaffold. Both tools are installed on first use, in the version that hack/ pins.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

import { ROOT, runStatus } from "./ensure-installed.mjs";
import { CACHE, EXECUTABLE_SUFFIX, goVersion } from "./go-programs.mjs";
import { buildPinnedTool } from "./pinned-go-tool.mjs";

const REQUIREMENTS = path.join(ROOT, "hack", "zizmor", "requirements.txt");

const folders = [ROOT, ...subfolders("examples"), ...subfolders("test/golden/projects", "project")]
  .map((folder) => path.join(folder, ".github"))
  .filter((folder) => existsSync(folder));
const workflows = folders.flatMap((folder) => yamlFiles(path.join(folder, "workflows")));

const failed = [lintWithActionlint(), auditWithZizmor()].includes("failed");
process.exit(failed ? 1 : 0);

function lintWithActionlint() {
  if (goVersion() === undefined) return skipped("actionlint", "there is no Go to build it");
  // Shell scripts are checked on machines with shellcheck alone, so that every machine finds the same.
  const status = runStatus(buildPinnedTool("actionlint"), ["-shellcheck=", "-pyflakes=", ...workflows]);
  return outcome("actionlint", status, `${String(workflows.length)} workflows`);
}

function auditWithZizmor() {
  const program = installZizmor();
  if (program === undefined) return skipped("zizmor", "there is no Python 3 with pip to install it");
  const status = runStatus(program, ["--offline", "--no-progress", "--quiet", ...folders]);
  return outcome("zizmor", status, `${String(folders.length)} folders`);
}

// Returns nothing where there is no pip. A version that pip cannot install is a failure like any other.
function installZizmor() {
  const version = /^zizmor==(\S+)/mu.exec(readFileSync(REQUIREMENTS, "utf8"))?.[1];
  const folder = path.join(CACHE, "zizmor", version ?? "");
  const program = path.join(folder, "bin", `zizmor${EXECUTABLE_SUFFIX}`);
  if (existsSync(program)) return program;
  if (spawnSync("python3", ["-m", "pip", "--version"]).status !== 0) return undefined;
  console.log(`installing zizmor ${version} …`);
  const staging = `${folder}.${String(process.pid)}`;
  const words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"];
  const status = runStatus("python3", [...words, "--require-hashes", "--target", staging, "-r", REQUIREMENTS]);
  if (status !== 0) throw new Error(`pip could not install zizmor ${version}`);
  rmSync(folder, { recursive: true, force: true });
  renameSync(staging, folder);
  return program;
}

function outcome(tool, status, checked) {
  console.log(`${tool}: ${checked}, ${status === 0 ? "no findings" : "FAILED"}`);
  return status === 0 ? "passed" : "failed";
}

function skipped(tool, reason) {
  console.log(`${tool}: SKIPPED, ${reason}`);
  return "skipped";
}

function subfolders(parent, inner = "") {
  return readdirSync(path.join(ROOT, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(ROOT, parent, entry.name, inner));
}

function yamlFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/u.test(name))
    .toSorted()
    .map((name) => path.join(folder, name));
}
