import { type JSONValue, printServerJson } from "@kubescaffold/k8s";
import { isJsonObject, type JsonObject } from "@kubescaffold/schema/values";

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
const whole: WriteField = (writer, field, value) => writer.integer(field, value as number | bigint | boolean);
const real: WriteField = (writer, field, value) => writer.double(field, Number(value));
// Whatever is no part of the format is kept as text, as YAML.
const any: WriteField = (writer, field, value) =>
  writer.message(field, (inner) => inner.string(2, printServerJson(value)));

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
  const known = new Map(Object.entries(fields));
  return (writer, value) => {
    const entries = Object.entries(value as JsonObject);
    for (const [name, item] of entries) {
      const [field, write] = known.get(name) ?? [];
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
const PATH_PARAMETER = object(
  { required: [1, whole], in: [2, text], name: [4, text], type: [5, text], uniqueItems: [19, whole] },
  22,
);
const BODY_PARAMETER = object({ name: [2, text], in: [3, text], required: [4, whole], schema: [5, schema] }, 6);

// A parameter is one of several messages, each inside another: of an item a parameter, of that one a body or a parameter without one, of that one a place.
const PARAMETER: Write = (writer, value) =>
  writer.message(1, (parameter) => {
    const place = (value as JsonObject)["in"];
    if (place === "body") message(BODY_PARAMETER)(parameter, 1, value);
    else
      parameter.message(2, (bare) =>
        place === "path" ? message(PATH_PARAMETER)(bare, 4, value) : message(QUERY_PARAMETER)(bare, 3, value),
      );
  });

const RESPONSE = object(
  { description: [1, text], schema: [2, message((writer, value) => schema(writer, 1, value))] },
  5,
);

const OPERATION = object(
  {
    tags: [1, each(text)],
    operationId: [5, text],
    produces: [6, each(text)],
    consumes: [7, each(text)],
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
  {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, each(message(PARAMETER))],
  },
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

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;

/** Writes the fields of one message in the wire format of protocol buffers. */
export class ProtobufWriter {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  string(field: number, value: string): void {
    this.#lengthDelimited(field, Buffer.from(value, "utf8"));
  }

  /** Whole numbers and booleans; negative numbers take ten bytes. */
  integer(field: number, value: number | bigint | boolean): void {
    this.#tag(field, VARINT);
    this.#append(varint(BigInt.asUintN(64, BigInt(value))));
  }

  double(field: number, value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#tag(field, FIXED64);
    this.#append(bytes);
  }

  /** A message inside this one, which is there even when it has no fields. */
  message(field: number, write: (writer: ProtobufWriter) => void): void {
    const inner = new ProtobufWriter();
    write(inner);
    this.#lengthDelimited(field, inner.bytes());
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks, this.#length);
  }

  #lengthDelimited(field: number, bytes: Uint8Array): void {
    this.#tag(field, LENGTH);
    this.#append(varint(BigInt(bytes.length)));
    this.#append(bytes);
  }

  #tag(field: number, wireType: number): void {
    this.#append(varint(BigInt(field * 8 + wireType)));
  }

  #append(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}
