import { isDeepStrictEqual } from "node:util";

import { parseApiVersion, parseServerJson, printServerJson, ScaffoldError } from "@kubescaffold/k8s";

import { openEnvelope } from "../../src/protobuf/envelope.ts";
import { messageOf } from "../../src/protobuf/messages.ts";
import { readMessage } from "../../src/protobuf/read-message.ts";

/** What Go makes of a message. */
export interface GoAnswer {
  readonly json?: unknown;
  readonly error?: string;
}

/** Returns each message with a byte that was changed, removed, or added, and cut short. */
export function mutantsOf(messages: readonly Buffer[], seed: number): readonly Buffer[] {
  const random = randomFrom(seed);
  return messages.flatMap((bytes) => {
    const at = (): number => Math.floor(random() * bytes.length);
    const changed = Buffer.from(bytes);
    changed[at()] = Math.floor(random() * 256);
    const [removed, added] = [at(), at()];
    return [
      changed,
      bytes.subarray(0, at()),
      Buffer.concat([bytes.subarray(0, removed), bytes.subarray(removed + 1)]),
      Buffer.concat([bytes.subarray(0, added), Buffer.from([Math.floor(random() * 256)]), bytes.subarray(added)]),
    ];
  });
}

// The same mutants for the same seed.
function randomFrom(seed: number): () => number {
  let state = seed % 4_294_967_296;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

// Handlers refuse kinds that are not those of the path, and invalid quantities, when the message has been read.
const DECIDED_LATER = /^no kind |^Object '|^quantities must match|^unable to parse quantity's suffix$/u;

// No writer produces these messages. The library refuses tags of more than 32 bits, which Go truncates, and skips no group that ends with the number of
// another field or contains a field 0; it ignores the bits of integers beyond 64, where Go refuses the message.
const STRICTER = /in an entry of a map$|illegal tag: |invalid end group tag$/u;
const LAXER = /^proto: integer overflow$/u;

/** Compares what both make of a message: values where Go reads it, and a refusal where Go refuses it. */
export function differenceOfMutant(bytes: Buffer, go: GoAnswer): readonly string[] {
  const ours = answerTo(bytes);
  if (
    ours === "unknown" ||
    STRICTER.test(ours.error ?? "") ||
    DECIDED_LATER.test(go.error ?? "") ||
    LAXER.test(go.error ?? "") ||
    (ours.error !== undefined && go.error !== undefined)
  )
    return [];
  if (ours.error === undefined && isDeepStrictEqual(normalized(ours.json), normalized(go.json))) return [];
  const texts = [ours, go].map((answer) => answer.error ?? printServerJson(answer.json));
  return [texts.join("\n   not ")];
}

// Both replace invalid UTF-8, with different numbers of characters.
function normalized(value: unknown): unknown {
  return parseServerJson(printServerJson(value ?? null).replaceAll(/(?:\ufffd|\\ufffd)+/gu, "?"));
}

function answerTo(bytes: Buffer): GoAnswer | "unknown" {
  try {
    const { apiVersion, kind, raw } = openEnvelope(bytes);
    const message = messageOf({ ...parseApiVersion(apiVersion), kind });
    return message === undefined ? "unknown" : { json: { kind, apiVersion, ...readMessage(raw, message) } };
  } catch (error) {
    if (error instanceof ScaffoldError) return { error: error.message };
    throw error;
  }
}
