import { DEEPEST_JSON, goUnmarshalError, JsonDepthError, messageOf, parseJson } from "@kubescaffold/k8s";
import type { ReadYamlOptions, YamlError } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import type { DecodedBody, ExpectedKind } from "./decoded-body.ts";
import { unsupportedMediaType } from "./failures.ts";
import { CBOR, mediaTypeNames, PROTOBUF, type RequestContext } from "./request-context.ts";
import { unrecognized } from "./unrecognized-body.ts";

/** The request of a body, and the formats that it may have. */
export type BodyContext = Pick<RequestContext, "request" | "hasCbor" | "cborLimits">;

/**
 * Reads the body of a request as one object.
 *
 * Fails: with 400 when it is not one, with 415 when its type is not read.
 */
export async function decodeBody(context: BodyContext, expected: ExpectedKind): Promise<DecodedBody> {
  const { request } = context;
  const format = bodyFormat(context, expected);
  if (format === "protobuf") {
    // The table of messages is large, and most clients send JSON.
    const { readProtobufBody } = await import("./protobuf-body.ts");
    return { value: readProtobufBody(await request.bytes(), expected), duplicateFields: [], text: "" };
  }
  if (format === "cbor") {
    const { readCborBody } = await import("./cbor-body.ts");
    return readCborBody(await request.bytes(), expected, context.cborLimits);
  }
  const text = await request.body();
  // As in Go, null decodes to an object without fields.
  const value = (await parseText({ text, format, expected })) ?? {};
  if (!isRecord(value)) {
    throw unrecognized({ text, expected, problem: describeShape(value) });
  }
  return { value, duplicateFields: format === "json" ? duplicateKeys(text, value) : [], text };
}

async function parseText(input: {
  readonly text: string;
  readonly format: BodyFormat;
  readonly expected: ExpectedKind;
}): Promise<unknown> {
  const { text, format, expected } = input;
  try {
    return format === "json" ? parseJson(text) : await parseYaml(text);
  } catch (error) {
    const problem =
      format === "json"
        ? `couldn't get version/kind; json parse error: ${jsonProblem(text, error)}`
        : (error as Error).message;
    throw unrecognized({ text, expected, problem });
  }
}

const UNLIKE_YAML = /[\u007f-\u009f\ufeff\ufffe\uffff]/u;
const SURROGATE = /\\u[dD][89a-fA-F]/u;

// Reports whether JSON and YAML may read a text of JSON differently, because of merge keys, numbers with exponents, characters that YAML refuses, or surrogates
// as escapes. Searches for a plain text are much faster than expressions.
function isUnlikeYaml(text: string): boolean {
  if (text.includes('"<<"') || hasExponent(text) || text.includes("\u007f")) return true;
  const isAscii = Buffer.byteLength(text) === text.length;
  return (!isAscii && UNLIKE_YAML.test(text)) || (text.includes(String.raw`\u`) && SURROGATE.test(text));
}

// Looks between the strings of a text of JSON, which are the most of it. There, an `e` is part of `true`, `false`, or a number.
function hasExponent(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if ((code === SMALL_E || code === LARGE_E) && !isLetter(text.charCodeAt(at - 1))) return true;
  }
  return false;
}

const QUOTE = 34;
const LARGE_E = 69;
const SMALL_E = 101;

function isLetter(code: number): boolean {
  return code >= 97;
}

/** Parses a text of YAML that is also JSON, which is much faster; returns undefined where YAML could read another value, and for duplicate keys. */
export function parseYamlAsJson(text: string): unknown {
  if (!text.startsWith("{")) return undefined;
  try {
    const value = parseJson(text);
    if (isUnlikeYaml(text)) return undefined;
    return duplicateKeys(text, value).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the first document of a text of YAML, as Go's decoder does; integers are exact. Fails with an error in the words of that decoder. */
export async function parseYaml(text: string, options: Pick<ReadYamlOptions, "duplicateKeys"> = {}): Promise<unknown> {
  // YAML is rare and its reader large.
  const { readYamlDocuments, YamlError } = await import("@kubescaffold/k8s/yaml");
  try {
    return readYamlDocuments(text, { ...options, integers: "exact" })[0];
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    // Clients send JSON as YAML, whose reader has a lower limit of levels.
    const value = error.isLimit ? parseYamlAsJson(text) : undefined;
    if (value === undefined) throw new Error(goReason(error, text), { cause: error });
    return value;
  }
}

function goReason({ isLimit, line, reason }: YamlError, text: string): string {
  const value = /^(NaN|-?Infinity) has no JSON form$/.exec(reason)?.[1];
  if (value !== undefined) return `json: unsupported value: ${GO_NUMBERS[value] ?? value}`;
  if (!isLimit) return `yaml: line ${String(line)}: ${reason}`;
  return `yaml: ${isDeepJson(text) ? `exceeded max depth of ${String(DEEPEST_JSON)}` : reason}`;
}

const GO_NUMBERS: Readonly<Record<string, string>> = { Infinity: "+Inf", "-Infinity": "-Inf" };

function isDeepJson(text: string): boolean {
  try {
    parseJson(text);
  } catch (error) {
    return error instanceof JsonDepthError;
  }
  return false;
}

function describeShape(value: unknown): string {
  return `couldn't get version/kind; json parse error: ${goUnmarshalError(value, TYPE_META)}`;
}

/** Go's type of what is read first of an object. */
export const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const CONTEXTS: readonly (readonly [RegExp, string])[] = [
  [/property name/, "looking for beginning of object key string"],
  [/':'/, "after object key"],
  [/',' or '\}'/, "after object key:value pair"],
  [/',' or '\]'/, "after array element"],
  [/after JSON/, "after top-level value"],
];

/** Describes why a text is not valid JSON, in the words of Go's decoder; the error is that of `parseJson`. */
export function jsonProblem(text: string, error: unknown): string {
  if (error instanceof JsonDepthError) return error.message;
  const message = messageOf(error);
  const position = /position (\d+)/.exec(message)?.[1];
  // Some messages name the character in place of its position.
  const named = /^Unexpected token '(.)'/su.exec(message)?.[1];
  const rest = position === undefined ? named : text.slice(Number(position)).trimStart();
  const code = rest?.codePointAt(0);
  if (code === undefined || /Unterminated string/.test(message)) {
    return "unexpected end of JSON input";
  }
  const context = CONTEXTS.find(([pattern]) => pattern.test(message))?.[1] ?? "looking for beginning of value";
  const character = String.fromCodePoint(code);
  return `invalid character '${character === "'" ? "\\'" : character}' ${context}`;
}

/** How a body is written. */
type BodyFormat = "json" | "yaml" | "protobuf" | "cbor";

/** Returns the media type of a `Content-Type` header, without parameters and in lower case. */
function mediaTypeOf(header: string | undefined): string {
  return (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/**
 * Returns the format of a request's body, which is JSON without a `Content-Type`.
 *
 * Fails: with 415 for any other type.
 */
function bodyFormat(context: BodyContext, { isCustom }: ExpectedKind): BodyFormat {
  const contentType = context.request.header("content-type");
  const mediaType = contentType === undefined || contentType === "" ? "application/json" : mediaTypeOf(contentType);
  switch (mediaType) {
    case "application/json":
      return "json";
    case "application/yaml":
      return "yaml";
    case PROTOBUF:
      if (isCustom === true) throw unsupportedMediaType(mediaTypeNames(context).filter((name) => name !== PROTOBUF));
      return "protobuf";
    case CBOR:
      if (context.hasCbor) return "cbor";
      throw unsupportedMediaType(mediaTypeNames(context));
    default:
      throw unsupportedMediaType(mediaTypeNames(context));
  }
}

/**
 * Finds the fields that a JSON text states twice, as paths such as `spec.ports[0].name`.
 *
 * The text must have been parsed to the value: most have no duplicates, which counting shows without parsing again.
 */
export function duplicateKeys(text: string, value: unknown): readonly string[] {
  return countKeysOfText(text) === countKeysOfValue(value) ? [] : new Scanner(text).scan().duplicates;
}

/** Returns the paths of all fields of a JSON text in the order of the text; those stated twice are there twice. */
export function keyOrder(text: string): readonly string[] {
  return new Scanner(text).scan().paths;
}

function countKeysOfText(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    let next = endOfString(text, start) + 1;
    while (isSpace(text.charCodeAt(next))) {
      next += 1;
    }
    if (text[next] === ":") {
      count += 1;
    }
    start = text.indexOf('"', next);
  }
  return count;
}

function countKeysOfValue(value: unknown): number {
  let count = 0;
  const open = isObject(value) ? [value] : [];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    if (Array.isArray(top)) {
      for (const item of top as readonly unknown[]) if (isObject(item)) open.push(item);
      continue;
    }
    for (const name in top) {
      const part = (top as Readonly<Record<string, unknown>>)[name];
      count += 1;
      if (isObject(part)) open.push(part);
    }
  }
  return count;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns the index of the quote that ends the string which starts at an index. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text[before] === "\\") before -= 1;
  return (index - before) % 2 === 0;
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** An object or list whose end has not been read. */
interface OpenValue {
  readonly path: string;
  /** The keys so far; undefined for a list. */
  readonly keys: Set<string> | undefined;
  /** The number of items so far. */
  count: number;
}

class Scanner {
  readonly #text: string;
  readonly #duplicates: string[] = [];
  readonly #paths: string[] = [];
  readonly #open: OpenValue[] = [];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): { readonly duplicates: readonly string[]; readonly paths: readonly string[] } {
    this.#start("");
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) this.#next(top);
    return { duplicates: this.#duplicates, paths: this.#paths };
  }

  // Reads a scalar, or the start of an object or list.
  #start(path: string): void {
    const first = this.#peek();
    if (first === "{" || first === "[") {
      this.#position += 1;
      this.#open.push({ path, keys: first === "{" ? new Set() : undefined, count: 0 });
    } else if (first === '"') {
      this.#position = endOfString(this.#text, this.#position) + 1;
    } else {
      while (!/[,\]}\s]/.test(this.#text[this.#position] ?? ",")) {
        this.#position += 1;
      }
    }
  }

  // Reads the next part of an object or list, or its end.
  #next(open: OpenValue): void {
    if (this.#peek() === ",") this.#position += 1;
    const next = this.#peek();
    if (next === "}" || next === "]") {
      this.#position += 1;
      this.#open.pop();
    } else if (open.keys === undefined) {
      this.#start(`${open.path}[${open.count++}]`);
    } else {
      this.#start(this.#key(open.path, open.keys));
    }
  }

  #key(path: string, seen: Set<string>): string {
    const start = this.#position;
    const end = endOfString(this.#text, start) + 1;
    const key = JSON.parse(this.#text.slice(start, end)) as string;
    const keyPath = path === "" ? key : `${path}.${key}`;
    if (seen.has(key)) {
      this.#duplicates.push(keyPath);
    }
    seen.add(key);
    this.#paths.push(keyPath);
    this.#position = end;
    this.#peek();
    this.#position += 1;
    return keyPath;
  }

  #peek(): string | undefined {
    while (isSpace(this.#text.charCodeAt(this.#position))) {
      this.#position += 1;
    }
    return this.#text[this.#position];
  }
}
