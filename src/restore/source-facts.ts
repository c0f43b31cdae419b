import { posix } from "node:path";

import { isRecord } from "@kubescaffold/platform";

/** The import of a name in a source file. */
export interface NamedImport {
  /** The name that the module exports. */
  readonly name: string;
  /** The name in the file. */
  readonly alias: string;
  /** The module as it is written. */
  readonly module: string;
}

const IMPORT = /^import (?:type )?\{(?<names>[^{}"]*)\} from "(?<module>[^"\n]*)";/gmu;

/** Returns the named imports of a source file. */
export function namedImports(text: string): readonly NamedImport[] {
  return [...text.matchAll(IMPORT)].flatMap((match) =>
    (match.groups?.["names"] ?? "")
      .split(",")
      .map((each) => each.trim().replace(/^type /u, ""))
      .filter((each) => each !== "")
      .map((each) => {
        const [name = "", alias = name] = each.split(" as ").map((word) => word.trim());
        return { name, alias, module: match.groups?.["module"] ?? "" };
      }),
  );
}

/** Returns the path in the project that a relative import leads to; nothing for a package. */
export function importedFile(file: string, module: string): string | undefined {
  return module.startsWith(".") ? posix.join(posix.dirname(file), module) : undefined;
}

/** Returns the name that a builder is for: the argument of its first `.for(…)`. */
export function builtFor(text: string): string | undefined {
  return /\.for\(\s*(?<name>[A-Za-z_$][\w$]*)/u.exec(text)?.groups?.["name"];
}

/** A kind that a file defines, with its group and version if they are written beside it. */
export interface DefinedKind {
  readonly kind: string;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
}

/** Returns the kinds that a file defines with `defineKind`. */
export function definedKinds(text: string): readonly DefinedKind[] {
  return [...text.matchAll(/\bdefineKind<\w+>\((?<words>[^)]*)\)/gu)].map(({ groups }) => {
    const words = groups?.["words"] ?? "";
    const group = /\bgroup: "(?<value>[^"]*)"/u.exec(words)?.groups?.["value"];
    const version = /\bversion: "(?<value>[^"]*)"/u.exec(words)?.groups?.["value"];
    return { kind: words.split('"').at(-2) ?? "", group, version };
  });
}

/** Returns the arguments of the markers of a name, such as `kubebuilder:rbac`. */
export function markerArguments(text: string, name: string): readonly Readonly<Record<string, string>>[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^[\s/*]+/u, ""))
    .filter((line) => line.startsWith(`+${name}:`))
    .map((line) => {
      const words = line
        .slice(name.length + 2)
        .trim()
        .split(",");
      return Object.fromEntries(
        words.map((word) => {
          const [key = "", ...value] = word.split("=");
          return [key.trim(), value.join("=").replaceAll('"', "").trim()];
        }),
      );
    });
}

/** Reads a JSON object. Returns nothing for other texts. */
export function readJsonObject(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
