import { CBOR, CBOR_SEQUENCE, isText, type OutputFormat, PROTOBUF } from "../request/request-context.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { encodeWritten } from "./encode-object.ts";

/** Encodes the events of one watch. */
export interface EventEncoder {
  readonly contentType: string;
  /** Returns the bytes or the text of an event; its object will not change any more. */
  encode(type: string, object: object): string | Uint8Array;
}

/** Returns the encoder of a watch; with `isFramed`, events are the bytes of a stream, in which the length precedes an event in protobuf. */
export async function eventEncoder(
  { mediaType }: OutputFormat,
  { isFramed }: { readonly isFramed: boolean },
): Promise<EventEncoder> {
  if (isText(mediaType)) return { contentType: "application/json", encode: isFramed ? jsonBytes : jsonText };
  if (mediaType === CBOR) {
    const { encodeCborEvent } = await import("../cbor/encode-cbor.ts");
    return { contentType: CBOR_SEQUENCE, encode: encodeCborEvent };
  }
  const { encodeProtobufEvent, LENGTH_BYTES } = await import("../protobuf/encode-protobuf.ts");
  return {
    contentType: `${PROTOBUF};stream=watch`,
    encode: (type, object) => {
      const frame = encodeProtobufEvent(type, object);
      return isFramed ? frame : frame.subarray(LENGTH_BYTES);
    },
  };
}

function jsonText(type: string, object: object): string {
  return `{"type":"${type}","object":${encodeWritten(object as ApiObject).textFrom(0)}}\n`;
}

// Watches receive an event one after the other, and share its bytes.
let last: { readonly type: string; readonly object: object; readonly bytes: Uint8Array } | undefined;

function jsonBytes(type: string, object: object): Uint8Array {
  if (last?.object !== object || last.type !== type) {
    last = { type, object, bytes: Buffer.from(jsonText(type, object), "utf8") };
  }
  return last.bytes;
}
