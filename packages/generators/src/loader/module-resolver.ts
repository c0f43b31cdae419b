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

const ENDS = [".ts", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts"];
const SUFFIXES = ["", ...ENDS, ...ENDS.map((end) => `/index${end}`)];

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
    target.replace(/\.mjs$/u, ".d.mts"),
    target.replace(/\.cjs$/u, ".cts"),
    target.replace(/\.cjs$/u, ".d.cts"),
  ];
  return stems
    .flatMap((stem) => SUFFIXES.map((suffix) => stem + suffix))
    .find((candidate) => /\.[mc]?ts$/u.test(candidate) && host.kindOf(candidate) === "file");
}

function findPackage(host: SourceHost, root: string, containing: string, module: string): string | undefined {
  const own = resolutionOptionsFor(host, containing, root);
  // Packages may have types for one of the two module systems only.
  for (const mode of [ts.ModuleKind.ESNext, ts.ModuleKind.CommonJS] as const) {
    const resolved = ts.resolveModuleName(
      module,
      containing,
      {
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        allowImportingTsExtensions: true,
        noEmit: true,
        ...own,
      },
      {
        fileExists: (file) => host.kindOf(file) === "file",
        readFile: (file) => host.readFile(file),
        directoryExists: (directory) => host.kindOf(directory) === "directory",
        realpath: (file) => host.realPath(file),
      },
      undefined,
      undefined,
      mode,
    );
    const found = resolved.resolvedModule?.resolvedFileName;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the options of the nearest tsconfig.json that decide where modules are: path aliases, the kind of resolution, and conditions. */
export function resolutionOptionsFor(host: SourceHost, containing: string, root: string): ts.CompilerOptions {
  const file = nearestConfig(host, path.dirname(containing), root);
  const text = file === undefined ? undefined : host.readFile(file);
  if (file === undefined || text === undefined) return {};
  const { config } = ts.parseConfigFileTextToJson(file, text) as { readonly config?: unknown };
  const { options } = ts.parseJsonConfigFileContent(config ?? {}, configHost(host), path.dirname(file));
  const { paths, baseUrl, customConditions, moduleSuffixes } = options;
  return {
    ...(options.moduleResolution === ts.ModuleResolutionKind.Bundler
      ? { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
      : {}),
    ...(customConditions === undefined ? {} : { customConditions }),
    ...(moduleSuffixes === undefined ? {} : { moduleSuffixes }),
    ...(paths === undefined ? {} : { paths }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(paths === undefined || baseUrl !== undefined ? {} : { pathsBasePath: basePathOf(options, file) }),
  };
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
