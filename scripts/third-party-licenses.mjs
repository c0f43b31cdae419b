// The licenses of the libraries that a bundle holds, as their owners ask for.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { ts } from "ts-morph";

import { ROOT } from "./ensure-installed.mjs";

const PACKAGE_FOLDER = /^(?<folder>(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//u;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice|thirdpartynotice)/iu;

/** Lists the libraries that went into bundles, by esbuild's record of its inputs, with the texts of their licenses. */
export function thirdPartyLicenses(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile?.inputs ?? {}));
  const folders = new Set(inputs.flatMap((input) => PACKAGE_FOLDER.exec(input)?.groups?.folder ?? []));
  for (const folder of copiesIn(folders)) folders.add(folder);
  const sections = [...folders]
    .toSorted((left, right) => (left < right ? -1 : 1))
    .map((folder) => section(folder, inputs));
  return ["# Licenses of third parties", "", "This program contains the following libraries.", "", ...sections].join(
    "\n",
  );
}

// Some libraries hold a copy of another one, without its license.
const HOLDERS = {
  "node_modules/@ts-morph/common": "node_modules/typescript",
  "node_modules/@dagrejs/dagre": "node_modules/@dagrejs/graphlib",
};

/** Returns the libraries that some of the given ones hold copies of. */
export function copiesIn(folders) {
  return Object.keys(HOLDERS)
    .filter((holder) => folders.has(holder))
    .map((holder) => HOLDERS[holder]);
}

/** Returns the manifest of a library in a folder of this repository. */
export function manifestOfLibrary(folder) {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, folder, "package.json"), "utf8"));
  // The copy may be of another version than the one that is installed.
  return folder === "node_modules/typescript" ? { ...manifest, version: ts.version } : manifest;
}

// Some libraries have their notices in their sources alone.
function noticesOf(files) {
  const notices = files.map((file) => {
    const lines = readFileSync(path.join(ROOT, file), "utf8").split("\n");
    const end = lines.findIndex((line) => !line.startsWith("//"));
    return lines.slice(0, end).join("\n");
  });
  return [...new Set(notices)].filter((notice) => /copyright/iu.test(notice));
}

function section(library, inputs) {
  const { name, version, license } = manifestOfLibrary(library);
  const folder = path.join(ROOT, library);
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .toSorted()
    .map((file) => readFileSync(path.join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  if (texts.length === 0) texts.push(...noticesOf(inputs.filter((input) => input.startsWith(`${library}/`))));
  if (texts.length === 0 && license === undefined) throw new TypeError(`${name} has no license`);
  return [`## ${name} ${version} (${license})`, "", ...texts.flatMap((text) => ["```", text, "```", ""])].join("\n");
}
