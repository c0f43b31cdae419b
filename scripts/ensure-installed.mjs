// Installs the dependencies when a clone has none, or fewer than its lock file names. Plain Node, since it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(fileURLToPath(new URL("..", import.meta.url)));
const LOCK_FILE = path.join(ROOT, "package-lock.json");
// npm writes it when an installation has succeeded.
const INSTALLED_FILE = path.join(ROOT, "node_modules", ".package-lock.json");

/** Runs `npm ci` unless the installed packages are those of the lock file, and generates the modules of templates. */
export function ensureInstalled() {
  installMissing();
  run(process.execPath, [path.join(ROOT, "scripts", "generate-templates.mjs")]);
}

function installMissing() {
  if (isInstalled()) return;
  console.log("Installing dependencies (npm ci) …");
  run("npm", ["ci", "--no-audit", "--no-fund"]);
}

function isInstalled() {
  if (!existsSync(INSTALLED_FILE)) return false;
  const { "": _root, ...wanted } = packagesOf(LOCK_FILE);
  const installed = packagesOf(INSTALLED_FILE);
  const isSame = (name) =>
    installed[name]?.version === wanted[name]?.version && installed[name]?.integrity === wanted[name]?.integrity;
  // npm skips optional packages of other platforms.
  const isPresent = (name) => name in installed || wanted[name].optional === true;
  return Object.keys(wanted).every(isPresent) && Object.keys(installed).every(isSame);
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

/** Runs a program in the repository with the terminal's streams and ends this process with its status when it fails. */
export function run(command, args, options = {}) {
  const status = runStatus(command, args, options);
  if (status !== 0) process.exit(status);
}

/** Runs a program in the repository with the terminal's streams and returns its exit status. */
export function runStatus(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: "inherit",
    shell: process.platform === "win32",
    ...options,
  });
  if (result.error) {
    console.error(`cannot run ${command}: ${result.error.message}`);
    return 1;
  }
  return result.status ?? 1;
}

/** Returns the path of a program that a dependency brought, to be run with this Node. */
export function binOf(packageName, binName = packageName) {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, "node_modules", packageName, "package.json"), "utf8"));
  const bin = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[binName];
  return path.join(ROOT, "node_modules", packageName, bin);
}
