// The Node program of the images that the tests on a real node build, of the major version that a scaffolded Dockerfile names.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

import { CACHE } from "../go-programs.mjs";

const PACKAGE = `node-linux-${process.arch}`;
const VERSION = "22.23.5";

/** Returns the path of the program in the user's cache folder, having installed it with npm if it is missing. Throws when that fails. */
export function installNodeProgram() {
  const folder = path.join(CACHE, "node-program", `${VERSION}-${process.arch}`);
  const program = path.join(folder, "node_modules", PACKAGE, "bin", "node");
  if (existsSync(program)) return program;
  const staging = `${folder}.${String(process.pid)}`;
  mkdirSync(staging, { recursive: true });
  try {
    // The installation script of another package would download; this one contains the program.
    npm(["init", "--yes"], staging);
    npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", `${PACKAGE}@${VERSION}`], staging);
    renameSync(staging, folder);
  } catch (error) {
    // Another run has installed it meanwhile.
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return program;
}

function npm(args, cwd) {
  const { status, error, stderr } = spawnSync("npm", args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed: ${stderr}`, { cause: error });
}
