import type { JSONValue } from "@kubescaffold/k8s";
import { isJsonObject, type JsonObject } from "@kubescaffold/schema";

import { ProtobufWriter } from "./protobuf-writer.ts";

/** Returns a document of version 2 as the message `openapi.v2.Document`, the one form that kubectl reads. */
export function swaggerProtobuf(document: JsonObject): Uint8Array {
  const writer = new ProtobufWriter();
  DOCUMENT(writer, document);
  return writer.bytes();
}

type Write = (writer: ProtobufWriter, value: JSONValue) => void;
type WriteField = (writer: ProtobufWriter, field: number, value: JSONValue) => void;
type Fields = Readonly<Record<string, readonly [number, WriteField]>>;

const text: WriteField = (writer, field, value) => writer.string(field, value as string);
const whole: WriteField = (writer, field, value) => writer.integer(field, value as number | boolean);
const real: WriteField = (writer, field, value) => writer.double(field, value as number);
// Whatever is no part of the format is kept as text, as YAML.
const any: WriteField = (writer, field, value) =>
  writer.message(field, (inner) => inner.string(2, JSON.stringify(value)));

function each(write: WriteField): WriteField {
  return (writer, field, value) => {
    for (const item of value as readonly JSONValue[]) write(writer, field, item);
  };
}

function message(write: Write): WriteField {
  return (writer, field, value) => writer.message(field, (inner) => write(inner, value));
}

// A map is a list of names with their values.
function named(field: number, write: WriteField): Write {
  return (writer, value) => {
    for (const [name, item] of Object.entries(value as JsonObject))
      writer.message(field, (inner) => {
        inner.string(1, name);
        write(inner, 2, item);
      });
  };
}

/** A message with its fields by the names in the document; those that begin with x- are its extensions. */
function object(fields: Fields, extensions: number): Write {
  const extend = named(extensions, any);
  return (writer, value) => {
    const entries = Object.entries(value as JsonObject);
    for (const [name, item] of entries) {
      const [field, write] = fields[name] ?? [];
      if (field !== undefined && write !== undefined) write(writer, field, item);
    }
    extend(writer, Object.fromEntries(entries.filter(([name]) => name.startsWith("x-"))));
  };
}

const schema: WriteField = (writer, field, value) => writer.message(field, (inner) => SCHEMA(inner, value));

const SCHEMA: Write = object(
  {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    multipleOf: [6, real],
    maximum: [7, real],
    exclusiveMaximum: [8, whole],
    minimum: [9, real],
    exclusiveMinimum: [10, whole],
    maxLength: [11, whole],
    minLength: [12, whole],
    pattern: [13, text],
    maxItems: [14, whole],
    minItems: [15, whole],
    uniqueItems: [16, whole],
    maxProperties: [17, whole],
    minProperties: [18, whole],
    required: [19, each(text)],
    enum: [20, each(any)],
    additionalProperties: [
      21,
      message((writer, value) => (isJsonObject(value) ? schema : whole)(writer, isJsonObject(value) ? 1 : 2, value)),
    ],
    type: [22, message((writer, value) => text(writer, 1, value))],
    items: [23, message((writer, value) => schema(writer, 1, value))],
    properties: [25, message(named(1, schema))],
    example: [30, any],
  },
  31,
);

const QUERY_PARAMETER = object({ in: [2, text], name: [4, text], type: [6, text], uniqueItems: [20, whole] }, 23);
// A parameter is one of several messages, each inside another: of an item a parameter, of that one without a body, of that one of the query.
const PARAMETER: Write = (writer, value) =>
  writer.message(1, (parameter) => parameter.message(2, (bare) => message(QUERY_PARAMETER)(bare, 3, value)));

const RESPONSE = object(
  { description: [1, text], schema: [2, message((writer, value) => schema(writer, 1, value))] },
  5,
);

const OPERATION = object(
  {
    operationId: [5, text],
    parameters: [8, each(message(PARAMETER))],
    responses: [
      9,
      message(
        named(
          1,
          message((writer, value) => message(RESPONSE)(writer, 1, value)),
        ),
      ),
    ],
  },
  13,
);

const operation = message(OPERATION);

const PATH_ITEM = object(
  { get: [2, operation], put: [3, operation], post: [4, operation], delete: [5, operation], patch: [8, operation] },
  10,
);

const DOCUMENT = object(
  {
    swagger: [1, text],
    info: [2, message(object({ title: [1, text], version: [2, text] }, 7))],
    paths: [8, message(named(2, message(PATH_ITEM)))],
    definitions: [9, message(named(1, schema))],
  },
  16,
);
