// `npm run docs`: builds the documentation site into site/dist, with the API reference. Fails when a link leads nowhere, and on each warning.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { deadLinks } from "./check-links.mjs";
import { IMAGE_FOLDERS, linksAway, pageOf, sitePage } from "./pages.mjs";
import { sidebarOf, titleOfText } from "./sidebar.mjs";
import { versionMenu } from "./versions.mjs";

const SITE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.join(SITE, "..");
const DOCS = path.join(ROOT, "docs");
const WORK = path.join(SITE, ".work");
const PAGES = path.join(WORK, "pages");
const DIST = path.join(SITE, "dist");
// The path of the site on its host; site/publish.mjs sets the others.
const { DOCS_BASE: BASE = "/", DOCS_ORIGIN, DOCS_VERSIONS } = process.env;

const { version, repository } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
const address = repository.url.replace(/^git\+/u, "").replace(/\.git$/u, "");

ensureInstalled();
rmSync(WORK, { recursive: true, force: true });
rmSync(DIST, { recursive: true, force: true });
const pages = readPages();
for (const folder of IMAGE_FOLDERS) cpSync(path.join(DOCS, folder), path.join(PAGES, folder), { recursive: true });
const problems = [...writePages(pages), ...(await writeReference())];
writeConfig(pages);
if (problems.length === 0) problems.push(...build());
if (problems.length === 0) problems.push(...problemsOfSite());
for (const each of problems) console.error(each);
console.log(
  problems.length === 0 ? `site/dist: ${String(htmlPages().length)} pages` : `${String(problems.length)} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);

// The site has its own packages, so that the others need none of them.
function ensureInstalled() {
  const lock = readFileSync(path.join(SITE, "package-lock.json"), "utf8");
  const installed = path.join(SITE, "node_modules", ".installed");
  if (existsSync(installed) && readFileSync(installed, "utf8") === lock) return;
  run("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
  writeFileSync(installed, lock);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: SITE,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function readPages() {
  return readdirSync(DOCS, { recursive: true })
    .map((file) => String(file).replaceAll(path.sep, "/"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => ({ file, text: readFileSync(path.join(DOCS, file), "utf8") }));
}

function writePages(all) {
  write(path.join(PAGES, "index.md"), readFileSync(path.join(SITE, "home.md"), "utf8"));
  return all.flatMap((page) => {
    const { text, dead } = sitePage(page, { root: ROOT, repository: address });
    write(path.join(PAGES, pageOf(page.file)), text);
    return dead.map((each) => `dead link in ${each}`);
  });
}

async function writeReference() {
  const { writeApiReference } = await import("./api-reference.mjs");
  return (await writeApiReference(path.join(PAGES, "api"))).map((each) => `API reference: ${each}`);
}

function writeConfig(all) {
  const texts = new Map(all.map(({ file, text }) => [file, text]));
  const markerFiles = all.map(({ file }) => file).filter((file) => /^reference\/markers\/(?!README)/u.test(file));
  const sidebar = sidebarOf(texts.get("README.md"), {
    titleOf: (file) => titleOfText(texts.get(file)),
    markerFiles: markerFiles.toSorted(),
  });
  const versions = versionMenu({
    version,
    all: DOCS_VERSIONS?.split(" ") ?? [version],
    origin: DOCS_ORIGIN,
    changelog: `${address}/blob/main/CHANGELOG.md`,
  });
  const config = { base: BASE, versions, repository: address, sidebar, apiSidebar: apiSidebar() };
  write(path.join(WORK, "site.json"), JSON.stringify(config));
}

// One item per module; its page lists the symbols.
function apiSidebar() {
  const modules = readdirSync(path.join(PAGES, "api"), { recursive: true })
    .map((file) => String(file).replaceAll(path.sep, "/"))
    .filter((file) => file.endsWith("/index.md") && !file.includes("namespaces/"))
    .map((file) => file.slice(0, -"/index.md".length));
  const items = modules.toSorted().map((name) => ({ text: name.replace("@kubescaffold/", ""), link: `/api/${name}/` }));
  return [{ text: "API reference", items }];
}

// VitePress prints warnings, and succeeds with them.
function build() {
  const command = path.join(SITE, "node_modules", "vitepress", "bin", "vitepress.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, "build", "."], {
    cwd: SITE,
    encoding: "utf8",
  });
  const output = `${stdout}${stderr}`;
  const warnings = output.split("\n").filter((line) => /\bwarn/iu.test(line));
  return status === 0 && warnings.length === 0 ? [] : [output];
}

function problemsOfSite() {
  const built = htmlPages().map((file) => [file, readFileSync(path.join(DIST, file), "utf8")]);
  const has = (file) => existsSync(path.join(PAGES, pageOf(file)));
  return [
    ...deadLinks(DIST, BASE).map((each) => `dead link in ${each}`),
    ...linksAway(built, { has, repository: address }).map(
      (each) => `link to the repository, not to the page of the site, in ${each}`,
    ),
  ];
}

function htmlPages() {
  return readdirSync(DIST, { recursive: true })
    .map((file) => String(file))
    .filter((file) => file.endsWith(".html"));
}

function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
