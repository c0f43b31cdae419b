import type { TypeDescription, TypeDescriptions } from "@kubescaffold/k8s/tables";

import { describeDocLines } from "../loader/description.ts";

/** A package of Go types. */
export interface GoPackage {
  /** The group and version of its types, such as `core/v1`. */
  readonly place: string;
  /** The import path, by which other packages refer to it. */
  readonly importPath: string;
  /** The texts of its files. */
  readonly sources: readonly string[];
}

/**
 * Reads the descriptions in the comments of Go packages as controller-gen does: of structs, their fields, and other named types.
 *
 * Fields of embedded structs are fields of the struct. A field without a comment has the description of its type, unless that is a struct, of
 * which {@link TypeDescription} has its own; `name[]` is the description of the elements of a list or map.
 */
export function readGoTypes(packages: readonly GoPackage[]): TypeDescriptions {
  const places = new Map(packages.map(({ importPath, place }) => [importPath, place]));
  const declared = new Map(
    packages.flatMap(({ place, sources }) => sources.flatMap((source) => typesIn(source, place, places))),
  );
  const entries = [...declared].map(([key, type]) => [key, describedType(type, declared)] as const);
  return Object.fromEntries(entries.filter(([, described]) => Object.keys(described).length > 0));
}

interface GoType {
  readonly text: string;
  readonly isStruct: boolean;
  readonly fields: readonly GoField[];
}

interface GoField {
  /** The name in JSON; undefined for an embedded struct. */
  readonly name: string | undefined;
  readonly text: string;
  /** The key of the named type of the field or of its elements, if it has one. */
  readonly type: string | undefined;
  readonly isCollection: boolean;
}

type Declared = ReadonlyMap<string, GoType>;

function describedType({ text, fields }: GoType, declared: Declared): TypeDescription {
  const texts = Object.fromEntries(fields.flatMap((field) => textsOf(field, declared)));
  return {
    ...(text === "" ? {} : { text }),
    ...(Object.keys(texts).length === 0 ? {} : { fields: texts }),
  };
}

function textsOf(field: GoField, declared: Declared): readonly (readonly [string, string])[] {
  const { name, text, type, isCollection } = field;
  const target = type === undefined ? undefined : declared.get(type);
  if (name === undefined) return (target?.fields ?? []).flatMap((each) => textsOf(each, declared));
  const ofType = target === undefined || target.isStruct ? "" : target.text;
  const own = text === "" && !isCollection ? ofType : text;
  const ofElement = isCollection ? ofType : "";
  return [
    ...(own === "" ? [] : [[name, own] as const]),
    ...(ofElement === "" ? [] : [[`${name}[]`, ofElement] as const]),
  ];
}

const IMPORT = /^\s*(?:import\s+)?(?:(\w+)\s+)?"([\w./-]+)"\s*$/u;
const TYPE = /^type (\w+) (?:= )?(\S.*)$/u;
const FIELD = /^\t(?:(\w+)[ \t]+)?([\w.*[\]]+)[ \t]+`[^`]*\bjson:"([^"]*)"[^`]*`/u;

function typesIn(
  source: string,
  place: string,
  places: ReadonlyMap<string, string>,
): readonly (readonly [string, GoType])[] {
  const imports = new Map<string, string>();
  const types: (readonly [string, GoType])[] = [];
  let comment: string[] = [];
  let struct: { readonly name: string; readonly text: string; readonly fields: GoField[] } | undefined;
  const keyOf = (name: string): string | undefined => typeKey(name, { place, imports });
  for (const line of withoutBlockComments(source).split(/\r?\n/u)) {
    const commented = /^\s*\/\/(.*)$/u.exec(line)?.[1];
    if (commented !== undefined) {
      comment.push(commented);
      continue;
    }
    const text = describeDocLines(comment);
    comment = [];
    if (struct !== undefined) {
      const field = fieldIn(line, text, keyOf);
      if (field !== undefined) struct.fields.push(field);
      if (!line.startsWith("}")) continue;
      types.push([`${place}.${struct.name}`, { ...struct, isStruct: true }]);
      struct = undefined;
      continue;
    }
    const [, alias, path = ""] = IMPORT.exec(line) ?? [];
    const imported = places.get(path);
    if (imported !== undefined) imports.set(alias ?? path.slice(path.lastIndexOf("/") + 1), imported);
    const [, name, expression = ""] = TYPE.exec(line) ?? [];
    if (name === undefined) continue;
    if (expression.trimEnd() === "struct {") struct = { name, text, fields: [] };
    else types.push([`${place}.${name}`, { text, isStruct: expression.startsWith("struct"), fields: [] }]);
  }
  return types;
}

// No description is in such a comment.
function withoutBlockComments(source: string): string {
  return source
    .split("*/")
    .map((part) => part.replace(/^([ \t]*)\/\*[\s\S]*$/mu, "$1"))
    .join("");
}

function fieldIn(line: string, text: string, keyOf: (name: string) => string | undefined): GoField | undefined {
  const [, , type = "", json = ""] = FIELD.exec(line) ?? [];
  const [name = "", ...options] = json.split(",");
  if (name === "-") return undefined;
  const isEmbedded = options.includes("inline");
  if (name === "" && !isEmbedded) return undefined;
  return { name: isEmbedded ? undefined : name, text, type: keyOf(elementOf(type)), isCollection: /[[\]]/u.test(type) };
}

// Of `[]*Type` and `map[string]Type`, the type.
function elementOf(type: string): string {
  return type.replace(/^(?:\*|\[\]|map\[[\w.]+\])+/u, "");
}

function typeKey(
  name: string,
  { place, imports }: { readonly place: string; readonly imports: ReadonlyMap<string, string> },
): string | undefined {
  const [first = "", second] = name.split(".");
  if (second === undefined) return /^[A-Z]/u.test(first) ? `${place}.${first}` : undefined;
  const imported = imports.get(first);
  return imported === undefined ? undefined : `${imported}.${second}`;
}
