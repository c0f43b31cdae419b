// What `npm install` of a fresh project brings, and what of it a manager needs: packages, and megabytes on the disk.
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { packPackages } from "../scripts/pack-packages.mjs";
import { printWhenMain, rowOf, timeProgram } from "./measuring.mjs";
import { builtProgram, inTemporaryFolder } from "./places.mjs";

const QUIET = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
const BLOCK_BYTES = 512;

export function measureInstall() {
  return inTemporaryFolder(async (folder) => {
    const project = path.join(folder, "fresh");
    mkdirSync(project);
    const init = "init --domain example.com --project-name fresh --skip-install".split(" ");
    timeProgram(process.execPath, [builtProgram(), ...init], { cwd: project });
    takePackagesFrom(await packPackages(path.join(folder, "tarballs")), project);
    npm(project, ["install"]);
    const fresh = describeInstalled(project);
    npm(project, ["ci", "--omit=dev"]);
    const production = describeInstalled(project);
    return [
      ...rowsOf("`npm install` of a fresh project", fresh, { packages: 180, megabytes: 180 }),
      ...rowsOf("the same with `--omit=dev`", production, { packages: 40, megabytes: 18 }),
    ];
  });
}

// From a checkout, a project depends on folders; its users install what is published.
function takePackagesFrom(tarballs, project) {
  const file = path.join(project, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(dependencies)) {
      const start = `${name.replace("@", "").replace("/", "-")}-`;
      const tarball = tarballs.find((each) => /^\d/.test(path.basename(each).split(start)[1] ?? ""));
      if (/^(?:@kubescaffold\/|kubescaffold$)/.test(name)) dependencies[name] = `file:${tarball}`;
    }
  }
  writeFileSync(file, JSON.stringify(manifest));
}

function describeInstalled(project) {
  const modules = path.join(project, "node_modules");
  const lock = JSON.parse(readFileSync(path.join(modules, ".package-lock.json"), "utf8"));
  const entries = readdirSync(modules, { recursive: true, encoding: "utf8" });
  const statuses = entries.map((name) => lstatSync(path.join(modules, name)));
  // A file with several names, such as the program of esbuild, takes its blocks once.
  const files = new Map(statuses.map((each) => [`${each.dev} ${each.ino}`, each.blocks * BLOCK_BYTES]));
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  return { packages: Object.keys(lock.packages).length, megabytes: bytes / 1e6 };
}

function rowsOf(title, { packages, megabytes }, most) {
  return [
    rowOf({ title, ours: [packages], max: most.packages, unit: "packages" }),
    rowOf({ title: `${title}, on the disk`, ours: [megabytes], max: most.megabytes, unit: "MB" }),
  ];
}

function npm(cwd, args) {
  return timeProgram("npm", [...args, ...QUIET], { cwd, shell: process.platform === "win32" });
}

await printWhenMain(import.meta.url, measureInstall);
