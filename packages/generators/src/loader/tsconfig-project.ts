import path from "node:path";

import { ts } from "ts-morph";

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceHost } from "./source-host.ts";

/** The sources of a TypeScript project, absolute and sorted, and what is wrong with its configuration. */
export interface ProjectSources {
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Lists the sources of a tsconfig file, given by its absolute path, by its `files`, `include`, `exclude` and `extends`, and those of the projects that it refers to. */
export function listProject(host: SourceHost, root: string, file: string): ProjectSources {
  const diagnostics: Diagnostic[] = [];
  const files = new Set<string>();
  const visited = new Set<string>();
  const waiting = [file];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (visited.has(each)) continue;
    visited.add(each);
    const parsed = parseProject(host, each);
    diagnostics.push(...parsed.errors.flatMap((error) => diagnose(error, { root, file })));
    for (const name of parsed.fileNames) files.add(path.normalize(name));
    waiting.push(...(parsed.projectReferences ?? []).map((reference) => configOf(host, reference.path)));
  }
  return { files: [...files].toSorted(), diagnostics };
}

// A project may be named by its folder.
function configOf(host: SourceHost, target: string): string {
  return host.kindOf(target) === "directory" ? path.join(target, "tsconfig.json") : path.normalize(target);
}

function parseProject(host: SourceHost, file: string): ts.ParsedCommandLine {
  const parsed = ts.parseJsonSourceFileConfigFileContent(
    ts.readJsonConfigFile(file, (each) => host.readFile(each)),
    parseHost(host),
    path.dirname(file),
    undefined,
    file,
  );
  return parsed;
}

/** The one part of the compiler's matching of files that its declarations omit. */
interface FileMatcher {
  readonly matchFiles: (
    directory: string,
    extensions: readonly string[] | undefined,
    excludes: readonly string[] | undefined,
    includes: readonly string[] | undefined,
    isCaseSensitive: boolean,
    currentDirectory: string,
    depth: number | undefined,
    entriesOf: (directory: string) => { readonly files: readonly string[]; readonly directories: readonly string[] },
    realPath: (target: string) => string,
  ) => string[];
}

function parseHost(host: SourceHost): ts.ParseConfigHost {
  const { matchFiles } = ts as unknown as FileMatcher;
  const entriesOf = (
    directory: string,
  ): { readonly files: readonly string[]; readonly directories: readonly string[] } => {
    const entries = host.listDirectory(path.resolve(directory)) ?? [];
    const namesOf = (kind: string): readonly string[] =>
      entries.filter((each) => each.kind === kind).map((each) => each.name);
    return { files: namesOf("file"), directories: namesOf("directory") };
  };
  return {
    useCaseSensitiveFileNames: true,
    fileExists: (target) => host.kindOf(target) === "file",
    readFile: (target) => host.readFile(target),
    readDirectory: (directory, extensions, excludes, includes, depth) =>
      matchFiles(directory, extensions, excludes, includes, true, directory, depth, entriesOf, (target) =>
        host.realPath(target),
      ),
  };
}

// That nothing matches is no error of a project that only refers to others.
const NO_INPUTS = new Set([18_002, 18_003]);

function diagnose(
  error: ts.Diagnostic,
  { root, file }: { readonly root: string; readonly file: string },
): readonly Diagnostic[] {
  if (NO_INPUTS.has(error.code)) return [];
  const message = ts.flattenDiagnosticMessageText(error.messageText, " ").replace(/\.$/u, "");
  const source = error.file;
  const place =
    source === undefined || error.start === undefined ? undefined : source.getLineAndCharacterOfPosition(error.start);
  return [
    {
      severity: "error",
      code: "LOADER_TSCONFIG",
      message: `cannot read the project: ${message.charAt(0).toLowerCase()}${message.slice(1)} (TS${error.code})`,
      file: path
        .relative(root, source?.fileName ?? file)
        .split(path.sep)
        .join("/"),
      line: place === undefined ? 0 : place.line + 1,
      column: place === undefined ? 0 : place.character + 1,
      ...(error.length === undefined ? {} : { length: Math.max(1, error.length) }),
      hint: "fix the file, or pass the source folders instead",
    },
  ];
}
