// Installs the dependencies when a clone has none, or fewer than its lock file names. Plain Node, since it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(fileURLToPath(new URL("..", import.meta.url)));
const LOCK_FILE = path.join(ROOT, "package-lock.json");
const STAMP = path.join(ROOT, "node_modules", ".kubescaffold-lock-hash");

/** Runs `npm ci` unless the installed tree was made from the present lock file, and generates the modules of templates. */
export function ensureInstalled() {
  installMissing();
  run(process.execPath, [path.join(ROOT, "scripts", "generate-templates.mjs")]);
}

function installMissing() {
  const hash = createHash("sha256").update(readFileSync(LOCK_FILE)).digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === hash) return;
  console.log("Installing dependencies (npm ci) …");
  run("npm", ["ci", "--no-audit", "--no-fund"]);
  writeFileSync(STAMP, hash);
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
