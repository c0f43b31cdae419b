// `npm run release:dry [-- --out <folder>] [--build=false]`: does everything of a release but publish it. Builds and packs the packages, checks them with
// publint and arethetypeswrong, validates their SBOMs, and uses them in an empty folder. One line for each step; what was made stays in the folder of --out.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { ensureInstalled, ROOT } from "../ensure-installed.mjs";

const { values } = parseArgs({ options: { out: { type: "string" }, build: { type: "string", default: "true" } } });
const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "kubescaffold-release-")));
const out = values.out === undefined ? path.join(scratch, "release") : path.resolve(values.out);
const results = { passed: 0, failed: 0 };
// They are loaded once the dependencies are installed.
let checks;

try {
  await releaseDry();
} catch (error) {
  if (!(error instanceof StepFailure)) throw error;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`\nrelease:dry: ${String(results.passed)} steps passed, ${String(results.failed)} failed`);
process.exit(results.failed === 0 ? 0 : 1);

async function releaseDry() {
  ensureInstalled();
  checks = { ...(await import("./check-packages.mjs")), ...(await import("./sbom.mjs")) };
  const { packPackages } = await import("../pack-packages.mjs");
  if (values.build !== "false")
    await required("build", () => succeed(process.execPath, ["scripts/build.mjs"], ROOT) && "");
  mkdirSync(out, { recursive: true });
  const packages = await required("pack", async () => describe(await packPackages(out)));
  for (const each of packages) {
    await step(`publint ${each.name}`, async () => reject(await checks.lintTarball(path.join(out, each.tarball))));
    await step(`types ${each.name}`, async () => reject(await checks.checkTypes(path.join(out, each.tarball))));
    await step(`SBOM ${each.name}`, () => writeSbom(each));
  }
  await step("checksums", () => writeSums(packages));
  const folder = path.join(scratch, "installed");
  await required("install", () => install(folder, packages));
  await step(
    "npx kubescaffold version",
    () => succeed("npx", ["kubescaffold", "version"], folder).trim().split("\n")[0],
  );
  for (const { name } of packages) await step(`import ${name}`, () => importAll(folder, name));
}

/** Stops the run: the steps that follow need what this one makes. */
class StepFailure extends Error {}

async function required(title, run) {
  const outcome = await step(title, run);
  if (outcome === undefined) throw new StepFailure(title);
  return outcome.value;
}

async function step(title, run) {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  try {
    const value = await run();
    results.passed += 1;
    console.log(`ok     ${title} (${seconds()})${typeof value === "string" && value !== "" ? `: ${value}` : ""}`);
    return { value };
  } catch (error) {
    results.failed += 1;
    console.log(`FAILED ${title} (${seconds()}): ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function reject(problems) {
  if (problems.length > 0) throw new Error(problems.join("\n       "));
  return "";
}

// Dependencies come first, which is the order that they are published in.
function describe(tarballs) {
  const packages = tarballs.map((file) => {
    const { name, version, dependencies = {} } = manifestOf(path.basename(file));
    const tarball = path.basename(file);
    return {
      name,
      version,
      tarball,
      sbom: `${path.basename(tarball, ".tgz")}.cdx.json`,
      needs: Object.keys(dependencies),
    };
  });
  const sorted = [];
  const add = (each) => {
    if (each === undefined || sorted.includes(each)) return;
    for (const need of each.needs) add(packages.find(({ name }) => name === need));
    sorted.push(each);
  };
  for (const each of packages) add(each);
  const listed = sorted.map(({ name, tarball, sbom }) => ({ name, tarball, sbom }));
  writeFileSync(path.join(out, "packages.json"), `${JSON.stringify(listed, undefined, 2)}\n`);
  return sorted;
}

function manifestOf(tarball) {
  return JSON.parse(succeed("tar", ["-xzOf", tarball, "package/package.json"], out));
}

async function writeSbom({ name, version, tarball, sbom }) {
  const text = succeed("tar", ["-xzOf", tarball, `package/dist/${checks.SBOM_FILE}`], out);
  const problem = await checks.sbomProblem(text);
  if (problem !== undefined) throw new Error(problem);
  const { metadata, components = [] } = JSON.parse(text);
  const own = [metadata.component.group, metadata.component.name].filter(Boolean).join("/");
  if (own !== name || metadata.component.version !== version)
    throw new Error(`it describes ${own} ${metadata.component.version}`);
  writeFileSync(path.join(out, sbom), text);
  return `${String(components.length)} components`;
}

function writeSums(packages) {
  const files = packages.flatMap(({ tarball, sbom }) => [tarball, sbom]).toSorted();
  const lines = files.map(
    (file) =>
      `${createHash("sha256")
        .update(readFileSync(path.join(out, file)))
        .digest("hex")}  ${file}\n`,
  );
  writeFileSync(path.join(out, "SHA256SUMS"), lines.join(""));
  return `${String(files.length)} files`;
}

function install(folder, packages) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const tarballs = packages.map(({ tarball }) => path.join(out, tarball));
  succeed(
    "npm",
    ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", ...tarballs],
    folder,
  );
  return "";
}

// In its own process, as a user's program does.
function importAll(folder, name) {
  const program = path.join(ROOT, "scripts", "release", "import-exports.mjs");
  const count = succeed(process.execPath, [program, path.join(folder, "node_modules", name)], folder).trim();
  return `${count} modules`;
}

function succeed(command, args, cwd) {
  // On Windows npm and npx are scripts of the shell.
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32" && command !== process.execPath,
    env: userEnvironment(),
    maxBuffer: 256 * 1024 ** 2,
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
  return stdout;
}

// Without what `npm run` adds: with it, npm and npx would work on this repository.
function userEnvironment() {
  const isOwn = (name) =>
    /^npm_(?!config_(?:registry|cache|userconfig|globalconfig|cafile|strict_ssl|.*proxy)$)|^(?:INIT_CWD|NODE_OPTIONS|NODE_PATH)$/u.test(
      name,
    );
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOwn(name)));
}
