import { goUnmarshalError, gvkOf, type GroupVersionKind } from "@kubescaffold/k8s";

import { bodyFormat, type BodyFormat } from "./content-type.ts";
import { duplicateKeys } from "./duplicate-keys.ts";
import { badRequest } from "./failures.ts";
import { jsonProblem } from "./json-problem.ts";
import { isJsonObject, type MutableJsonObject } from "./json.ts";
import type { ServerRequest } from "./server-request.ts";

/** A body that has been read. */
export interface DecodedBody {
  readonly value: MutableJsonObject;
  /** Paths of fields that the text states twice. */
  readonly duplicateFields: readonly string[];
  readonly text: string;
}

/**
 * Reads the body of a request as one object.
 *
 * Fails: with 400 when it is not one, with 415 when its type is not read.
 */
export async function decodeBody(request: ServerRequest, expectedKind: string): Promise<DecodedBody> {
  const format = bodyFormat(request.header("content-type"));
  const text = await request.body();
  const value = await parseText({ text, format, expectedKind });
  if (!isJsonObject(value)) {
    throw unrecognized({ text, expectedKind, problem: describeShape(value) });
  }
  return { value, duplicateFields: format === "json" ? duplicateKeys(text, value) : [], text };
}

/**
 * Returns the gvk that a body states.
 *
 * Fails: with 400 when it states no kind or no apiVersion.
 */
export function statedGvk({ value, text }: DecodedBody, expectedKind: string): GroupVersionKind {
  const { apiVersion, kind } = value;
  if (typeof kind !== "string" || kind === "") {
    throw unrecognized({ text, expectedKind, problem: `Object 'Kind' is missing in '${text.trim()}'` });
  }
  if (typeof apiVersion !== "string" || apiVersion === "") {
    throw unrecognized({ text, expectedKind, problem: `Object 'apiVersion' is missing in '${text.trim()}'` });
  }
  return gvkOf({ apiVersion, kind });
}

async function parseText(input: {
  readonly text: string;
  readonly format: BodyFormat;
  readonly expectedKind: string;
}): Promise<unknown> {
  const { text, format, expectedKind } = input;
  try {
    if (format === "json") {
      return JSON.parse(text);
    }
    // YAML is rare and its reader large.
    const { readYaml } = await import("@kubescaffold/k8s/yaml");
    return readYaml(text);
  } catch (error) {
    const problem = format === "json" || text.trim() === "" ? jsonProblem(text, error) : (error as Error).message;
    throw unrecognized({ text, expectedKind, problem: `couldn't get version/kind; json parse error: ${problem}` });
  }
}

function unrecognized(options: {
  readonly text: string;
  readonly expectedKind: string;
  readonly problem: string;
}): Error {
  const { text, expectedKind, problem } = options;
  return badRequest(
    `the object provided is unrecognized (must be of type ${expectedKind}): ${problem} (${summarize(text)})`,
  );
}

function summarize(text: string): string {
  if (text === "") {
    return "<empty>";
  }
  const bytes = text.startsWith("{") ? text : Buffer.from(text).toString("hex");
  const limit = text.startsWith("{") ? 30 : 60;
  return bytes.length > limit ? `${bytes.slice(0, limit)} ...` : bytes;
}

function describeShape(value: unknown): string {
  return `couldn't get version/kind; json parse error: ${goUnmarshalError(value, TYPE_META)}`;
}

const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
