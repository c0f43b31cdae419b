import path from "node:path";

import { ts } from "ts-morph";

import { pathAliasesFor } from "./path-aliases.ts";
import type { SourceHost } from "./source-host.ts";

export interface ResolveModuleOptions {
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
    : findPackage({ host, root, containing, module });
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

interface FindPackageOptions {
  readonly host: SourceHost;
  readonly root: string;
  readonly containing: string;
  readonly module: string;
}

function findPackage({ host, root, containing, module }: FindPackageOptions): string | undefined {
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
