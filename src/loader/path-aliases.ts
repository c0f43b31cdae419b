import path from "node:path";

import { ts } from "ts-morph";

import type { SourceHost } from "./source-host.ts";

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
