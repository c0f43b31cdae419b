// Builds the site with all its versions into site/dist, for `.github/workflows/docs.yml`: that of the checkout at the root, and each earlier one from its tag.
//
// DOCS_BASE is the path of the site on its host, DOCS_ORIGIN its whole address. A build of a tag gets both, for its folder, and all versions in DOCS_VERSIONS.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { earlierVersions, folderOf } from "./versions.mjs";

const [root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..")] = process.argv.slice(2);
const base = process.env.DOCS_BASE ?? "/";
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const earlier = earlierVersions(git("tag", "--list").split("\n"), version);
const versions = { DOCS_VERSIONS: [version, ...earlier].join(" ") };
const dist = path.join(root, "site", "dist");

run("npm", ["run", "docs"], { cwd: root, env: { ...versions, DOCS_BASE: base } });
for (const each of earlier) buildTag(each);
console.log(`site/dist: ${[version, ...earlier].map((each) => `v${each}`).join(", ")}`);

function buildTag(each) {
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-docs-"));
  const tree = path.join(folder, "tree");
  try {
    git("worktree", "add", "--detach", tree, `v${each}`);
    run("npm", ["ci"], { cwd: tree, env: {} });
    run("npm", ["run", "docs"], { cwd: tree, env: { ...versions, DOCS_BASE: `${base}${folderOf(each)}/` } });
    cpSync(path.join(tree, "site", "dist"), path.join(dist, folderOf(each)), { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    git("worktree", "prune");
  }
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

function run(command, args, { cwd, env }) {
  const { status } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}
