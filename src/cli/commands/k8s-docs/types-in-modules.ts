import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import type { Descriptions } from "@kubescaffold/k8s/tables";

import { describeDeclarations } from "../../../descriptions/describe-declarations.ts";
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
  const files = declarationFiles(found.api);
  for (const { file, place } of files) {
    const original = originalText(file);
    const described = describeDeclarations(original, (name) => types[`${place}.${name}`]);
    replaceFile(`${file}${ORIGINAL}`, original);
    replaceFile(file, `${NOTICE} Kubernetes ${release}, from ${source}.\n${described}`);
  }
  return { folder: found.folder, files: files.length };
}

/** Restores the types that {@link describeTypes} changed. Fails: `DiskError`. */
export async function restoreTypes(cwd: string): Promise<TypesResult> {
  const found = findTypes(cwd);
  if (found.folder === undefined) return { files: 0, reason: found.reason };
  const described = declarationFiles(found.api).filter(({ file }) => isDescribed(readFileSync(file, "utf8")));
  for (const { file } of described) {
    replaceFile(file, originalText(file));
    rmSync(`${file}${ORIGINAL}`, { force: true });
  }
  return { folder: found.folder, files: described.length };
}

const ORIGINAL = ".original";
const NOTICE = "// The descriptions were added by `scaffold k8s-docs`:";

type FoundTypes =
  | { readonly folder: string; readonly api: string }
  | { readonly folder?: undefined; readonly reason: string };

function findTypes(cwd: string): FoundTypes {
  const file = resolvePackage(cwd);
  if (file === undefined) return { reason: "@kubescaffold/k8s is not installed here" };
  const folder = path.dirname(realpathSync(file));
  // A linked package has sources of its own, which belong to another project.
  if (!folder.split(path.sep).includes("node_modules")) return { reason: "@kubescaffold/k8s is a linked folder" };
  return { folder, api: path.join(folder, "dist", "api") };
}

function resolvePackage(cwd: string): string | undefined {
  try {
    return createRequire(path.join(cwd, "package.json")).resolve("@kubescaffold/k8s/package.json");
  } catch {
    return undefined;
  }
}

interface DeclarationFile {
  readonly file: string;
  /** The group and version of its types, such as `core/v1`. */
  readonly place: string;
}

// What server-side apply takes is made from the same types, with their comments.
function declarationFiles(api: string): readonly DeclarationFile[] {
  return foldersIn(api)
    .filter((group) => group !== "apply")
    .flatMap((group) =>
      readdirSync(path.join(api, group))
        .filter((name) => name.endsWith(".d.ts"))
        .toSorted()
        .map((name) => ({ file: path.join(api, group, name), place: `${group}/${name.slice(0, -".d.ts".length)}` })),
    );
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    throw diskFailure(error, { what: `read ${folder}`, outcome: "the types were not changed" });
  }
}

// A package that was installed again has its own files; an original beside them is that of the former one.
function originalText(file: string): string {
  const text = readFileSync(file, "utf8");
  return isDescribed(text) ? readFileSync(`${file}${ORIGINAL}`, "utf8") : text;
}

function isDescribed(text: string): boolean {
  return text.startsWith(NOTICE);
}

function replaceFile(file: string, text: string): void {
  const draft = `${file}.${randomUUID()}.new`;
  try {
    writeFileSync(draft, text, { flag: "wx" });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw diskFailure(error, { what: `write ${file}`, outcome: "the file was not changed" });
  }
}
