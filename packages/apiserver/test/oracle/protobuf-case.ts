import { isDeepStrictEqual } from "node:util";

import { parseApiVersion } from "@kubescaffold/k8s";

import { closeEnvelope, openEnvelope } from "../../src/protobuf/envelope.ts";
import { messageOf } from "../../src/protobuf/messages.ts";
import { readMessage } from "../../src/protobuf/read-message.ts";
import { writeMessage } from "../../src/protobuf/write-message.ts";

/** An object in each form, as Go writes them. */
export interface ProtobufCase {
  readonly apiVersion: string;
  readonly kind: string;
  /** In base64. */
  readonly protobuf: string;
  /** In base64, with the keys of maps in order. */
  readonly cbor: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Returns where our reading of the bytes, or our writing of the JSON, differs from Go's. */
export function differencesOf({ apiVersion, kind, protobuf, json }: ProtobufCase): readonly string[] {
  const name = `${apiVersion} ${kind}`;
  const bytes = Buffer.from(protobuf, "base64");
  const envelope = openEnvelope(bytes);
  const message = messageOf({ ...parseApiVersion(envelope.apiVersion), kind: envelope.kind });
  if (message === undefined) return [`${name}: has no message`];
  const read = { kind, apiVersion, ...readMessage(envelope.raw, message) };
  const place = firstDifference(read, json, "");
  const written = closeEnvelope({ apiVersion, kind, raw: writeMessage(message, json) });
  return [
    ...(place === undefined ? [] : [`${name}: reads ${place}`]),
    ...(Buffer.compare(written, bytes) === 0
      ? []
      : [`${name}: writes ${String(written.length)} bytes, not ${String(bytes.length)}`]),
  ];
}

/** Returns where a value differs from another, and how; undefined if they are equal. */
export function firstDifference(ours: unknown, theirs: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(ours, theirs)) return undefined;
  if (typeof ours !== "object" || typeof theirs !== "object" || ours === null || theirs === null) {
    return `${path} = ${JSON.stringify(ours)}, not ${JSON.stringify(theirs)}`;
  }
  const [left, right] = [ours as Record<string, unknown>, theirs as Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const place = firstDifference(left[key], right[key], `${path}.${key}`);
    if (place !== undefined) return place;
  }
  return path;
}
