import { type OutputFormat, PROTOBUF } from "../request/request-context.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { encodeShared } from "./encode-object.ts";

/** Encodes the events of one watch. */
export interface EventEncoder {
  readonly contentType: string;
  /** Returns the bytes or the text of an event; its object will not change any more. */
  encode(type: string, object: object): string | Uint8Array;
}

/** Returns the encoder of a watch; with `isFramed`, the length precedes an event in protobuf. */
export async function eventEncoder(
  { mediaType }: OutputFormat,
  { isFramed }: { readonly isFramed: boolean },
): Promise<EventEncoder> {
  if (mediaType !== PROTOBUF) return JSON_EVENTS;
  const { encodeProtobufEvent, LENGTH_BYTES } = await import("../protobuf/encode-protobuf.ts");
  return {
    contentType: `${PROTOBUF};stream=watch`,
    encode: (type, object) => {
      const frame = encodeProtobufEvent(type, object);
      return isFramed ? frame : frame.subarray(LENGTH_BYTES);
    },
  };
}

const JSON_EVENTS: EventEncoder = {
  contentType: "application/json",
  encode: (type, object) => `{"type":"${type}","object":${encodeShared(object as ApiObject)}}\n`,
};
