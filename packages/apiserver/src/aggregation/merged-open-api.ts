import type { JSONValue } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import { deepEqual, isJsonList, isJsonObject, type JsonObject, unfold } from "@kubescaffold/schema/values";

import { printSwagger, type SwaggerDocument, swaggerAnswer } from "../openapi/open-api-documents.ts";
import { swaggerProtobuf } from "../openapi/swagger-protobuf.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import { type DelegatedVersion, pathOf } from "./api-services.ts";
import type { BackendClient } from "./backend-client.ts";
import { backendJson, backendText, decodeDocument, OPEN_API_USER } from "./backend-documents.ts";
import { forward } from "./forward.ts";
import { isMapOf, isObjectOf, isText } from "./json-checks.ts";
import { delegatedVersions, localJson, localText, type Merging } from "./merging.ts";

const INDEX = "/openapi/v3";

/** Answers the paths below `/openapi` with the documents of all servers. */
export async function mergedOpenApi(merging: Merging, context: RequestContext): Promise<ServerResponse> {
  const { path } = context.info;
  if (path === "/openapi/v2") return await mergedSwagger(merging, context);
  if (path === INDEX || path === `${INDEX}/`) return await mergedIndex(merging, context);
  const local = await merging.answerLocally(context);
  if (local.code !== 404) return local;
  const wanted = path.slice(INDEX.length + 1);
  for (const version of delegatedVersions(merging)) {
    const index = await indexOf(merging, version);
    if (index.some(([name]) => name === wanted)) return await forward(merging, version, context);
  }
  return local;
}

interface IndexEntry {
  readonly serverRelativeURL?: string | null | undefined;
}

type Index = readonly (readonly [string, IndexEntry])[];

async function mergedIndex(merging: Merging, context: RequestContext): Promise<ServerResponse> {
  const { paths } = await localJson<{ readonly paths: Readonly<Record<string, IndexEntry>> }>(merging, context);
  const others = await Promise.all(delegatedVersions(merging).map(async (each) => await indexOf(merging, each)));
  // Where both have a document, this server answers with its own.
  const foreign = others.flat().filter(([name]) => !Object.hasOwn(paths, name));
  const body = JSON.stringify({ paths: Object.fromEntries([...Object.entries(paths), ...foreign]) });
  return { code: 200, contentType: "application/json", body };
}

const IS_INDEX = isObjectOf({ paths: isMapOf(isObjectOf({ serverRelativeURL: isText })) });

// Servers that do not answer have no documents.
async function indexOf(merging: Merging, version: DelegatedVersion): Promise<Index> {
  const document = await backendJson<{ readonly paths?: Readonly<Record<string, IndexEntry>> | null }>(
    merging,
    version,
    { path: INDEX, accept: "application/json", user: OPEN_API_USER, isDocument: IS_INDEX },
  );
  return Object.entries(document?.paths ?? {}).map(([name, { serverRelativeURL }]) => [name, { serverRelativeURL }]);
}

async function mergedSwagger(merging: Merging, context: RequestContext): Promise<ServerResponse> {
  const request = { path: "/openapi/v2", accept: "application/json", user: OPEN_API_USER };
  const read = await Promise.all(
    delegatedVersions(merging).map(
      async (version) => [pathOf(version), await backendText(merging, version, request)] as const,
    ),
  );
  const others = read.flatMap(([prefix, text]) => (text === undefined ? [] : [{ prefix, text }]));
  if (others.length === 0) return await merging.answerLocally(context);
  const document = keptMerge(merging.client, await localText(merging, context), others);
  return swaggerAnswer(context, () => document);
}

interface OtherText {
  /** The path of the group version that the server serves. */
  readonly prefix: string;
  readonly text: string;
}

interface Merge {
  readonly inputs: readonly string[];
  readonly document: SwaggerDocument;
}

// The last merge of each cluster.
const merges = new WeakMap<BackendClient, Merge>();

function keptMerge(client: BackendClient, local: string, others: readonly OtherText[]): SwaggerDocument {
  const inputs = [local, ...others.flatMap(({ prefix, text }) => [prefix, text])];
  const kept = merges.get(client);
  const isSame = kept?.inputs.length === inputs.length && kept.inputs.every((text, index) => text === inputs[index]);
  if (isSame) return kept.document;
  const document = printSwagger(merge(local, others));
  merges.set(client, { inputs, document });
  return document;
}

interface Swagger extends JsonObject {
  readonly paths?: JsonObject | null;
  readonly definitions?: JsonObject | null;
}

function merge(local: string, others: readonly OtherText[]): JsonObject {
  const document = decodeDocument<Swagger>(local, isRecord) ?? {};
  const paths = new Map(Object.entries(document.paths ?? {}));
  const definitions = new Map(Object.entries(document.definitions ?? {}));
  for (const { prefix, text } of others) {
    const other = decodeDocument<Swagger>(text, isSwagger);
    if (other !== undefined) add({ paths, definitions }, other, prefix);
  }
  return { ...document, paths: Object.fromEntries(paths), definitions: Object.fromEntries(definitions) };
}

// A document that has no message is not one of version 2.
function isSwagger(document: unknown): boolean {
  if (!isRecord(document)) return false;
  try {
    swaggerProtobuf(document as JsonObject);
    return true;
  } catch {
    return false;
  }
}

// A definition of another server that differs from the one of that name is renamed.
function add(
  merged: { readonly paths: Map<string, unknown>; readonly definitions: Map<string, unknown> },
  other: Swagger,
  prefix: string,
): void {
  const definitions = Object.entries(other.definitions ?? {});
  const names = new Map<string, string>();
  for (const [name, definition] of definitions) {
    const isTaken = merged.definitions.has(name) && !deepEqual(merged.definitions.get(name), definition);
    if (isTaken) names.set(name, freeName(merged.definitions, name));
  }
  for (const [name, definition] of definitions)
    merged.definitions.set(names.get(name) ?? name, withNames(definition, names));
  for (const [path, operations] of Object.entries(other.paths ?? {}))
    if (path.startsWith(`${prefix}/`)) merged.paths.set(path, withNames(operations, names));
}

function freeName(taken: ReadonlyMap<string, unknown>, name: string): string {
  let number = 2;
  while (taken.has(`${name}_v${String(number)}`)) number += 1;
  return `${name}_v${String(number)}`;
}

const DEFINITIONS = "#/definitions/";

function withNames(document: JSONValue, names: ReadonlyMap<string, string>): JSONValue | undefined {
  if (names.size === 0) return document;
  return unfold(document, (value) => {
    if (isJsonList(value)) return { kind: "list", items: value };
    if (!isJsonObject(value)) return { kind: "value", value };
    const members = Object.entries(value).map(([key, member]): readonly [string, JSONValue] => {
      const isReference = key === "$ref" && typeof member === "string" && member.startsWith(DEFINITIONS);
      const name = isReference ? names.get(member.slice(DEFINITIONS.length)) : undefined;
      return [key, name === undefined ? member : `${DEFINITIONS}${name}`];
    });
    return { kind: "object", members, isOptional: false };
  });
}
