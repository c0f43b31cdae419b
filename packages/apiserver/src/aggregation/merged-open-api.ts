import { deepEqual, type JsonObject } from "@kubescaffold/schema";

import { printSwagger, swaggerAnswer } from "../openapi/open-api-documents.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import { type DelegatedVersion, pathOf } from "./api-services.ts";
import { backendDocument, OPEN_API_USER } from "./backend-documents.ts";
import { forward } from "./forward.ts";
import { delegatedVersions, localJson, type Merging } from "./merging.ts";

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
    if (Object.hasOwn(await indexOf(merging, version), wanted)) return await forward(merging, version, context);
  }
  return local;
}

type Index = Readonly<Record<string, { readonly serverRelativeURL: string }>>;

async function mergedIndex(merging: Merging, context: RequestContext): Promise<ServerResponse> {
  const { paths } = await localJson<{ readonly paths: Index }>(merging, context);
  const others = await Promise.all(delegatedVersions(merging).map(async (each) => await indexOf(merging, each)));
  const body = JSON.stringify({ paths: Object.assign({}, paths, ...others) as Index });
  return { code: 200, contentType: "application/json", body };
}

// Servers that do not answer have no documents.
async function indexOf(merging: Merging, version: DelegatedVersion): Promise<Index> {
  const { paths = {} } = (await read<{ readonly paths?: Index }>(merging, version, INDEX)) ?? {};
  return paths;
}

async function read<Document>(
  merging: Merging,
  version: DelegatedVersion,
  path: string,
): Promise<Document | undefined> {
  if (!version.backend.isAvailable) return undefined;
  const answer = await backendDocument(merging, version, { path, accept: "application/json", user: OPEN_API_USER });
  return answer.kind === "answer" && answer.status === 200 ? (JSON.parse(answer.text) as Document) : undefined;
}

interface Swagger {
  readonly paths: JsonObject;
  readonly definitions: JsonObject;
}

async function mergedSwagger(merging: Merging, context: RequestContext): Promise<ServerResponse> {
  const { paths, definitions, ...local } = await localJson<Swagger>(merging, context);
  const merged = { ...local, paths: { ...paths }, definitions: { ...definitions } };
  for (const version of delegatedVersions(merging)) {
    const other = await read<Partial<Swagger>>(merging, version, "/openapi/v2");
    if (other !== undefined) add(merged, ownPaths(other, pathOf(version)));
  }
  return swaggerAnswer(context, () => printSwagger(merged));
}

function ownPaths({ paths = {}, definitions = {} }: Partial<Swagger>, prefix: string): Swagger {
  const own = Object.entries(paths).filter(([path]) => path.startsWith(`${prefix}/`));
  return { paths: Object.fromEntries(own), definitions };
}

// A definition of another server that differs from the one of that name is renamed.
function add(merged: { paths: Record<string, unknown>; definitions: Record<string, unknown> }, other: Swagger): void {
  const renamed = Object.keys(other.definitions).filter(
    (name) => Object.hasOwn(merged.definitions, name) && !deepEqual(merged.definitions[name], other.definitions[name]),
  );
  const names = new Map(renamed.map((name) => [name, freeName(merged.definitions, name)]));
  const { paths, definitions } = renamed.length === 0 ? other : withNames(other, names);
  Object.assign(merged.paths, paths);
  for (const [name, definition] of Object.entries(definitions))
    merged.definitions[names.get(name) ?? name] = definition;
}

function freeName(taken: Readonly<Record<string, unknown>>, name: string): string {
  let number = 2;
  while (Object.hasOwn(taken, `${name}_v${String(number)}`)) number += 1;
  return `${name}_v${String(number)}`;
}

function withNames(document: Swagger, names: ReadonlyMap<string, string>): Swagger {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key !== "$ref" || typeof value !== "string") return value;
    const name = value.replace(/^#\/definitions\//u, "");
    return names.has(name) ? `#/definitions/${names.get(name) ?? name}` : value;
  }) as Swagger;
}
