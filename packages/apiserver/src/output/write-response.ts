import { parseServerJson, printServerJson } from "@kubescaffold/k8s";
import type { Status } from "@kubescaffold/k8s/meta/v1";

import type { JoinedText } from "../request/joined-text.ts";
import { isText, type OutputFormat, PROTOBUF, type RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import type { EncodedObject } from "./encode-object.ts";

/** A JSON text that goes out in the form that a client asked for. */
interface JsonAnswer {
  readonly code: number;
  /** The text with a newline. */
  readonly line: string;
  readonly output: OutputFormat;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** Creates the answer of a JSON text. */
async function jsonAnswer({ code, line, output, headers }: JsonAnswer): Promise<ServerResponse> {
  if (output.mediaType === "application/yaml") {
    // YAML is rare and its printer large.
    const { printYaml } = await import("@kubescaffold/k8s/yaml");
    const body = printYaml(parseServerJson(line));
    return { code, contentType: "application/yaml", body, json: () => line, ...(headers && { headers }) };
  }
  if (output.isPretty) {
    const body = `${printServerJson(parseServerJson(line), 2)}\n`;
    return { code, contentType: "application/json", body, json: () => line, ...(headers && { headers }) };
  }
  return { code, contentType: "application/json", body: line, ...(headers && { headers }) };
}

/** Creates the answer of a long JSON text, which ends with a newline. */
export async function longTextAnswer(text: JoinedText, output: OutputFormat): Promise<ServerResponse> {
  const isYaml = output.mediaType === "application/yaml";
  const contentType = isYaml ? "application/yaml" : "application/json";
  if (!isYaml && !output.isPretty) return { code: 200, contentType, body: text, isStatus: false };
  const { longPrettyJson, longYaml } = await import("./print-long-list.ts");
  const list = parseServerJson(String(text)) as Readonly<Record<string, unknown>>;
  const body = isYaml ? await longYaml(list) : `${await longPrettyJson(list)}\n`;
  return { code: 200, contentType, body, json: () => String(text) };
}

/** An object that goes out in the form that a client asked for. */
interface ObjectAnswer extends Omit<JsonAnswer, "line"> {
  /** The object, which will not change any more. */
  readonly object: object;
  /** Returns the JSON of the object. Default: `printServerJson`. */
  readonly encode?: () => EncodedObject;
}

/** Creates the answer of an object. */
export async function objectAnswer({ object, encode, ...answer }: ObjectAnswer): Promise<ServerResponse> {
  const { mediaType } = answer.output;
  if (isText(mediaType)) {
    const line = encode === undefined ? `${printServerJson(object)}\n` : encode().line;
    return await jsonAnswer({ line, ...answer });
  }
  const { code, headers } = answer;
  const json = (): string => encode?.().line ?? printServerJson(object);
  const isStatus = (object as { readonly kind?: string }).kind === "Status";
  const body = await encodeBinary(mediaType, object);
  return { code, contentType: mediaType, body, json, isStatus, ...(headers && { headers }) };
}

// The table of messages is large, and most clients read JSON.
async function encodeBinary(mediaType: string, object: object): Promise<Uint8Array> {
  if (mediaType === PROTOBUF) return await (await import("../protobuf/encode-protobuf.ts")).encodeLongProtobuf(object);
  return await (await import("../cbor/encode-cbor.ts")).encodeLongCbor(object);
}

/** Creates the answer of an object that has no YAML form, such as those of discovery. */
export async function documentAnswer(
  context: RequestContext,
  object: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<ServerResponse> {
  const { mediaType, isPretty } = context.output();
  const output = { mediaType: isText(mediaType) ? "application/json" : mediaType, isPretty } as const;
  return await objectAnswer({ code: 200, object, output, headers });
}

/** Returns the headers that a failure has beside its body. */
export function statusHeaders(status: Status): Record<string, string> {
  const retryAfter = status.details?.retryAfterSeconds;
  return {
    ...(retryAfter === undefined || retryAfter === 0 ? {} : { "Retry-After": String(retryAfter) }),
    ...(status.code === 403 ? { "X-Content-Type-Options": "nosniff" } : {}),
  };
}

const LONGEST_WARNINGS = 4096;
const LONGEST_TRUNCATED_WARNING = 256;
const CONTROL = /\p{Cc}/u;

/** Returns the values of the `Warning` headers, one for each distinct text; long ones are cut, and those beyond the limit left out. */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  const texts = [...new Set(warnings)].filter((text) => text !== "" && !CONTROL.test(text));
  const isTooLong = texts.reduce((sum, text) => sum + characterCount(text), 0) > LONGEST_WARNINGS;
  return (isTooLong ? truncated(texts) : texts).map(
    (text) => `299 - "${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`,
  );
}

function truncated(texts: readonly string[]): readonly string[] {
  let total = 0;
  const shown: string[] = [];
  for (const text of texts) {
    if (total >= LONGEST_WARNINGS) break;
    const cut = Array.from(text).slice(0, LONGEST_TRUNCATED_WARNING).join("");
    total += characterCount(cut);
    shown.push(cut);
  }
  return shown;
}

function characterCount(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** The response when a handler throws an unexpected error; the error is reported elsewhere, so that responses reveal nothing about the machine. */
export const PANIC: ServerResponse = plainAnswer(
  500,
  "This request caused apiserver to panic. Look in the logs for details.\n",
);

/** The answer to a request beyond the requests that are handled at once. */
export const TOO_MANY_REQUESTS: ServerResponse = plainAnswer(429, "Too many requests, please try again later.\n", {
  "Retry-After": "1",
});

/** The answer to a request that takes too long: a status without its kind and type, as upstream writes it. */
export const TIMED_OUT: ServerResponse = {
  code: 504,
  contentType: "text/plain; charset=utf-8",
  body: '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
};

/** Creates the answer of a text that no content sniffing turns into something else, such as a failure that is not a status. */
export function plainAnswer(
  code: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ServerResponse {
  return {
    code,
    contentType: "text/plain; charset=utf-8",
    headers: { ...headers, "X-Content-Type-Options": "nosniff" },
    body,
  };
}

/** The answer for paths that nobody serves; not a status. */
export const PAGE_NOT_FOUND: ServerResponse = plainAnswer(404, "404 page not found\n");

/** The answer for targets that are no paths. */
export const MALFORMED: ServerResponse = plainAnswer(400, "400 Bad Request");
