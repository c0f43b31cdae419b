import type { TypeDescription, TypeDescriptions } from "@kubescaffold/k8s/tables";

import { describeDocLines } from "../loader/description.ts";
import { type EmbeddedType, fieldsIn, type GoField, jsonFields } from "./go-fields.ts";

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
  /** The key of the type that this one is made from, as in `type List metav1.List`. */
  readonly underlying: string | undefined;
  readonly fields: readonly DocumentedField[];
}

interface DocumentedField extends GoField {
  readonly text: string;
  /** The key of the named type of the field or of its elements, if it has one. */
  readonly key: string | undefined;
}

type Declared = ReadonlyMap<string, GoType>;

function describedType(type: GoType, declared: Declared): TypeDescription {
  const fields = jsonFields(madeFrom(type, declared).fields, ({ key }) => embeddedType(key, declared));
  const texts = Object.fromEntries(fields.flatMap(({ name, field }) => textsOf(name, field, declared)));
  return {
    ...(type.text === "" ? {} : { text: type.text }),
    ...(Object.keys(texts).length === 0 ? {} : { fields: texts }),
  };
}

function embeddedType(key: string | undefined, declared: Declared): EmbeddedType<DocumentedField> {
  const type = key === undefined ? undefined : declared.get(key);
  if (key === undefined || type === undefined) return undefined;
  const { isStruct, fields } = madeFrom(type, declared);
  return isStruct ? { fields } : { name: key.slice(key.lastIndexOf(".") + 1) };
}

// Sources that Go does not compile may have types that are made from each other.
function madeFrom(type: GoType, declared: Declared): GoType {
  const seen = new Set<GoType>();
  let last = type;
  while (last.underlying !== undefined && !seen.has(last)) {
    seen.add(last);
    last = declared.get(last.underlying) ?? last;
  }
  return last;
}

function textsOf(
  name: string,
  { text, type, key }: DocumentedField,
  declared: Declared,
): readonly (readonly [string, string])[] {
  const isCollection = /[[\]]/u.test(type);
  const target = key === undefined ? undefined : declared.get(key);
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

function typesIn(
  source: string,
  place: string,
  places: ReadonlyMap<string, string>,
): readonly (readonly [string, GoType])[] {
  const imports = new Map<string, string>();
  const types: (readonly [string, GoType])[] = [];
  let comment: string[] = [];
  let struct: { readonly name: string; readonly text: string; readonly fields: DocumentedField[] } | undefined;
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
      struct.fields.push(...fieldsIn(line).map((field) => ({ ...field, text, key: keyOf(elementOf(field.type)) })));
      if (!line.startsWith("}")) continue;
      types.push([`${place}.${struct.name}`, { ...struct, isStruct: true, underlying: undefined }]);
      struct = undefined;
      continue;
    }
    const [, alias, path = ""] = IMPORT.exec(line) ?? [];
    const imported = places.get(path);
    if (imported !== undefined) imports.set(alias ?? path.slice(path.lastIndexOf("/") + 1), imported);
    const [, name, expression = ""] = TYPE.exec(line) ?? [];
    if (name === undefined) continue;
    if (expression.trimEnd() === "struct {") struct = { name, text, fields: [] };
    else types.push([`${place}.${name}`, otherType(text, expression.trimEnd(), keyOf)]);
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

function otherType(text: string, expression: string, keyOf: (name: string) => string | undefined): GoType {
  return { text, isStruct: expression.startsWith("struct"), underlying: keyOf(expression), fields: [] };
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
