import path from "node:path";

import { ROOT } from "../architecture/source-files.ts";
import { compilerHost, ts } from "./compiler.ts";

// Where the project seems to be: this repository's installation is found from there, as if it were its own. Nothing is written.
const PLACE = path.join(ROOT, "checked-project");

/** The files of a project by their paths in it. */
type Files = Readonly<Record<string, string>>;

/** Returns what the compiler says of a project with its own settings, one line for each error. */
export function typeCheck(files: Files): readonly string[] {
  const { options, fileNames, errors } = settingsOf(files);
  const program = ts.createProgram({ rootNames: fileNames, options, host: hostOf(files, options) });
  const own = program.getSourceFiles().filter(({ fileName }) => isOwn(fileName));
  const found = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  return found.map((each) => describe(each));
}

function describe({ file, start = 0, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, "\n");
  if (file === undefined) return text;
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${relativeName(file.fileName)}:${line + 1} ${text}`;
}

function settingsOf(files: Files): ts.ParsedCommandLine {
  const { config } = ts.parseConfigFileTextToJson("tsconfig.json", files["tsconfig.json"] ?? "{}") as {
    readonly config: { readonly compilerOptions?: object };
  };
  // What the packages of this repository are built of, so that they need not be built.
  const compilerOptions = { ...config.compilerOptions, customConditions: ["@kubescaffold/source"] };
  const names = Object.keys(files).map((name) => path.join(PLACE, name));
  const readDirectory = (_: string, extensions: readonly string[] = []): readonly string[] =>
    names.filter((name) => extensions.includes(path.extname(name)) && isIncluded(relativeName(name)));
  return ts.parseJsonConfigFileContent(
    { ...config, compilerOptions },
    { ...ts.sys, readDirectory, useCaseSensitiveFileNames: true },
    PLACE,
  );
}

const isIncluded = (name: string): boolean => /^(?:(?:api|cmd|internal|test)\/|[^/]*\.config\.ts$)/u.test(name);

// What is outside of the project is the same for all of them.
const sources = new Map<string, ts.SourceFile | undefined>();
const resolutions = new Map<string, ts.ResolvedModuleWithFailedLookupLocations>();

function hostOf(files: Files, options: ts.CompilerOptions): ts.CompilerHost {
  const host = compilerHost(options);
  const folders = new Set(Object.keys(files).flatMap((file) => foldersAbove(path.join(PLACE, file))));
  const textOf = (name: string): string | undefined => files[relativeName(name)];
  return {
    ...host,
    getCurrentDirectory: () => PLACE,
    fileExists: (name) => (isOwn(name) ? textOf(name) !== undefined : host.fileExists(name)),
    readFile: (name) => (isOwn(name) ? textOf(name) : host.readFile(name)),
    directoryExists: (name) => (isOwn(name) ? folders.has(name) : ts.sys.directoryExists(name)),
    realpath: (name) => (isOwn(name) ? name : (ts.sys.realpath?.(name) ?? name)),
    getSourceFile: (name, language) => {
      const own = isOwn(name) ? textOf(name) : undefined;
      if (own !== undefined) return ts.createSourceFile(name, own, language);
      if (!sources.has(name)) sources.set(name, host.getSourceFile(name, language));
      return sources.get(name);
    },
    resolveModuleNameLiterals(literals, containing, redirected, _, file) {
      return literals.map((literal) => {
        const mode = ts.getModeForUsageLocation(file, literal, options);
        const resolve = (): ts.ResolvedModuleWithFailedLookupLocations =>
          ts.resolveModuleName(literal.text, containing, options, this, undefined, redirected, mode);
        if (isOwn(containing) && literal.text.startsWith(".")) return resolve();
        const key = `${isOwn(containing) ? PLACE : path.dirname(containing)} ${String(mode)} ${literal.text}`;
        const known = resolutions.get(key) ?? resolve();
        resolutions.set(key, known);
        return known;
      });
    },
  };
}

function isOwn(name: string): boolean {
  return name === PLACE || (name.startsWith(`${PLACE}/`) && !name.startsWith(`${PLACE}/node_modules`));
}

function relativeName(name: string): string {
  return path.posix.relative(PLACE, name);
}

function foldersAbove(file: string): readonly string[] {
  const folder = path.dirname(file);
  return folder === PLACE ? [PLACE] : [folder, ...foldersAbove(folder)];
}
