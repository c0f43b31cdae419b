// Packs the packages as they are published: `node scripts/pack-packages.mjs <folder>`, after a build. Prints the path of each tarball.
// The manifests in the tarballs are without what means something in the repository alone, such as the exports that lead to sources, and the declarations of
// internal modules are left out.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

import { extract, pack } from "tar-stream";

import { ROOT } from "./ensure-installed.mjs";
import { reachableDeclarations } from "./reachable-declarations.mjs";

const SOURCE_CONDITION = "@kubescaffold/source";
const REPOSITORY_KEYS = ["scripts", "devDependencies", "workspaces", "allowScripts"];
const PREFIX = "package/";
const MANIFEST_ENTRY = `${PREFIX}package.json`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error("usage: node scripts/pack-packages.mjs <folder>");
    process.exit(2);
  }
  for (const tarball of await packPackages(path.resolve(folder))) console.log(tarball);
}

/** Writes a tarball of every package into a folder and returns their paths. Throws when npm cannot pack one. */
export async function packPackages(folder) {
  mkdirSync(folder, { recursive: true });
  const packages = [
    ROOT,
    ...readdirSync(path.join(ROOT, "packages"))
      .map((name) => path.join(ROOT, "packages", name))
      .filter((each) => !isPrivate(each)),
  ];
  packWithNpm(packages, folder);
  const tarballs = packages.map((directory) => path.join(folder, tarballName(directory)));
  for (const tarball of tarballs) writeFileSync(tarball, await asPublished(readFileSync(tarball)));
  return tarballs;
}

function packWithNpm(packages, folder) {
  const args = ["pack", ...packages, "--pack-destination", folder, "--ignore-scripts", "--json", "--loglevel=error"];
  const { status, error, stderr } = spawnSync("npm", args, {
    cwd: ROOT,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm pack did not succeed: ${error?.message ?? stderr}`);
}

function isPrivate(directory) {
  return JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8")).private === true;
}

function tarballName(directory) {
  const { name, version } = JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8"));
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

async function asPublished(tarball) {
  const entries = await entriesOf(tarball);
  const unreached = unreachedDeclarations(entries);
  const output = pack();
  const chunks = [];
  output.on("data", (chunk) => chunks.push(chunk));
  for (const { name, mode, mtime, content } of entries) {
    if (unreached.has(name)) continue;
    output.entry({ name, mode, mtime }, name === MANIFEST_ENTRY ? publishedManifest(content) : content);
  }
  output.finalize();
  await finished(output);
  return gzipSync(Buffer.concat(chunks));
}

async function entriesOf(tarball) {
  const entries = [];
  const input = extract();
  input.end(gunzipSync(tarball));
  for await (const entry of input) {
    const { name, mode, mtime } = entry.header;
    entries.push({ name, mode, mtime, content: await contentOf(entry) });
  }
  return entries;
}

function unreachedDeclarations(entries) {
  const declarations = new Map(
    entries
      .filter(({ name }) => name.endsWith(".d.ts"))
      .map(({ name, content }) => [name.slice(PREFIX.length), content.toString("utf8")]),
  );
  const manifest = JSON.parse(entries.find(({ name }) => name === MANIFEST_ENTRY).content.toString("utf8"));
  const reached = reachableDeclarations(manifest, declarations);
  return new Set([...declarations.keys()].filter((name) => !reached.has(name)).map((name) => `${PREFIX}${name}`));
}

async function contentOf(entry) {
  const chunks = [];
  for await (const chunk of entry) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function publishedManifest(content) {
  const manifest = JSON.parse(content.toString("utf8"));
  for (const key of REPOSITORY_KEYS) delete manifest[key];
  for (const target of Object.values(manifest.exports)) {
    if (typeof target === "object") delete target[SOURCE_CONDITION];
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
