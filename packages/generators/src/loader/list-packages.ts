import path from "node:path";

import picomatch from "picomatch";

import { type Diagnostic, errorWithoutPlace } from "../diagnostics/diagnostic.ts";
import type { SourceHost } from "./source-host.ts";
import { listProject } from "./tsconfig-project.ts";

/** A folder of sources that the paths of a run name. */
export interface SourcePackage {
  /** Absolute. */
  readonly directory: string;
  /** All sources of the folder, absolute, sorted. */
  readonly files: readonly string[];
  /** Those that the run is about. */
  readonly roots: ReadonlySet<string>;
}

/** Finds the packages that `paths=` names: folders, `folder/...` for all below, files, globs of both, and tsconfig files. */
export function listPackages(
  host: SourceHost,
  root: string,
  paths: readonly string[],
): {
  readonly packages: readonly SourcePackage[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const lister = new PackageLister(host, root);
  for (const given of paths) lister.add(given);
  return lister.finish();
}

class PackageLister {
  readonly #host: SourceHost;
  readonly #root: string;
  readonly #packages = new Map<string, SourcePackage>();
  readonly #diagnostics: Diagnostic[] = [];

  constructor(host: SourceHost, root: string) {
    this.#host = host;
    this.#root = root;
  }

  add(given: string): void {
    if (given === "..." || given.endsWith("/...")) this.#addTree(given);
    else if (isGlob(given)) this.#addMatches(given);
    else this.#addPlace(given);
  }

  finish(): { readonly packages: readonly SourcePackage[]; readonly diagnostics: readonly Diagnostic[] } {
    const packages = [...this.#packages.values()].toSorted((left, right) =>
      left.directory < right.directory ? -1 : 1,
    );
    return { packages, diagnostics: this.#diagnostics };
  }

  #addTree(given: string): void {
    const top = path.resolve(this.#root, given.slice(0, -3));
    if (this.#host.kindOf(top) === "directory") this.#walk(top);
    else this.#diagnostics.push(missingPath(given));
  }

  #walk(directory: string): void {
    const own = this.#packageOf(directory);
    if (own.files.length > 0) this.#join(own);
    for (const { name, kind } of this.#host.listDirectory(directory) ?? [])
      if (kind === "directory" && !isSkippedDirectory(name) && !this.#isProject(path.join(directory, name)))
        this.#walk(path.join(directory, name));
  }

  // As Go's `./...` omits nested modules: the kinds of another project are not those of this one.
  #isProject(directory: string): boolean {
    return (this.#host.listDirectory(directory) ?? []).some(({ name, kind }) => name === "PROJECT" && kind === "file");
  }

  #addMatches(given: string): void {
    const { files, directories } = matchGlob(this.#host, this.#root, given);
    const sources = files.filter((file) => isSourceName(path.basename(file)));
    if (sources.length + directories.length === 0) this.#diagnostics.push(missingPath(given));
    for (const directory of directories) this.#join(this.#packageOf(directory));
    this.#addFiles(sources);
  }

  #addPlace(given: string): void {
    const target = path.resolve(this.#root, given);
    const kind = this.#host.kindOf(target);
    if (kind === "missing") this.#diagnostics.push(missingPath(given));
    else if (kind === "directory") this.#join(this.#packageOf(target));
    else if (target.endsWith(".json")) this.#addProject(target);
    else this.#addFiles([target]);
  }

  #addProject(file: string): void {
    const { files, diagnostics } = listProject(this.#host, this.#root, file);
    this.#diagnostics.push(...diagnostics);
    this.#addFiles(files.filter((each) => isSourceName(path.basename(each))));
  }

  // The other files of the folder say the group and the version.
  #addFiles(files: readonly string[]): void {
    for (const file of files) {
      const whole = this.#packageOf(path.dirname(file));
      this.#join({ ...whole, files: [...new Set([...whole.files, file])].toSorted(), roots: new Set([file]) });
    }
  }

  #packageOf(directory: string): SourcePackage {
    const entries = this.#host.listDirectory(directory);
    if (entries === undefined) this.#diagnostics.push(unreadableFolder(this.#root, directory));
    const files = (entries ?? [])
      .filter(({ kind, name }) => kind !== "directory" && isSourceName(name))
      .map(({ kind, name }) => ({ kind, file: path.join(directory, name) }))
      // What is no plain file may be a link to one, or something that never ends.
      .filter(({ kind, file }) => kind === "file" || this.#host.kindOf(file) === "file")
      .map(({ file }) => file);
    return { directory, files, roots: new Set(files) };
  }

  #join(added: SourcePackage): void {
    const known = this.#packages.get(added.directory);
    if (known === undefined) this.#packages.set(added.directory, added);
    else {
      const files = [...new Set([...known.files, ...added.files])].toSorted();
      this.#packages.set(added.directory, { ...known, files, roots: new Set([...known.roots, ...added.roots]) });
    }
  }
}

/** Reports whether a file name is that of a source that generators read; what they wrote themselves is none. */
function isSourceName(name: string): boolean {
  return /\.[mc]?ts$/u.test(name) && !/\.(?:test|spec|d)\.[mc]?ts$|^zz_generated\./u.test(name);
}

function missingPath(given: string): Diagnostic {
  return errorWithoutPlace({
    code: "LOADER_PATH_NOT_FOUND",
    message: `cannot read the sources of paths=${given}: no such file or folder`,
    hint: "pass a folder, a folder with /... for all subfolders, a file, a glob, or a tsconfig.json, relative to the project",
  });
}

function unreadableFolder(root: string, directory: string): Diagnostic {
  return {
    severity: "error",
    code: "LOADER_UNREADABLE",
    message: "the folder cannot be read",
    file: path.relative(root, directory).split(path.sep).join("/") || ".",
    line: 0,
    column: 0,
    hint: "make the folder readable for the current user",
  };
}

/** What a glob matches, absolute and sorted. */
interface GlobMatches {
  readonly files: readonly string[];
  readonly directories: readonly string[];
}

/** Reports whether a path has wildcards. */
export function isGlob(given: string): boolean {
  return picomatch.scan(given).isGlob;
}

/** Finds the files and folders that a glob, absolute or relative to the root, matches; folders of libraries and output are not looked into. */
export function matchGlob(host: SourceHost, root: string, glob: string): GlobMatches {
  const { base, glob: pattern } = picomatch.scan(glob.replace(/\/$/u, ""));
  const top = path.resolve(root, base);
  const isMatch = picomatch(pattern);
  const files: string[] = [];
  const directories: string[] = [];
  const walk = (directory: string, prefix: string): void => {
    for (const { name, kind } of host.listDirectory(directory) ?? []) {
      const target = path.join(directory, name);
      const relative = `${prefix}${name}`;
      if (kind === "directory") {
        if (isSkippedDirectory(name)) continue;
        if (isMatch(relative)) directories.push(target);
        walk(target, `${relative}/`);
      } else if (isMatch(relative) && (kind === "file" || host.kindOf(target) === "file")) files.push(target);
    }
  };
  walk(top, "");
  return { files, directories };
}

const SKIPPED = new Set(["node_modules", "dist"]);

/** Reports whether folders of a name are omitted when all below a folder is meant. */
export function isSkippedDirectory(name: string): boolean {
  return SKIPPED.has(name) || name.startsWith(".");
}
