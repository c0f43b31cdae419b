import { goQuote, gvkOf, type GroupVersionKind, ScaffoldError } from "@kubescaffold/k8s";

import type { ExpectedKind } from "./decoded-body.ts";
import { badRequest } from "./failures.ts";

/** Returns the kind that a body states, with the expected one where it states nothing. */
export function withDefaults(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  expected: GroupVersionKind,
): GroupVersionKind {
  const version = apiVersion === "" ? expected : gvkOf({ apiVersion, kind });
  return { group: version.group, version: version.version, kind: kind === "" ? expected.kind : kind };
}

/** Reads something of a body. Fails: with 400 and a message that is made of the reason. */
export function refusing<Value>(read: () => Value, message: (reason: string) => string): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof ScaffoldError ? badRequest(message(error.message)) : error;
  }
}

/** Returns the message about a body of bytes that is not read as an object. */
export function unrecognizedMessage(bytes: Uint8Array, { kind, isOptions }: ExpectedKind, reason: string): string {
  if (isOptions === true) return reason;
  return `the object provided is unrecognized (must be of type ${kind}): ${reason} (${summarize(bytes)})`;
}

/** Returns the message about an object that is not read as one of the expected kind. */
export function unhandledMessage(gvk: GroupVersionKind, expected: ExpectedKind, reason: string): string {
  if (expected.isOptions === true) return reason;
  return `${gvk.kind} in version ${goQuote(gvk.version)} cannot be handled as a ${expected.kind}: ${reason}`;
}

const SHOWN_BYTES = 30;

function summarize(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const shown = Buffer.from(bytes.subarray(0, SHOWN_BYTES));
  const text = shown[0] === 0x7b ? shown.toString("utf8") : shown.toString("hex");
  return bytes.length > SHOWN_BYTES ? `${text} ...` : text;
}
