import { gvkOf, RECURSIVE_LEVELS } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import { TurnShare } from "@kubescaffold/platform/clock";

import {
  type Field,
  type FieldType,
  type Message,
  messageNamed,
  messageOf,
  type Special,
} from "../protobuf/messages.ts";
import { CborWriter } from "./cbor-writer.ts";
import { SELF_DESCRIPTION } from "./read-cbor.ts";

const encoded = new WeakMap<object, Uint8Array>();

/**
 * Returns the CBOR of an object that will not change any more, with the tag that marks it; written once for each.
 *
 * The keys of maps are in the deterministic order of RFC 8949. kube-apiserver writes them in a random order.
 */
export function encodeCbor(object: object): Uint8Array {
  let bytes = encoded.get(object);
  if (bytes === undefined) {
    const writer = new CborWriter();
    writer.raw(SELF_DESCRIPTION);
    writeObject(writer, object as Values);
    bytes = writer.finish();
    encoded.set(object, bytes);
  }
  return bytes;
}

/** Returns the CBOR of an object, the items of a list or the rows of a table written one by one. Guarantees: does not block the event loop. */
export async function encodeLongCbor(object: object): Promise<Uint8Array> {
  const values = object as Values;
  const name = "rows" in values ? "rows" : "items";
  const items = values[name];
  const message = messageOfObject(values);
  const fields: ReadonlyMap<string, Field> = message === undefined ? new Map() : fieldsOf(message);
  const list = fields.get(name);
  if (!Array.isArray(items) || (list !== undefined && list.shape !== "list")) return encodeCbor(object);
  const writer = new CborWriter();
  const turns = TurnShare.ofTime();
  const keys = keysOf(values);
  writer.raw(SELF_DESCRIPTION);
  writer.map(keys.length);
  for (const key of keys) {
    writer.string(key);
    if (key !== name) {
      writeKnown(writer, fields.get(key), values[key]);
      continue;
    }
    writer.array(items.length);
    for (const item of items as readonly unknown[]) {
      if (list === undefined) writeValue(writer, item);
      else writeTyped(writer, list.type, item);
      const pause = turns.step();
      if (pause !== undefined) await pause;
    }
  }
  return writer.finish();
}

/** Returns the CBOR of an event of a watch; the events of a watch are a sequence without separators. */
export function encodeCborEvent(type: string, object: object): Uint8Array {
  const writer = new CborWriter();
  writer.raw(SELF_DESCRIPTION);
  writer.map(2);
  writer.string("type");
  writer.string(type);
  writer.string("object");
  writer.raw(encodeCbor(object));
  return writer.finish();
}

type Values = Readonly<Record<string, unknown>>;

// The table of messages tells which strings of built-in kinds are bytes, and which numbers are floats.
function writeObject(writer: CborWriter, object: Values): void {
  const message = messageOfObject(object);
  if (message === undefined) writeValue(writer, object);
  else writeMessage(writer, message, object);
}

function messageOfObject({ apiVersion, kind }: Values): Message | undefined {
  return typeof apiVersion === "string" && typeof kind === "string"
    ? messageOf(gvkOf({ apiVersion, kind }))
    : undefined;
}

function writeMessage(writer: CborWriter, message: Message, values: Values): void {
  const fields = fieldsOf(message);
  writeMap(writer, values, (name, value) => {
    writeKnown(writer, fields.get(name), value);
  });
}

function writeKnown(writer: CborWriter, field: Field | undefined, value: unknown): void {
  if (field === undefined) writeValue(writer, value);
  else writeField(writer, field, value);
}

const fieldsByName = new WeakMap<Message, ReadonlyMap<string, Field>>();

function fieldsOf(message: Message): ReadonlyMap<string, Field> {
  let fields = fieldsByName.get(message);
  if (fields === undefined) {
    fields = new Map(message.fields.flatMap((field) => namedFields(field)));
    fieldsByName.set(message, fields);
  }
  return fields;
}

function namedFields(field: Field): readonly (readonly [string, Field])[] {
  if (!field.isInline || field.type.kind !== "message") return [[field.name, field]];
  return [...fieldsOf(field.type.message())];
}

function writeField(writer: CborWriter, { shape, type }: Field, value: unknown): void {
  if (shape === "list" && Array.isArray(value)) {
    writer.array(value.length);
    for (const item of value as readonly unknown[]) writeTyped(writer, type, item);
  } else if (shape === "map" && isRecord(value)) {
    writeMap(writer, value, (_key, item) => writeTyped(writer, type, item));
  } else {
    writeTyped(writer, type, value);
  }
}

function writeTyped(writer: CborWriter, type: FieldType, value: unknown): void {
  switch (type.kind) {
    case "scalar":
      if (type.scalar === "bytes" && typeof value === "string") writeBytes(writer, value);
      else if (type.scalar === "double" && typeof value === "number") writer.float(value);
      else writeValue(writer, value);
      break;
    case "message":
      if (isRecord(value)) writeMessage(writer, type.message(), value);
      else writeValue(writer, value);
      break;
    case "special":
      writeSpecial(writer, type.special, value);
  }
}

const SCHEMAS: ReadonlySet<Special> = new Set(["schema-or-array", "schema-or-boolean", "schema-or-strings"]);

function writeSpecial(writer: CborWriter, special: Special, value: unknown): void {
  if (!SCHEMAS.has(special)) {
    writeValue(writer, value);
    return;
  }
  const schema = messageNamed("apiextensions/v1.JSONSchemaProps");
  if (isRecord(value)) {
    writeMessage(writer, schema, value);
  } else if (special === "schema-or-array" && Array.isArray(value)) {
    writer.array(value.length);
    for (const item of value as readonly Values[]) writeMessage(writer, schema, item);
  } else {
    writeValue(writer, value);
  }
}

const BASE64_LATER = 22;

// The tag makes readers that do not know the field show it in base64.
function writeBytes(writer: CborWriter, base64: string): void {
  writer.tag(BASE64_LATER);
  writer.bytes(Buffer.from(base64, "base64"));
}

function writeValue(writer: CborWriter, value: unknown, level: number = 0): void {
  if (level === RECURSIVE_LEVELS) {
    writeDeepValue(writer, value);
  } else if (Array.isArray(value)) {
    writer.array(value.length);
    for (const item of value as readonly unknown[]) writeValue(writer, item, level + 1);
  } else if (isRecord(value)) {
    writeMap(writer, value, (_key, item) => writeValue(writer, item, level + 1));
  } else {
    writeScalar(writer, value);
  }
}

function writeScalar(writer: CborWriter, value: unknown): void {
  if (typeof value === "string") {
    writer.string(value);
  } else if (typeof value === "number") {
    if (Number.isSafeInteger(value)) writer.integer(value);
    else writer.float(value);
  } else if (typeof value === "bigint") {
    writer.integer(value);
  } else if (typeof value === "boolean") {
    writer.boolean(value);
  } else {
    writer.null();
  }
}

// Without recursion, and slower.
function writeDeepValue(writer: CborWriter, value: unknown): void {
  const later: { readonly key?: string; readonly value: unknown }[] = [];
  for (let next: (typeof later)[number] | undefined = { value }; next !== undefined; next = later.pop()) {
    if (next.key !== undefined) writer.string(next.key);
    if (Array.isArray(next.value)) {
      const items = next.value as readonly unknown[];
      writer.array(items.length);
      for (const item of items.toReversed()) later.push({ value: item });
    } else if (isRecord(next.value)) {
      const { value: values } = next as { readonly value: Values };
      const keys = keysOf(values);
      writer.map(keys.length);
      for (const key of keys.toReversed()) later.push({ key, value: values[key] });
    } else {
      writeScalar(writer, next.value);
    }
  }
}

function writeMap(writer: CborWriter, values: Values, write: (key: string, value: unknown) => void): void {
  const keys = keysOf(values);
  writer.map(keys.length);
  for (const key of keys) {
    writer.string(key);
    write(key, values[key]);
  }
}

// In their order in maps: the length is part of what is compared, and comes first.
function keysOf(values: Values): readonly string[] {
  const keys = Object.keys(values).filter((key) => values[key] !== undefined);
  const bytes = keys.map((key) => ({ key, bytes: Buffer.from(key) }));
  bytes.sort((left, right) => left.bytes.length - right.bytes.length || Buffer.compare(left.bytes, right.bytes));
  return bytes.map(({ key }) => key);
}
