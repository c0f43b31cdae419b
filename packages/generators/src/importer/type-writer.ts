import { isRecord } from "@kubescaffold/platform";

import { jsonText, memberName } from "../typescript/literals.ts";
import { commentLines, isReadable } from "./comment-block.ts";
import type { ImportList } from "./import-list.ts";
import { keywordMarkers, type MarkerPlace, type MarkerSubject } from "./keyword-markers.ts";
import { markerText } from "./marker-text.ts";
import { canonicalJson, type Schema } from "./normal-form.ts";
import { plainType, type PlainType, without } from "./plain-type.ts";
import { itemPath, type TypeNames } from "./type-names.ts";
import type { WellKnownTypes } from "./well-known-types.ts";

/** What the types of a file are written with. */
export interface TypeWriterOptions {
  readonly imports: ImportList;
  readonly names: TypeNames;
  readonly wellKnown: WellKnownTypes;
  /** Is called for every schema keyword that only the raw marker can say. */
  readonly onOverride: (use: OverrideUse) => void;
}

/** A keyword that only the raw marker can say, and where. */
export interface OverrideUse {
  readonly path: string;
  readonly keyword: string;
}

/** Properties of an object, as they are written. */
export interface PropertyOptions {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly path: readonly string[];
}

/** The keywords of a place that neither its type nor its text says. */
export interface KeywordOptions {
  readonly left: Schema;
  readonly subject: MarkerSubject;
  readonly place: MarkerPlace;
  readonly description: string;
  readonly path: readonly string[];
  /** Keywords of the type that are to go. */
  readonly removed?: readonly string[];
}

interface NamedShape {
  readonly name: string;
  readonly path: readonly string[];
  readonly schema: Schema;
  /** The text that the type must have because its own use has none; undefined while every use has one. */
  description: string | undefined;
}

/** Collects the types of one file: the properties of a kind, then the types that those name, breadth first. */
export class TypeWriter {
  readonly #options: TypeWriterOptions;
  readonly #shapes = new Map<string, NamedShape[]>();
  readonly #inOrder: NamedShape[] = [];

  constructor(options: TypeWriterOptions) {
    this.#options = options;
  }

  /** Returns the lines of a property. */
  property({ name, schema, isRequired, path }: PropertyOptions): readonly string[] {
    const description = textOf(schema["description"]);
    const plain = this.#typeOf(without(schema, "description", "nullable"), { path, isField: true, description });
    const isNullable = schema["nullable"] === true;
    const { left, subject, itemMarkers = [] } = plain;
    const markers = [
      ...(plain.isSchemaless === true ? ["+kubebuilder:validation:Schemaless"] : []),
      ...(plain.isSchemaless === true && isNullable ? ["+nullable"] : []),
      ...itemMarkers,
      ...this.markersFor({ left, subject, place: "field", description, path }),
    ];
    const type = isNullable ? `${plain.type} | null` : plain.type;
    const head = `  ${memberName(name)}${isRequired ? "" : "?"}:`;
    return [...commentLines(description, markers, "  "), ...typeLines(head, type)];
  }

  /** Returns the declarations of all types that were named so far and those that these name. */
  declarations(): readonly (readonly string[])[] {
    const bodies: (() => readonly string[])[] = [];
    for (let index = 0; index < this.#inOrder.length; index += 1) {
      const shape = this.#inOrder[index];
      if (shape !== undefined) bodies.push(this.#declaration(shape));
    }
    return bodies.map((body) => body());
  }

  /** Returns the lines of the properties of an object. */
  properties(schema: Schema, path: readonly string[]): readonly string[] {
    const required = new Set(Array.isArray(schema["required"]) ? schema["required"].map(String) : []);
    const entries = Object.entries(isRecord(schema["properties"]) ? schema["properties"] : {});
    return entries.flatMap(([name, each], index) => [
      ...(index === 0 ? [] : [""]),
      ...this.property({
        name,
        schema: isRecord(each) ? each : {},
        isRequired: required.has(name),
        path: [...path, name],
      }),
    ]);
  }

  /** Returns the markers of keywords, the raw one for those that no other can say. */
  markersFor({ left, subject, place, description, path, removed = [] }: KeywordOptions): readonly string[] {
    const said = keywordMarkers(left, { subject, place });
    const raw: Record<string, unknown> = Object.fromEntries(removed.map((key) => [key, null]));
    if (!isReadable(description)) raw["description"] = description;
    Object.assign(raw, said.left);
    const keywords = Object.keys(raw);
    if (keywords.length === 0) return said.markers;
    for (const keyword of keywords) this.#options.onOverride({ path: path.join("."), keyword });
    const text = markerText("kubescaffold:schema", raw) ?? `+kubescaffold:schema=${jsonText(raw) ?? ""}`;
    return [...said.markers, text];
  }

  // A type is printed last, when all its uses are known.
  #declaration(shape: NamedShape): () => readonly string[] {
    const { name, path, schema } = shape;
    if (isStruct(schema)) {
      const body = this.properties(schema, path);
      return () => {
        const description = shape.description ?? "";
        const left = structKeywords(schema);
        const markers = this.markersFor({ left, subject: STRUCT, place: "type", description, path });
        const head = `export interface ${name} {`;
        const lines = body.length === 0 ? [`${head}}`] : [head, ...body, "}"];
        return [...commentLines(description, markers, ""), ...lines];
      };
    }
    const plain = this.#aliasOf(schema, path);
    return () => {
      const description = shape.description ?? "";
      const { left, subject, itemMarkers = [], removed = [] } = plain;
      const markers = [
        ...itemMarkers,
        ...this.markersFor({ left, subject, place: "type", description, path, removed }),
      ];
      return [...commentLines(description, markers, ""), ...typeLines(`export type ${name} =`, plain.type)];
    };
  }

  #aliasOf(schema: Schema, path: readonly string[]): ListedType & { readonly removed?: readonly string[] } {
    const { imports } = this.#options;
    const plain = this.#typeOf(schema, { path, isField: true, description: "" });
    if (plain.isSchemaless !== true) return plain;
    if (schema["type"] === "number")
      return { type: imports.use(ROOT, "integer"), subject: { type: "number" }, left: schema };
    const type = imports.use(ROOT, "JSONValue");
    const removed = schema["x-kubernetes-preserve-unknown-fields"] === true ? [] : [PRESERVE];
    return { type, subject: { type: undefined }, left: schema, removed };
  }

  // The type of a schema without its text and without null, which the place says.
  #typeOf(schema: Schema, place: TypePlace): ListedType {
    const known = this.#wellKnown(schema);
    if (known !== undefined) return known;
    if (isStruct(schema)) return this.#structUse(schema, place);
    if (schema["type"] === "array" && isRecord(schema["items"])) return this.#listType(schema, schema["items"], place);
    if (schema["type"] === "object") return this.#mapType(schema, place);
    return plainType(schema, this.#options.imports);
  }

  #wellKnown(schema: Schema): PlainType | undefined {
    const found = this.#options.wellKnown.find(without(schema, ...OF_THE_FIELD));
    if (found === undefined) return undefined;
    const type = this.#options.imports.use(found.module, found.name);
    return { type, subject: { type: "object", isStruct: true }, left: only(schema, OF_THE_FIELD) };
  }

  #structUse(schema: Schema, { path, description }: TypePlace): PlainType {
    const shape = without(schema, ...OF_THE_FIELD);
    const name = this.#name(shape, path, description === "" ? "" : undefined);
    return { type: name, subject: STRUCT, left: only(schema, OF_THE_FIELD) };
  }

  #listType(schema: Schema, items: Schema, { path, isField }: TypePlace): ListedType {
    const left = without(schema, "type", "items");
    const subject: MarkerSubject = { type: "array" };
    const marked = isField ? this.#markedItems(items) : undefined;
    if (marked !== undefined) return { type: `${inList(marked.type)}[]`, subject, left, itemMarkers: marked.markers };
    return { type: `${inList(this.#inlineType(items, itemPath(path)))}[]`, subject, left };
  }

  // Items that are no lists and no objects need no type of their own when markers of the list can say all of them.
  #markedItems(items: Schema): { readonly type: string; readonly markers: readonly string[] } | undefined {
    const { type, description } = items;
    if (description !== undefined || type === "array" || type === "object" || type === "number") return undefined;
    const plain = plainType(without(items, "nullable"), this.#options.imports);
    if (plain.isSchemaless === true) return undefined;
    const said = keywordMarkers(plain.left, { subject: plain.subject, place: "items" });
    if (Object.keys(said.left).length > 0) return undefined;
    return { type: items["nullable"] === true ? `${plain.type} | null` : plain.type, markers: said.markers };
  }

  #mapType(schema: Schema, { path }: TypePlace): PlainType {
    const { imports } = this.#options;
    const values = schema["additionalProperties"];
    const subject: MarkerSubject = { type: "object" };
    if (isRecord(values)) {
      const type = this.#recordOf(this.#inlineType(values, itemPath(path)));
      return { type, subject, left: without(schema, "type", "additionalProperties") };
    }
    const anything = imports.use(ROOT, "JSONValue");
    if (values !== undefined) return { type: this.#recordOf(anything), subject, left: without(schema, "type") };
    return { type: imports.use(ROOT, "RawExtension"), subject, left: without(schema, "type", PRESERVE) };
  }

  #recordOf(type: string): string {
    return this.#options.imports.isKind("Record") ? `{ [key: string]: ${type} }` : `Record<string, ${type}>`;
  }

  // The type of a place that has neither a text nor markers: what it does not say needs a type with a name.
  #inlineType(schema: Schema, path: readonly string[]): string {
    const description = textOf(schema["description"]);
    const bare = without(schema, "description", "nullable");
    const type = this.#plainInline(bare, path, description) ?? this.#name(bare, path, description);
    return schema["nullable"] === true ? `${type} | null` : type;
  }

  #plainInline(schema: Schema, path: readonly string[], description: string): string | undefined {
    if (description !== "" || isStruct(schema)) {
      const known = this.#wellKnown(schema);
      return description === "" && known !== undefined && Object.keys(known.left).length === 0 ? known.type : undefined;
    }
    const plain = this.#typeOf(schema, { path, isField: false, description });
    return plain.isSchemaless === true || Object.keys(plain.left).length > 0 ? undefined : plain.type;
  }

  // Types of one shape are one type, unless their uses need different texts of it.
  #name(schema: Schema, path: readonly string[], description: string | undefined): string {
    const key = `${path.length === 1 ? path.join() : ""}${canonicalJson(schema)}`;
    const alike = this.#shapes.get(key) ?? [];
    const fitting = alike.find(
      (each) => description === undefined || each.description === undefined || each.description === description,
    );
    if (fitting !== undefined) {
      fitting.description ??= description;
      return fitting.name;
    }
    const shape: NamedShape = { name: this.#options.names.choose(path), path, schema, description };
    this.#shapes.set(key, [...alike, shape]);
    this.#inOrder.push(shape);
    return shape.name;
  }
}

interface TypePlace {
  readonly path: readonly string[];
  /** Whether markers can be at the place. */
  readonly isField: boolean;
  /** The text of the place; without one that of the type counts. */
  readonly description: string;
}

interface ListedType extends PlainType {
  /** Markers for the items of a list. */
  readonly itemMarkers?: readonly string[];
}

const ROOT = "@kubescaffold/k8s";
const PRESERVE = "x-kubernetes-preserve-unknown-fields";
const STRUCT: MarkerSubject = { type: "object", isStruct: true };

// What belongs to the property and not to its type.
const OF_THE_FIELD = ["default", "example", "title", "externalDocs"];

function isStruct(schema: Schema): boolean {
  if (schema["type"] !== "object") return false;
  return (
    schema["properties"] !== undefined || (schema["additionalProperties"] === undefined && schema[PRESERVE] !== true)
  );
}

/** Returns what properties do not say of an object. */
export function structKeywords(schema: Schema): Schema {
  const names = new Set(Object.keys(isRecord(schema["properties"]) ? schema["properties"] : {}));
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const isSaid = required.every((name) => names.has(name));
  return without(schema, "type", "properties", ...(isSaid ? ["required"] : []));
}

function only(schema: Schema, keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keywords.includes(key)));
}

function inList(type: string): string {
  return type.includes(" | ") ? `(${type})` : type;
}

// A union that is too long for a line stands member below member.
function typeLines(head: string, type: string): readonly string[] {
  const line = `${head} ${type};`;
  if (line.length <= 120) return [line];
  const list = /^\((?<members>.*)\)\[\]$/u.exec(type)?.groups?.["members"];
  const members = splitUnion(list ?? type);
  if (members.length < 2 || members.join(" | ") !== (list ?? type)) return [line];
  const indent = " ".repeat(head.length - head.trimStart().length);
  const rows = members.map((member) => `${indent}  ${list === undefined ? "" : "  "}| ${member}`);
  if (list === undefined) return [head, ...rows.slice(0, -1), `${rows.at(-1) ?? ""};`];
  return [`${head} (`, ...rows, `${indent})[];`];
}

function splitUnion(type: string): readonly string[] {
  return [...type.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^|"'\s]+/gu)].map(([member]) => member);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
