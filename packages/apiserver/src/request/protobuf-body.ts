import { apiVersionOf, checkJsonDepth, goQuote, gvkOf, type GroupVersionKind, ScaffoldError } from "@kubescaffold/k8s";

import { type Envelope, openEnvelope } from "../protobuf/envelope.ts";
import { messageOf } from "../protobuf/messages.ts";
import { readMessage } from "../protobuf/read-message.ts";
import type { MutableJsonObject } from "../storage/api-object.ts";
import { badRequest } from "./failures.ts";

/**
 * Reads a body in protocol buffers as the JSON of the same object; one that states no kind has the expected one.
 *
 * Fails: with 400 when it is no valid message.
 */
export function readProtobufBody(bytes: Uint8Array, expected: GroupVersionKind): MutableJsonObject {
  const envelope = opened(bytes, expected);
  const gvk = statedKind(envelope, expected);
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
    (reason) => `${gvk.kind} in version ${goQuote(gvk.version)} cannot be handled as a ${expected.kind}: ${reason}`,
  );
  return { ...typeMeta, ...value };
}

function opened(bytes: Uint8Array, { kind }: GroupVersionKind): Envelope {
  return refusing(
    () => openEnvelope(bytes),
    (reason) => `the object provided is unrecognized (must be of type ${kind}): ${reason} (${summarize(bytes)})`,
  );
}

function statedKind({ apiVersion, kind }: Envelope, expected: GroupVersionKind): GroupVersionKind {
  const version = apiVersion === "" ? expected : gvkOf({ apiVersion, kind });
  return { group: version.group, version: version.version, kind: kind === "" ? expected.kind : kind };
}

function refusing<Value>(read: () => Value, message: (reason: string) => string): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof ScaffoldError ? badRequest(message(error.message)) : error;
  }
}

const SHOWN_BYTES = 30;

function summarize(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const shown = Buffer.from(bytes.subarray(0, SHOWN_BYTES));
  const text = shown[0] === 0x7b ? shown.toString("utf8") : shown.toString("hex");
  return bytes.length > SHOWN_BYTES ? `${text} ...` : text;
}
