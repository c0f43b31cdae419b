import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { gvkOf } from "@kubescaffold/k8s";
import { eachInTurns } from "@kubescaffold/platform/clock";

import { closeEnvelope } from "./envelope.ts";
import { type Field, type Message, messageOf } from "./messages.ts";
import { writeMessage } from "./write-message.ts";

const encoded = new WeakMap<object, Uint8Array>();

/** Returns the message, in its envelope, of an object that will not change any more; written once for each. */
export function encodeProtobuf(object: object): Uint8Array {
  let bytes = encoded.get(object);
  if (bytes === undefined) {
    const { message, ...typeMeta } = typeOf(object);
    bytes = closeEnvelope({ ...typeMeta, raw: writeMessage(message, object) });
    encoded.set(object, bytes);
  }
  return bytes;
}

/** Returns the message of an object, the items of a list or the rows of a table written one by one. Guarantees: does not block the event loop. */
export async function encodeLongProtobuf(object: object): Promise<Uint8Array> {
  const { message, ...typeMeta } = typeOf(object);
  const { fields } = message;
  const at = fields.findIndex(({ name, shape }) => shape === "list" && (name === "items" || name === "rows"));
  const field = fields[at];
  const items: unknown = (object as Readonly<Record<string, unknown>>)[field?.name ?? ""];
  if (field === undefined || !Array.isArray(items)) return encodeProtobuf(object);
  const write = (written: readonly Field[], values: object): Uint8Array =>
    writeMessage({ ...message, fields: written }, values);
  const parts = await eachInTurns(items, (item) => write([field], { [field.name]: [item] }));
  const raw = Buffer.concat([write(fields.slice(0, at), object), ...parts, write(fields.slice(at + 1), object)]);
  return closeEnvelope({ ...typeMeta, raw });
}

function typeOf(object: object): { readonly apiVersion: string; readonly kind: string; readonly message: Message } {
  const { apiVersion = "", kind = "" } = object as { readonly apiVersion?: string; readonly kind?: string };
  const message = messageOf(gvkOf({ apiVersion, kind }));
  if (message === undefined) throw new Error(`${apiVersion} ${kind} has no form in protocol buffers`);
  return { apiVersion, kind, message };
}

/** The bytes of the length before an event. */
export const LENGTH_BYTES = 4;

/** Returns the frame of an event of a watch: its length, and the event without an envelope. */
export function encodeProtobufEvent(type: string, object: object): Uint8Array {
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).string(type);
  writer.tag(2, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).bytes(encodeProtobuf(object)).join();
  const event = writer.finish();
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + event.length);
  frame.writeUInt32BE(event.length);
  frame.set(event, LENGTH_BYTES);
  return frame;
}
