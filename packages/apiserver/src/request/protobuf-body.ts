import { apiVersionOf, checkJsonDepth } from "@kubescaffold/k8s";

import { type Envelope, openEnvelope } from "../protobuf/envelope.ts";
import { messageOf } from "../protobuf/messages.ts";
import { readMessage } from "../protobuf/read-message.ts";
import type { MutableJsonObject } from "../storage/api-object.ts";
import { refusing, unhandledMessage, unrecognizedMessage, withDefaults } from "./binary-body.ts";
import type { ExpectedKind } from "./decoded-body.ts";

/**
 * Reads a body in protocol buffers as the JSON of the same object; one that states no kind has the expected one.
 *
 * Fails: with 400 when it is no valid message.
 */
export function readProtobufBody(bytes: Uint8Array, expected: ExpectedKind): MutableJsonObject {
  const envelope = opened(bytes, expected);
  const gvk = withDefaults(envelope, expected);
  const typeMeta = { kind: gvk.kind, apiVersion: apiVersionOf(gvk) };
  const message = messageOf(gvk);
  // A kind that is not known is not the expected one, which the caller refuses.
  if (message === undefined) return typeMeta;
  const value = refusing(
    () => {
      const read = readMessage(envelope.raw, message);
      checkJsonDepth(read);
      return read;
    },
    (reason) => unhandledMessage(gvk, expected, reason),
  );
  return { ...typeMeta, ...value };
}

function opened(bytes: Uint8Array, expected: ExpectedKind): Envelope {
  return refusing(
    () => openEnvelope(bytes),
    (reason) => unrecognizedMessage(bytes, expected, reason),
  );
}
