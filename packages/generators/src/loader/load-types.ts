import path from "node:path";

import { hashText } from "../cache/key.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { isKind, kindMisfit } from "./find-kinds.ts";
import { listPackages, type SourcePackage } from "./list-packages.ts";
import { createNameResolver, type NameResolver } from "./name-resolver.ts";
import { reachNames } from "./reach-names.ts";
import { readSource } from "./read-source.ts";
import type { SourceContents } from "./source-contents.ts";
import type { SourceHost } from "./source-host.ts";
import type { Declaration, FileModel, PackageModel, TypeModel } from "./type-model.ts";

/** Which sources are read. */
interface LoadTypesOptions {
  readonly host: SourceHost;
  /** The folder that `paths` start from, absolute; paths in the model are relative to it. */
  readonly root: string;
  readonly paths: readonly string[];
  /** What former calls read; a source whose text is the same is not parsed again. */
  readonly memory?: SourceMemory;
}

/** Sources as they were read, by path. */
export type SourceMemory = Map<string, RememberedSource>;

interface RememberedSource {
  readonly text: string;
  /** The hash of the text. */
  readonly hash: string;
  readonly contents: SourceContents;
  readonly diagnostics: readonly Diagnostic[];
}

/** The sources as data, and what is wrong with them. */
interface LoadedTypes {
  readonly model: TypeModel;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the sources that paths name, and of other files only what their Kubernetes objects reach, into plain data.
 *
 * Guarantees: no type checker runs and no library is read; every file is parsed once; the order of everything is that of names and sources.
 */
export function loadTypes({ host, root, paths, memory = new Map() }: LoadTypesOptions): LoadedTypes {
  const { packages, diagnostics } = listPackages(host, root, paths);
  const sources = new SourceCache(host, root, memory);
  const resolver = createNameResolver({ host, root, contentsOf: (file) => sources.contentsOf(file) });
  const models = packages.map((each) => modelPackage(each, root, sources, resolver));
  const reached = reachNames(resolver, (id) => sources.declarationOf(id), [
    ...models.flatMap((each) => each.kinds),
    ...sources.chosenFor(models),
  ]);
  const declarations = new Map([...reached.declarations, ...sources.declarationsOf(models)]);
  const own = new Set(models.map((each) => each.directory));
  const files = [...new Set([...reached.declarations.values()].map((each) => each.file))];
  const optionalFiles = findOptionalFiles({
    host,
    root,
    files: files.filter((file) => !own.has(directoryOf(file))),
    contentsOf: (file) => sources.contentsOf(file),
  });
  return {
    model: { packages: models, declarations, names: reached.names, optionalFiles, hashes: sources.hashes },
    diagnostics: [
      ...diagnostics,
      ...sources.diagnostics,
      ...models.flatMap((each) => lostKinds(each, sources, resolver)),
    ],
  };
}

/** Reports types that a marker or `defineKind` declares as kinds, but that are none: no generator would say so. */
function lostKinds(source: PackageModel, sources: SourceCache, resolver: NameResolver): readonly Diagnostic[] {
  const declarationOf = (id: string): Declaration | undefined => sources.declarationOf(id);
  return source.files.flatMap((file) => {
    if (!file.isRoot) return [];
    const contents = sources.contentsOf(file.path);
    return [...(contents?.declarations.values() ?? [])].flatMap((declaration): readonly Diagnostic[] => {
      const isDefined = contents?.definedKinds.has(declaration.name) === true;
      if (!isDefined && !declaration.comments.markers.some(({ text }) => ROOT_MARKER.test(text))) return [];
      const misfit = kindMisfit(declaration, isDefined ? "defineKind" : "marker", { resolver, declarationOf });
      return misfit === undefined ? [] : [lostKind(declaration, { isDefined, ...misfit })];
    });
  });
}

const ROOT_MARKER = /^\+kubebuilder:object:root=true\b/u;

function lostKind(
  { name, location }: Declaration,
  { isDefined, reason, hint }: { readonly isDefined: boolean; readonly reason: string; readonly hint: string },
): Diagnostic {
  const cause = isDefined ? "defineKind" : "+kubebuilder:object:root=true";
  return {
    severity: "error",
    code: "LOADER_NOT_A_KIND",
    message: `${cause} declares ${name} as a kind, but ${reason}`,
    ...location,
    hint,
  };
}

// As the directories of packages are written: that of the root is empty.
function directoryOf(file: string): string {
  const directory = path.posix.dirname(file);
  return directory === "." ? "" : directory;
}

function modelPackage(source: SourcePackage, root: string, sources: SourceCache, resolver: NameResolver): PackageModel {
  const files = source.files.flatMap((file): readonly FileModel[] => {
    const contents = sources.contentsOf(toRelative(root, file));
    return contents === undefined ? [] : [modelFile(contents, source.roots.has(file))];
  });
  const declarationOf = (id: string): Declaration | undefined => sources.declarationOf(id);
  const kinds = files
    .filter((file) => file.isRoot)
    .flatMap((file) => file.declarations)
    .filter((id) => {
      const declaration = declarationOf(id);
      return declaration !== undefined && isKind(declaration, { resolver, declarationOf });
    });
  return { directory: toRelative(root, source.directory), name: path.basename(source.directory), files, kinds };
}

function modelFile(contents: SourceContents, isRoot: boolean): FileModel {
  return {
    path: contents.path,
    isRoot,
    markers: contents.markers,
    strayMarkers: contents.strayMarkers,
    declarations: [...contents.declarations.values()].map((declaration) => declaration.id),
  };
}

/** Keeps what was read, so that no file is parsed twice. */
class SourceCache {
  readonly #host: SourceHost;
  readonly #root: string;
  readonly #memory: SourceMemory;
  readonly #contents = new Map<string, SourceContents | undefined>();
  readonly diagnostics: Diagnostic[] = [];
  readonly hashes = new Map<string, string>();

  constructor(host: SourceHost, root: string, memory: SourceMemory) {
    this.#host = host;
    this.#root = root;
    this.#memory = memory;
  }

  contentsOf(file: string): SourceContents | undefined {
    if (!this.#contents.has(file)) this.#contents.set(file, this.#read(file));
    return this.#contents.get(file);
  }

  declarationOf(id: string): Declaration | undefined {
    const mark = id.lastIndexOf("#");
    return this.contentsOf(id.slice(0, mark))?.declarations.get(id.slice(mark + 1));
  }

  declarationsOf(packages: readonly PackageModel[]): readonly (readonly [string, Declaration])[] {
    const files = packages.flatMap((each) => each.files);
    return files.flatMap((file) =>
      [...(this.contentsOf(file.path)?.declarations.values() ?? [])].map((each) => [each.id, each] as const),
    );
  }

  /** Returns the ids of declarations whose markers ask for code, whether a kind reaches them or not. */
  chosenFor(packages: readonly PackageModel[]): readonly string[] {
    return this.declarationsOf(packages)
      .filter(([, { comments }]) =>
        comments.markers.some(({ text }) => /^\+kubebuilder:object:(?:generate|root)\b/u.test(text)),
      )
      .map(([id]) => id);
  }

  #read(file: string): SourceContents | undefined {
    const text = this.#host.readFile(path.resolve(this.#root, file));
    if (text === undefined) {
      if (this.#host.kindOf(path.resolve(this.#root, file)) === "file") this.diagnostics.push(unreadable(file));
      return undefined;
    }
    const { hash, contents, diagnostics } = this.#parse(file, text);
    this.hashes.set(file, hash);
    this.diagnostics.push(...diagnostics);
    return contents;
  }

  #parse(file: string, text: string): RememberedSource {
    const known = this.#memory.get(file);
    if (known?.text === text) return known;
    const parsed = { text, hash: hashText(text), ...readSource(file, text) };
    this.#memory.set(file, parsed);
    return parsed;
  }
}

function unreadable(file: string): Diagnostic {
  return {
    severity: "error",
    code: "LOADER_UNREADABLE",
    message: "the source cannot be read",
    file,
    line: 0,
    column: 0,
    hint: "make the file readable for the current user",
  };
}

function toRelative(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join("/");
}

interface OptionalFilesOptions {
  readonly host: SourceHost;
  readonly root: string;
  /** The sources outside the packages of the run that kinds reach, relative to the root. */
  readonly files: readonly string[];
  readonly contentsOf: (file: string) => SourceContents | undefined;
}

const MARKER = "+kubebuilder:validation:Optional";

/** Finds the sources outside the packages of a run whose own package says that properties are optional unless a marker says otherwise. */
function findOptionalFiles({ host, root, files, contentsOf }: OptionalFilesOptions): ReadonlySet<string> {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const optional = [...folders].filter(([folder, own]) => saysOptional({ host, root, folder, files: own, contentsOf }));
  return new Set(optional.flatMap(([, own]) => own));
}

interface FolderOptions extends OptionalFilesOptions {
  readonly folder: string;
}

// Where a package says what holds for all of it, beside the sources that are reached.
const PACKAGE_FILES = ["doc.ts", "groupversion_info.ts"];

function saysOptional({ folder, files, contentsOf, host, root }: FolderOptions): boolean {
  const known = PACKAGE_FILES.map((name) => path.posix.join(folder, name)).filter(
    (file) => host.kindOf(path.resolve(root, file)) === "file",
  );
  return [...new Set([...files, ...known])].some((file) => hasMarker(contentsOf(file)));
}

// Its own comment above a type is the package's where it means nothing to the type.
function hasMarker(contents: SourceContents | undefined): boolean {
  if (contents === undefined) return false;
  const above = [...contents.declarations.values()].flatMap(({ comments }) =>
    comments.markers.filter(({ isAdjacent }) => !isAdjacent),
  );
  return [...contents.markers, ...above].some(({ text }) => text === MARKER);
}
