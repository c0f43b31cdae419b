// `npm run clients`: installs the Kubernetes clients of Python and JavaScript in the user's cache folder, for the tests of streams with them.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

const PYTHON_CLIENT = "kubernetes==37.0.2";
// Version 2 needs a later Node than this repository.
const JAVASCRIPT_CLIENT = "@kubernetes/client-node@1.4.0";
const FOLDER = path.join(homedir(), ".cache", "kubescaffold", "clients");

const python = path.join(FOLDER, "python");
const javascript = path.join(FOLDER, "javascript");
mkdirSync(javascript, { recursive: true });
writeFileSync(path.join(javascript, "package.json"), '{"private":true}\n');
const isInstalled = [
  run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", JAVASCRIPT_CLIENT], javascript),
  run("python3", ["-m", "venv", python], FOLDER) &&
    run(path.join(python, "bin", "python"), ["-m", "pip", "install", "--quiet", PYTHON_CLIENT], FOLDER),
];
process.exit(isInstalled.every(Boolean) ? 0 : 1);

/** @type {(program: string, args: readonly string[], cwd: string) => boolean} */
function run(program, args, cwd) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
  if (error !== undefined) console.error(`clients: cannot run ${program}: ${error.message}`);
  return status === 0;
}
