import { type Dirent, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { describeDeclarations } from "@kubescaffold/generators/descriptions";
import type { Descriptions } from "@kubescaffold/k8s/tables";

import { writeOwnFile } from "../../../machinery/commit/own-file.ts";
import { diskFailure } from "../../../machinery/disk-failure.ts";

/** What was done with the types of `@kubescaffold/k8s`. */
export interface TypesResult {
  /** The folder of the package. */
  readonly folder?: string;
  /** How many files were changed. */
  readonly files: number;
  /** Why none was. */
  readonly reason?: string;
}

/**
 * Adds descriptions as comments to the types of `@kubescaffold/k8s` that a folder imports. The original files stay beside them.
 *
 * Guarantees: every file is the original or the described one at each moment; files that other projects share through hard links, as
 * package managers store them, are not changed; a second call describes the original file again.
 * Fails: `DiskError`.
 */
export async function describeTypes(cwd: string, { release, source, types }: Descriptions): Promise<TypesResult> {
  const found = findTypes(cwd);
  if (found.folder === undefined) return { files: 0, reason: found.reason };
  const { folder } = found;
  const files = declarationFiles(folder);
  for (const { file, place } of files) {
    const original = originalText(folder, file);
    const described = describeDeclarations(original, (name) => types[`${place}.${name}`]);
    await write(folder, `${file}${ORIGINAL}`, original, OMIT_TYPES);
    await write(folder, file, `${NOTICE} Kubernetes ${release}, from ${source}.\n${described}`, OMIT_TYPES);
  }
  return { folder, files: files.length };
}

/** Restores the types that {@link describeTypes} changed. Fails: `DiskError`. */
export async function restoreTypes(cwd: string): Promise<TypesResult> {
  const found = findTypes(cwd);
  if (found.folder === undefined) return { files: 0, reason: found.reason };
  const { folder } = found;
  const described = declarationFiles(folder).filter(({ file }) => isDescribed(textOf(folder, file)));
  for (const { file } of described) {
    await write(folder, file, originalText(folder, file), REINSTALL);
    rmSync(path.join(folder, `${file}${ORIGINAL}`), { force: true });
  }
  return { folder, files: described.length };
}

const OMIT_TYPES = "`scaffold k8s-docs --no-types` leaves the types as they are";
const REINSTALL = "to replace a damaged package, remove its folder and run `npm install`";

const ORIGINAL = ".original";
const NOTICE = "// The descriptions were added by `scaffold k8s-docs`:";

const API = "dist/api";

type FoundTypes = { readonly folder: string } | { readonly folder?: undefined; readonly reason: string };

function findTypes(cwd: string): FoundTypes {
  const file = resolvePackage(cwd);
  if (file === undefined) return { reason: "@kubescaffold/k8s is not installed here" };
  const folder = path.dirname(realpathSync(file));
  // A linked package has sources of its own, which belong to another project.
  if (!folder.split(path.sep).includes("node_modules")) return { reason: "@kubescaffold/k8s is a linked folder" };
  return { folder };
}

function resolvePackage(cwd: string): string | undefined {
  try {
    return createRequire(path.join(cwd, "package.json")).resolve("@kubescaffold/k8s/package.json");
  } catch {
    return undefined;
  }
}

interface DeclarationFile {
  /** The path in the package, with forward slashes. */
  readonly file: string;
  /** The group and version of its types, such as `core/v1`. */
  readonly place: string;
}

// What server-side apply takes is made from the same types, with their comments.
function declarationFiles(folder: string): readonly DeclarationFile[] {
  return entriesOf(folder, API)
    .filter((entry) => entry.isDirectory() && entry.name !== "apply")
    .flatMap(({ name: group }) =>
      entriesOf(folder, `${API}/${group}`)
        .map(({ name }) => name)
        .filter((name) => name.endsWith(".d.ts"))
        .toSorted()
        .map((name) => ({ file: `${API}/${group}/${name}`, place: `${group}/${name.slice(0, -".d.ts".length)}` })),
    );
}

function entriesOf(folder: string, relative: string): readonly Dirent[] {
  return reading(folder, relative, (target) => readdirSync(target, { withFileTypes: true }));
}

// A package that was installed again has its own files; an original beside them is that of the former one.
function originalText(folder: string, file: string): string {
  const text = textOf(folder, file);
  return isDescribed(text) ? textOf(folder, `${file}${ORIGINAL}`) : text;
}

function isDescribed(text: string): boolean {
  return text.startsWith(NOTICE);
}

function textOf(folder: string, relative: string): string {
  return reading(folder, relative, (target) => readFileSync(target, "utf8"));
}

function reading<T>(folder: string, relative: string, read: (target: string) => T): T {
  const target = path.join(folder, relative);
  try {
    return read(target);
  } catch (error) {
    throw diskFailure(error, { what: `read ${target}`, outcome: REINSTALL });
  }
}

async function write(folder: string, relative: string, content: string, outcome: string): Promise<void> {
  await writeOwnFile({ root: folder, path: path.join(folder, relative), content, outcome });
}
