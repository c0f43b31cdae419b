import path from "node:path";

import { ts } from "ts-morph";

import type { SourceHost } from "./source-host.ts";

interface ResolveModuleOptions {
  readonly host: SourceHost;
  /** The folder that paths of sources are relative to, absolute. */
  readonly root: string;
  /** The source that names the module, relative to the root. */
  readonly file: string;
  readonly module: string;
}

const SUFFIXES = ["", ".ts", ".mts", ".d.ts", "/index.ts", "/index.d.ts"];

/** Finds the source of a module, relative to the root; undefined when there is none. */
export function resolveModule(options: ResolveModuleOptions): string | undefined {
  const { host, root, file, module } = options;
  const containing = path.resolve(root, file);
  const found = module.startsWith(".")
    ? findRelative(host, path.resolve(path.dirname(containing), module))
    : findPackage(host, root, containing, module);
  return found === undefined ? undefined : path.relative(root, found).split(path.sep).join("/");
}

function findRelative(host: SourceHost, target: string): string | undefined {
  const stems = [
    target,
    target.replace(/\.js$/u, ".ts"),
    target.replace(/\.js$/u, ".d.ts"),
    target.replace(/\.mjs$/u, ".mts"),
  ];
  return stems
    .flatMap((stem) => SUFFIXES.map((suffix) => stem + suffix))
    .find((candidate) => /\.[mc]?ts$/u.test(candidate) && host.kindOf(candidate) === "file");
}

function findPackage(host: SourceHost, root: string, containing: string, module: string): string | undefined {
  const resolved = ts.resolveModuleName(
    module,
    containing,
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      noEmit: true,
      ...pathAliasesFor(host, containing, root),
    },
    {
      fileExists: (file) => host.kindOf(file) === "file",
      readFile: (file) => host.readFile(file),
      directoryExists: (directory) => host.kindOf(directory) === "directory",
      realpath: (file) => host.realPath(file),
    },
    undefined,
    undefined,
    ts.ModuleKind.ESNext,
  );
  return resolved.resolvedModule?.resolvedFileName;
}

/** Returns the options of the nearest tsconfig.json that say where modules are: its path aliases, and what they start from. */
export function pathAliasesFor(host: SourceHost, containing: string, root: string): ts.CompilerOptions {
  const file = nearestConfig(host, path.dirname(containing), root);
  const text = file === undefined ? undefined : host.readFile(file);
  if (file === undefined || text === undefined) return {};
  const { config } = ts.parseConfigFileTextToJson(file, text) as { readonly config?: unknown };
  const { options } = ts.parseJsonConfigFileContent(config ?? {}, configHost(host), path.dirname(file));
  const { paths, baseUrl } = options;
  if (paths === undefined) return {};
  return { paths, ...(baseUrl === undefined ? { pathsBasePath: basePathOf(options, file) } : { baseUrl }) };
}

function nearestConfig(host: SourceHost, folder: string, root: string): string | undefined {
  const file = path.join(folder, "tsconfig.json");
  if (host.kindOf(file) === "file") return file;
  const parent = path.dirname(folder);
  return folder === root || parent === folder ? undefined : nearestConfig(host, parent, root);
}

// Aliases that another configuration hands down start from the folder of that one.
function basePathOf(options: ts.CompilerOptions, file: string): string {
  const { pathsBasePath } = options;
  return typeof pathsBasePath === "string" ? pathsBasePath : path.dirname(file);
}

// Only what `extends` needs: no list of sources is asked for.
function configHost(host: SourceHost): ts.ParseConfigHost {
  return {
    useCaseSensitiveFileNames: true,
    readDirectory: () => [],
    fileExists: (file) => host.kindOf(file) === "file",
    readFile: (file) => host.readFile(file),
  };
}
