import { apiVersionOf, type GroupVersionKind } from "@kubescaffold/k8s";

import { messageTable } from "./message-table.ts";

/** A message with its fields by their numbers, which ascend. */
export interface Message {
  /** The package and the name of the Go type: `core/v1.Pod`. */
  readonly name: string;
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
}

/** A field of a message. */
export interface Field {
  readonly number: number;
  /** The name in JSON. */
  readonly name: string;
  /** Whether the field may be absent: others are always in a message, with their zero value. */
  readonly isPointer: boolean;
  /** Whether the fields of the message are in JSON those of the outer one. */
  readonly isInline: boolean;
  /** Whether JSON states the field even when it is empty. */
  readonly isAlwaysInJson: boolean;
  /** Whether JSON leaves out a zero time. */
  readonly omitsZero: boolean;
  readonly shape: "one" | "list" | "map";
  readonly type: FieldType;
}

/** The type of a field, of an item of a list, or of a value of a map. */
export type FieldType =
  | { readonly kind: "scalar"; readonly scalar: Scalar }
  | { readonly kind: "special"; readonly special: Special }
  | { readonly kind: "message"; readonly message: () => Message };

/** The scalar types. */
export type Scalar = "string" | "bytes" | "boolean" | "int32" | "int64" | "double";

/** Messages whose form in JSON is not that of their fields. */
export type Special =
  | "time"
  | "micro-time"
  | "quantity"
  | "int-or-string"
  | "raw-object"
  | "fields"
  | "json"
  | "schema-or-array"
  | "schema-or-boolean"
  | "schema-or-strings"
  | "strings";

const SCALARS: Readonly<Record<string, Scalar>> = {
  s: "string",
  b: "bytes",
  B: "boolean",
  i: "int32",
  l: "int64",
  d: "double",
};

const SPECIALS: Readonly<Record<string, Special>> = {
  T: "time",
  M: "micro-time",
  Q: "quantity",
  I: "int-or-string",
  R: "raw-object",
  F: "fields",
  J: "json",
  A: "schema-or-array",
  O: "schema-or-boolean",
  S: "schema-or-strings",
  V: "strings",
};

/** Returns the message of a kind; undefined for kinds that have none, such as custom resources and tables. */
export function messageOf(kind: GroupVersionKind): Message | undefined {
  const folder = packages().get(apiVersionOf(kind));
  return (folder === undefined ? undefined : find(`${folder}.${kind.kind}`)) ?? metaMessage(kind);
}

/** Returns a message by its name. */
export function messageNamed(name: string): Message {
  const message = find(name);
  if (message === undefined) throw new Error(`the table has no message ${name}`);
  return message;
}

// Options and statuses belong to every group-version.
function metaMessage({ group, kind }: GroupVersionKind): Message | undefined {
  const isMeta = group === "meta.k8s.io" || group === "" || OPTIONS.has(kind);
  return isMeta ? find(`meta/v1.${kind}`) : undefined;
}

const OPTIONS: ReadonlySet<string> = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
  "Status",
]);

const found = new Map<string, Message>();
let lines: ReadonlyMap<string, string> | undefined;

// Each line is read when its message is first needed.
function find(name: string): Message | undefined {
  let message = found.get(name);
  if (message === undefined) {
    lines ??= linesByName();
    const line = lines.get(name);
    if (line === undefined) return undefined;
    message = parseMessage(name, line);
    found.set(name, message);
  }
  return message;
}

function linesByName(): ReadonlyMap<string, string> {
  const [, text = ""] = messageTable.split("\n\n");
  return new Map(
    text.split("\n").map((line) => {
      const bar = line.indexOf("|");
      return bar < 0 ? [line, ""] : [line.slice(0, bar), line.slice(bar + 1)];
    }),
  );
}

let packagesByVersion: ReadonlyMap<string, string> | undefined;

function packages(): ReadonlyMap<string, string> {
  packagesByVersion ??= new Map(
    (messageTable.split("\n\n", 1)[0] ?? "").split("\n").map((line): [string, string] => {
      const [apiVersion = "", folder = ""] = line.split("=");
      return [apiVersion, folder];
    }),
  );
  return packagesByVersion;
}

function parseMessage(name: string, line: string): Message {
  const folder = name.slice(0, name.indexOf("."));
  const fields = line === "" ? [] : line.split("|").map((text) => parseField(folder, text));
  return { name, fields, byNumber: new Map(fields.map((field) => [field.number, field])) };
}

const NUMBER = /^\d+/u;
const FLAGS = /^[?^!~]*/u;

// A field is its number, its flags, its name, a colon, and its type: 3?replicas:i.
function parseField(folder: string, text: string): Field {
  const number = NUMBER.exec(text)?.[0] ?? "";
  const rest = text.slice(number.length);
  const flags = FLAGS.exec(rest)?.[0] ?? "";
  const colon = rest.indexOf(":");
  const type = rest.slice(colon + 1);
  const shape = type.startsWith("*") ? "list" : type.startsWith("%") ? "map" : "one";
  return {
    number: Number(number),
    name: rest.slice(flags.length, colon),
    isPointer: flags.includes("?"),
    isInline: flags.includes("^"),
    isAlwaysInJson: flags.includes("!"),
    omitsZero: flags.includes("~"),
    shape,
    type: parseType(folder, shape === "one" ? type : type.slice(1)),
  };
}

function parseType(folder: string, text: string): FieldType {
  const scalar = SCALARS[text];
  if (scalar !== undefined) return { kind: "scalar", scalar };
  const special = SPECIALS[text];
  if (special !== undefined) return { kind: "special", special };
  const name = text.slice(1);
  const full = name.includes("/") ? name : `${folder}.${name}`;
  return { kind: "message", message: () => messageNamed(full) };
}
