// The Kubernetes clients of other languages, and other runtimes and package managers of JavaScript, which tests use, in the user's cache folder. A change of versions or sources makes a new folder.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

import { ROOT } from "./ensure-installed.mjs";
import { selectedShard } from "./rotation.mjs";

const SOURCES = path.join(ROOT, "hack", "clients");
const CACHE = path.join(homedir(), ".cache", "kubescaffold", "clients");
const INSTALL_LIMIT_MS = 240_000;

/** The clients; the slow ones take minutes to compile or download, once. */
export const CLIENTS = [
  {
    name: "python",
    program: "python3",
    versions: ["kubernetes==37.0.2", "pytest==9.0.2"],
    steps: (versions) => [
      ["python3", "-m", "venv", "environment"],
      [path.join("environment", "bin", "python"), "-m", "pip", "install", "--quiet", ...versions],
    ],
    command: (folder) => [path.join(folder, "environment", "bin", "python"), path.join(folder, "streams.py")],
  },
  {
    name: "javascript",
    program: "node",
    // Version 2 needs a later Node than this repository.
    versions: ["@kubernetes/client-node@1.4.0"],
    steps: (versions) => [
      ["npm", "init", "--yes"],
      ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", ...versions],
    ],
    command: (folder) => [process.execPath, path.join(folder, "streams.mjs")],
  },
  {
    name: "rust",
    program: "cargo",
    isSlow: true,
    versions: [],
    steps: () => [["cargo", "build", "--quiet"]],
    command: (folder) => [path.join(folder, "target", "debug", "streams")],
  },
  {
    name: "java",
    program: "mvn",
    isSlow: true,
    versions: [],
    steps: () => [["mvn", "-B", "-q", "compile", "dependency:build-classpath", "-Dmdep.outputFile=classpath"]],
    command: (folder) => [
      "java",
      "-cp",
      `${path.join(folder, "target", "classes")}${path.delimiter}${readFileSync(path.join(folder, "classpath"), "utf8")}`,
      "Streams",
    ],
  },
];

/** Other runtimes of JavaScript, which run the packages of this repository. */
export const RUNTIMES = [
  runtime("bun", "bun@1.4.5", { setup: [["node", "node_modules/bun/install.js"]], args: ["run"] }),
  runtime("deno", "deno@2.9.6", { setup: [], args: ["run", "--allow-all", "--node-modules-dir=manual"] }),
];

/** Package managers of JavaScript beside npm, with which projects are created; one of the runtimes is another one. */
export const MANAGERS = [
  runtime("pnpm", "pnpm@12.21.0", { setup: [], args: [] }),
  runtime("yarn", "@yarnpkg/cli-dist@4.18.1", { setup: [], args: [] }),
];

function runtime(name, version, { setup, args }) {
  return {
    name,
    program: "npm",
    versions: [version],
    steps: () => [
      ["npm", "init", "--yes"],
      ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", version],
      ...setup,
    ],
    command: (folder) => [path.join(folder, "node_modules", ".bin", name), ...args],
  };
}

const INSTALLED = [...CLIENTS, ...RUNTIMES, ...MANAGERS];

/** What the compilers of the clients need; the programs of the documentation share what was compiled with it. */
export const CLIENT_ENV = { CARGO_PROFILE_DEV_DEBUG: "0", CARGO_TERM_COLOR: "never" };

/** Returns the folder of a client or runtime, which exists once it is installed. */
export function clientFolder(name) {
  const client = INSTALLED.find((each) => each.name === name);
  const hash = createHash("sha256").update(JSON.stringify(client.versions));
  const folder = path.join(SOURCES, name);
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted() : [];
  for (const file of files) {
    const text = /\.\w+$/u.test(file) ? readFileSync(path.join(folder, file)) : "";
    hash.update(file.replaceAll("\\", "/")).update(text);
  }
  return path.join(CACHE, `${name}-${hash.digest("hex").slice(0, 12)}`);
}

/** Returns the command of an installed client or runtime; undefined for one that is not. */
export function clientCommand(name) {
  const folder = clientFolder(name);
  return existsSync(folder) ? INSTALLED.find((each) => each.name === name).command(folder) : undefined;
}

/**
 * Installs the runtimes, and the clients whose language this machine has, and returns the names of those that are there and of those whose installation failed.
 *
 * In the gate, a slow one is installed only on its day; one that is there is used every day.
 */
export function installClients({ isGate = false } = {}) {
  const slow = CLIENTS.filter(({ isSlow }) => isSlow === true);
  const ofTheDay = slow[selectedShard() % slow.length]?.name;
  const installed = [];
  const failed = [];
  for (const client of INSTALLED) {
    const { name, program } = client;
    if (existsSync(clientFolder(name))) installed.push(name);
    else if (spawnSync(program, ["--version"]).status !== 0) {
      console.log(`SKIPPED: the client of ${name}, since there is no ${program} on the PATH`);
    } else if (isGate && client.isSlow === true && name !== ofTheDay) {
      console.log(`SKIPPED: the client of ${name}, which is compiled every other day; \`npm run clients\` compiles it`);
    } else (install(client) ? installed : failed).push(name);
  }
  return { installed, failed };
}

// The folder gets its name when it is complete.
function install({ name, steps, versions }) {
  console.log(`installing the client of ${name}`);
  const folder = clientFolder(name);
  const partial = `${folder}.new`;
  mkdirSync(CACHE, { recursive: true });
  rmSync(partial, { recursive: true, force: true });
  if (existsSync(path.join(SOURCES, name))) cpSync(path.join(SOURCES, name), partial, { recursive: true });
  else mkdirSync(partial);
  const end = Date.now() + INSTALL_LIMIT_MS;
  for (const command of steps(versions)) {
    const failure = failureOf(command, { cwd: partial, timeout: Math.max(1, end - Date.now()) });
    if (failure === undefined) continue;
    console.error(`cannot install the client of ${name}: ${failure}`);
    rmSync(partial, { recursive: true, force: true });
    return false;
  }
  renameSync(partial, folder);
  return true;
}

function failureOf([program, ...args], where) {
  const { status, error, stderr } = spawnSync(program, args, {
    ...where,
    env: { ...process.env, ...CLIENT_ENV },
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    maxBuffer: Infinity,
    shell: process.platform === "win32",
  });
  if (status === 0) return undefined;
  const reason = /^.*error.*$/imu.exec(stderr)?.[0].trim() ?? `it ended with ${String(status)}`;
  return `${program}: ${error?.message ?? reason}`;
}
