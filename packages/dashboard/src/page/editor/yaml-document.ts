import { isCollection, isMap, isScalar, parseDocument, stringify, YAMLError, type Document, type Tags } from "yaml";

import type { FieldPath } from "./form-schema.ts";

/** A text of YAML, read. */
export type ParsedText =
  | { readonly kind: "object"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "invalid"; readonly message: string; readonly line: number };

/** Reads a text as kubectl does: one object, YAML 1.1 scalars without dates. */
export function parseText(text: string): ParsedText {
  const document = read(text);
  const [error] = document.errors;
  if (error !== undefined)
    return { kind: "invalid", message: firstLine(error.message), line: error.linePos?.[0].line ?? 1 };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return { kind: "invalid", message: error instanceof Error ? error.message : String(error), line: 1 };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { kind: "invalid", message: "the text is not an object", line: 1 };
  return { kind: "object", value: value as Readonly<Record<string, unknown>> };
}

/** Sets a value in a text, and keeps everything else: comments, order, and blank lines. Throws for a text that {@link parseText} finds invalid. */
export function setInText(text: string, path: FieldPath, value: unknown): string {
  const document = read(text);
  // Fields without a value, such as `spec:`, and values of other types make way for what the form knows.
  for (let length = 1; length < path.length; length += 1) {
    const parent = path.slice(0, length);
    const node = document.getIn(parent, true);
    const next = path[length];
    if (!isCollection(node)) document.setIn(parent, document.createNode(typeof next === "number" ? [] : {}));
    openCollection(document, parent);
  }
  // An empty text has quotes, which the first letter makes superfluous.
  const previous = document.getIn(path, true);
  if (isScalar(previous) && previous.value === "") delete previous.type;
  document.setIn(path, typeof value === "object" && value !== null ? document.createNode(value) : value);
  return print(document);
}

/** Removes a value from a text; a list goes with its last item. */
export function removeFromText(text: string, path: FieldPath): string {
  const document = read(text);
  document.deleteIn(path);
  const parent = path.slice(0, -1);
  const node = document.getIn(parent, true);
  if (typeof path.at(-1) === "number" && isCollection(node) && node.items.length === 0) document.deleteIn(parent);
  else if (isMap(node) && node.items.length === 0) node.flow = true;
  return print(document);
}

/** Prints a value as it stands in a field for YAML. */
export function valueText(value: unknown): string {
  return value === undefined ? "" : stringify(value, { lineWidth: 0, version: "1.1" }).trimEnd();
}

/** Reads the text of a field for YAML. */
export function parseValue(text: string): { readonly value: unknown } | { readonly message: string } {
  const document = read(text);
  const [error] = document.errors;
  if (error instanceof YAMLError) return { message: firstLine(error.message) };
  return { value: document.toJS() as unknown };
}

/** Returns the value at a path of an object. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (current, key) =>
      typeof current === "object" && current !== null ? (current as Readonly<Record<string, unknown>>)[key] : undefined,
    value,
  );
}

/** Removes what the server writes from the YAML of an object: the status, and metadata such as the UID. */
export function editableText(yaml: string): string {
  const document = read(yaml);
  document.delete("status");
  for (const name of SERVER_METADATA) document.deleteIn(["metadata", name]);
  return print(document);
}

const SERVER_METADATA = [
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
];

// Neither dates nor numbers of base 60 are values for API servers.
function withoutTimes(tags: Tags): Tags {
  return tags.filter(
    (tag) =>
      typeof tag === "string" ||
      !(tag.tag === "tag:yaml.org,2002:timestamp" || ("format" in tag && tag.format === "TIME")),
  );
}

function read(text: string): Document {
  return parseDocument(text, { version: "1.1", schema: "yaml-1.1", customTags: withoutTimes, prettyErrors: true });
}

function print(document: Document): string {
  return document.toString({ lineWidth: 0, indentSeq: true });
}

// `{}` becomes a block when something is put into it.
function openCollection(document: Document, path: FieldPath): void {
  const node = document.getIn(path, true);
  if (isCollection(node) && node.items.length === 0) node.flow = false;
}

function firstLine(message: string): string {
  return message.split("\n")[0]?.replace(/ at line \d+, column \d+:$/u, "") ?? message;
}
