import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

import { MalformedMessageError } from "./malformed-message.ts";
import type { Message } from "./messages.ts";
import { guarded, readMessage } from "./read-message.ts";
import { writeMessage } from "./write-message.ts";

const MAGIC: Uint8Array = Buffer.from("k8s\0", "latin1");

/** A message in its envelope, which states the kind. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** Opens the envelope of a body. Fails: {@link MalformedMessageError} when the bytes are none. */
export function openEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new MalformedMessageError("empty data");
  if (Buffer.compare(bytes.subarray(0, MAGIC.length), MAGIC) !== 0) {
    throw new MalformedMessageError(
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
  }
  if (bytes.length === MAGIC.length) throw new MalformedMessageError("empty body");
  return guarded(() => readEnvelope(bytes.subarray(MAGIC.length)));
}

function readEnvelope(bytes: Uint8Array): Envelope {
  const reader = new BinaryReader(bytes);
  let typeMeta: { apiVersion?: unknown; kind?: unknown } = {};
  let raw: Uint8Array = new Uint8Array();
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const name = FIELDS[number - 1];
    if (name !== undefined && wireType !== WireType.LengthDelimited) {
      throw new MalformedMessageError(`proto: wrong wireType = ${String(wireType)} for field ${name}`);
    }
    if (number > 2) {
      reader.skip(wireType, number);
    } else if (number === 1) {
      typeMeta = readMessage(reader.bytes(), TYPE_META);
    } else {
      raw = reader.bytes();
    }
  }
  const { apiVersion = "", kind = "" } = typeMeta;
  return { apiVersion: String(apiVersion), kind: String(kind), raw };
}

const FIELDS = ["TypeMeta", "Raw", "ContentEncoding", "ContentType"];

const TYPE_META = twoStrings("runtime.TypeMeta", ["apiVersion", "kind"]);

function twoStrings(name: string, names: readonly [string, string]): Message {
  const fields = names.map((field, index) => ({
    number: index + 1,
    name: field,
    isPointer: false,
    isInline: false,
    isAlwaysInJson: false,
    omitsZero: false,
    shape: "one" as const,
    type: { kind: "scalar" as const, scalar: "string" as const },
  }));
  return { name, fields, byNumber: new Map(fields.map((field) => [field.number, field])) };
}

/** Returns a message in an envelope that states its kind. */
export function closeEnvelope({ apiVersion, kind, raw }: Envelope): Uint8Array {
  const writer = new BinaryWriter();
  writer.raw(MAGIC).tag(1, WireType.LengthDelimited).bytes(writeMessage(TYPE_META, { apiVersion, kind }));
  writer.tag(2, WireType.LengthDelimited).bytes(raw);
  // The encoding and the type of the content, which Go writes though they are empty.
  writer.tag(3, WireType.LengthDelimited).string("").tag(4, WireType.LengthDelimited).string("");
  return writer.finish();
}
