import { isBuiltin } from "node:module";
import path from "node:path";

import { ts } from "ts-morph";

import type { PackedFile } from "./tarball.ts";

/**
 * Returns the packages that the modules, scripts and types of a package ask for by name; Node's own modules and the package itself are none.
 *
 * Types that no export leads to are for nobody, and ask for nothing.
 */
export function askedPackages(own: string, packed: ReadonlyMap<string, PackedFile>): readonly string[] {
  const files = [...packed.keys()].filter((file) => /\.c?js$/u.test(file));
  const names = [...files, ...typesOf(packed)].flatMap((file) => specifiersOf(file, packed.get(file)?.text ?? ""));
  const foreign = names.filter((name) => !name.startsWith(".") && !isBuiltin(name)).map((name) => packageOf(name));
  return [...new Set(foreign)].filter((name) => name !== own).toSorted();
}

function typesOf(packed: ReadonlyMap<string, PackedFile>): ReadonlySet<string> {
  const { exports } = JSON.parse(packed.get("package.json")?.text ?? "") as {
    readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const found = new Set<string>();
  const follow = (file: string): void => {
    if (found.has(file) || !packed.has(file)) return;
    found.add(file);
    const own = specifiersOf(file, packed.get(file)?.text ?? "").filter((name) => name.startsWith("."));
    for (const name of own) follow(path.posix.join(path.posix.dirname(file), name.replace(/\.[jt]s$/u, ".d.ts")));
  };
  for (const { types = "" } of Object.values(exports)) for (const file of matching(types, packed)) follow(file);
  return found;
}

// A pattern among the exports stands for every file that it fits.
function matching(target: string, packed: ReadonlyMap<string, PackedFile>): readonly string[] {
  const [start = "", end] = path.posix.normalize(target).split("*");
  return end === undefined
    ? [start]
    : [...packed.keys()].filter((file) => file.startsWith(start) && file.endsWith(end));
}

// The compiler inside of ts-morph, and the parser in it, are scripts without surroundings.
function specifiersOf(file: string, text: string): readonly string[] {
  if (/^dist\/ts-(?:morph|parser)\.cjs$/u.test(file)) return [];
  if (file.endsWith(".cjs")) return [...text.matchAll(LEFT_OUTSIDE)].map(([, name = ""]) => name);
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

// How the two scripts of the bundled program load what is not in them.
const LEFT_OUTSIDE = /\b(?:__import|importModule|(?<![.\w])require)\("([^"]+)"\)/gu;

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
