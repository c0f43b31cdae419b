import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { gvkOf } from "@kubescaffold/k8s";

import { closeEnvelope } from "./envelope.ts";
import { messageOf } from "./messages.ts";
import { writeMessage } from "./write-message.ts";

const encoded = new WeakMap<object, Uint8Array>();

/** Returns the message, in its envelope, of an object that will not change any more; written once for each. */
export function encodeProtobuf(object: object): Uint8Array {
  let bytes = encoded.get(object);
  if (bytes === undefined) {
    const { apiVersion = "", kind = "" } = object as { readonly apiVersion?: string; readonly kind?: string };
    const message = messageOf(gvkOf({ apiVersion, kind }));
    if (message === undefined) throw new Error(`${apiVersion} ${kind} has no form in protocol buffers`);
    bytes = closeEnvelope({ apiVersion, kind, raw: writeMessage(message, object) });
    encoded.set(object, bytes);
  }
  return bytes;
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
