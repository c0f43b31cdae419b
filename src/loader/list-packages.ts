import path from "node:path";

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceHost } from "./source-host.ts";

/** A folder of sources that the paths of a run name. */
export interface SourcePackage {
  /** Absolute. */
  readonly directory: string;
  /** All sources of the folder, absolute, sorted. */
  readonly files: readonly string[];
  /** Those that the run is about. */
  readonly roots: ReadonlySet<string>;
}

export interface ListPackagesOptions {
  readonly host: SourceHost;
  readonly root: string;
  readonly paths: readonly string[];
}

const SKIPPED_DIRECTORIES = new Set(["node_modules", "dist"]);

/** Finds the packages that `paths=` names: folders, `folder/...`, single files. */
export function listPackages({ host, root, paths }: ListPackagesOptions): {
  readonly packages: readonly SourcePackage[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const packages = new Map<string, SourcePackage>();
  const diagnostics: Diagnostic[] = [];
  for (const given of paths) {
    const found = expandPath(host, root, given);
    if (found === undefined) diagnostics.push(missingPath(given));
    for (const each of found ?? []) packages.set(each.directory, joinPackages(packages.get(each.directory), each));
  }
  const list = [...packages.values()].toSorted((left, right) => (left.directory < right.directory ? -1 : 1));
  return { packages: list, diagnostics };
}

/** Says whether a file name is that of a source that generators read; what they wrote themselves is none. */
function isSourceName(name: string): boolean {
  return /\.[mc]?ts$/u.test(name) && !/\.(?:test|spec|d)\.[mc]?ts$|^zz_generated\./u.test(name);
}

function expandPath(host: SourceHost, root: string, given: string): readonly SourcePackage[] | undefined {
  if (given === "..." || given.endsWith("/...")) {
    const top = path.resolve(root, given.slice(0, -3));
    return host.kindOf(top) === "directory" ? walk(host, top) : undefined;
  }
  const target = path.resolve(root, given);
  const kind = host.kindOf(target);
  if (kind === "missing") return undefined;
  if (kind === "directory") return [packageOf(host, target)];
  const whole = packageOf(host, path.dirname(target));
  return [{ ...whole, files: [...new Set([...whole.files, target])].toSorted(), roots: new Set([target]) }];
}

function walk(host: SourceHost, directory: string): readonly SourcePackage[] {
  const entries = host.listDirectory(directory) ?? [];
  const below = entries
    .filter(
      (entry) => entry.kind === "directory" && !entry.name.startsWith(".") && !SKIPPED_DIRECTORIES.has(entry.name),
    )
    .flatMap((entry) => walk(host, path.join(directory, entry.name)));
  const own = packageOf(host, directory);
  return own.files.length === 0 ? below : [own, ...below];
}

function packageOf(host: SourceHost, directory: string): SourcePackage {
  const files = (host.listDirectory(directory) ?? [])
    .filter((entry) => entry.kind !== "directory" && isSourceName(entry.name))
    .map((entry) => path.join(directory, entry.name));
  return { directory, files, roots: new Set(files) };
}

function joinPackages(known: SourcePackage | undefined, added: SourcePackage): SourcePackage {
  return known === undefined ? added : { ...added, roots: new Set([...known.roots, ...added.roots]) };
}

function missingPath(given: string): Diagnostic {
  return {
    severity: "error",
    code: "LOADER_PATH_NOT_FOUND",
    message: `cannot read the sources of paths=${given}: there is no such file or folder`,
    file: "",
    line: 0,
    column: 0,
    hint: "give a folder, a folder with /... behind it for all below, or a file, relative to the project",
  };
}
