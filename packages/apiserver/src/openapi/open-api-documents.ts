import { createHash } from "node:crypto";

import { apiVersionOf, parseApiVersion, printServerJson, type GroupVersion } from "@kubescaffold/k8s";
import type { TypeDescriptions } from "@kubescaffold/k8s/tables";
import type { JsonObject } from "@kubescaffold/schema/values";

import { typesOf } from "../discovery/legacy-discovery.ts";
import { PAGE_NOT_FOUND } from "../output/write-response.ts";
import { parseAccept, type RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import type { Registry } from "../resources/registry.ts";
import { buildDocument, documentOf, type DocumentSource } from "./build-document.ts";
import { generalDocuments } from "./general-documents.ts";
import { swaggerDocument } from "./swagger-document.ts";
import { swaggerProtobuf } from "./swagger-protobuf.ts";

/** One document, of one group-version. */
interface OpenApiDocument {
  readonly text: string;
  readonly hash: string;
}

/** The documents that a server offers now. */
interface OpenApiDocuments {
  /** The entries of `/openapi/v3`. */
  index(): Readonly<Record<string, { readonly serverRelativeURL: string }>>;
  /** Finds a document by its path, `api/v1` or `apis/apps/v1`. */
  find(path: string): OpenApiDocument | undefined;
}

interface Known {
  readonly generation: number;
  readonly hasIssuer: boolean;
  readonly documents: Map<string, OpenApiDocument | undefined>;
}

const known = new WeakMap<Registry, Known>();

/** Returns the documents of a server; each is made on first use and kept until the served resources change. */
function openApiDocuments(source: DocumentSource): OpenApiDocuments {
  const { registry, hasIssuer } = source;
  let cache = known.get(registry);
  if (cache?.generation !== registry.generation || cache.hasIssuer !== hasIssuer) {
    cache = { generation: registry.generation, hasIssuer, documents: new Map() };
    known.set(registry, cache);
  }
  const { documents } = cache;
  const find = (path: string): OpenApiDocument | undefined => {
    if (!documents.has(path)) {
      documents.set(path, makeDocument(source, path));
    }
    return documents.get(path);
  };
  return {
    find,
    index: () =>
      Object.fromEntries(
        namesOf(source).map((path) => [
          path,
          { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(source, path)}` },
        ]),
      ),
  };
}

/** The one document of version 2. */
export interface SwaggerDocument extends OpenApiDocument {
  /** The same as a message of protocol buffers. */
  readonly message: () => Uint8Array;
}

interface KnownSwagger extends Omit<Known, "documents"> {
  readonly document: SwaggerDocument;
}

const swaggers = new WeakMap<Registry, KnownSwagger>();

/** Returns the document of version 2; it is made on first use and kept until the served resources change. */
function swaggerOf(source: DocumentSource): SwaggerDocument {
  const { registry, hasIssuer } = source;
  const { generation } = registry;
  const kept = swaggers.get(registry);
  if (kept?.generation === generation && kept.hasIssuer === hasIssuer) return kept.document;
  const document = printSwagger(swaggerDocument(source));
  swaggers.set(registry, { generation, hasIssuer, document });
  return document;
}

/** Returns a document of version 2 with its texts. */
export function printSwagger(document: JsonObject): SwaggerDocument {
  const text = printServerJson(document);
  let message: Uint8Array | undefined;
  const hash = createHash("sha256").update(text).digest("hex").toUpperCase();
  return { text, hash, message: () => (message ??= swaggerProtobuf(document)) };
}

function namesOf({ registry, hasIssuer }: DocumentSource): readonly string[] {
  const groupVersions = new Set(registry.all().map((type) => apiVersionOf(type)));
  return [
    ...generalDocuments(registry, hasIssuer).keys(),
    ...[...groupVersions].map((groupVersion) =>
      groupVersion.includes("/") ? `apis/${groupVersion}` : `api/${groupVersion}`,
    ),
  ];
}

// The index must not make every document, so a hash is that of what a document is made from.
function hashOf({ registry, descriptions }: DocumentSource, path: string): string {
  const served = typesOf(registry, groupVersionOf(path));
  const identity = served.map((type) => [type.resource, type.kind, type.schemaIdentity ?? ""]);
  return createHash("sha256")
    .update(JSON.stringify([path, identity, ...(descriptions === undefined ? [] : [identityOf(descriptions)])]))
    .digest("hex")
    .toUpperCase();
}

// Clients keep documents by their hash, which therefore depends on the descriptions in them.
function identityOf(types: TypeDescriptions): string {
  const known = IDENTITIES.get(types) ?? createHash("sha256").update(JSON.stringify(types)).digest("hex");
  IDENTITIES.set(types, known);
  return known;
}

const IDENTITIES = new WeakMap<TypeDescriptions, string>();

function makeDocument(source: DocumentSource, path: string): OpenApiDocument | undefined {
  const general = generalDocuments(source.registry, source.hasIssuer).get(path);
  if (general !== undefined)
    return { text: JSON.stringify(documentOf(source.registry.release, general())), hash: hashOf(source, path) };
  if (!/^api(\/v1|s\/[^/]+\/[^/]+)$/.test(path)) {
    return undefined;
  }
  const groupVersion = groupVersionOf(path);
  return typesOf(source.registry, groupVersion).length === 0
    ? undefined
    : { text: printServerJson(buildDocument(groupVersion, source)), hash: hashOf(source, path) };
}

function groupVersionOf(path: string): GroupVersion {
  return parseApiVersion(path.slice(path.indexOf("/") + 1));
}

/** Answers the paths below `/openapi`: version 2 in one document, version 3 in one for each group-version. */
export function handleOpenApi(context: RequestContext, source: DocumentSource): ServerResponse {
  const { path } = context.info;
  if (path === "/openapi/v2") {
    return swaggerAnswer(context, () => swaggerOf(source));
  }
  const documents = openApiDocuments(source);
  if (path === "/openapi/v3" || path === "/openapi/v3/") {
    return json(JSON.stringify({ paths: documents.index() }));
  }
  const document = path.startsWith(PREFIX) ? documents.find(path.slice(PREFIX.length)) : undefined;
  if (document === undefined) {
    return PAGE_NOT_FOUND;
  }
  const hash = context.request.query.get("hash");
  if (hash !== null && hash !== document.hash) {
    const location = `${path}?hash=${document.hash}`;
    return { code: 301, contentType: "text/html; charset=utf-8", headers: { Location: location }, body: "" };
  }
  const cacheControl = hash === null ? "no-cache, private" : "public, immutable";
  return json(document.text, { ETag: `"${document.hash}"`, Vary: "Accept", "Cache-Control": cacheControl });
}

const PREFIX = "/openapi/v3/";

// Clients ask for the message by a name that is no media type.
const SWAGGER_MESSAGE = /^application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf$/u;
const JSON_TYPES: ReadonlySet<string> = new Set(["application/json", "application/*", "*/*"]);

/** Answers with a document of version 2, as JSON or as a message. */
export function swaggerAnswer({ request }: RequestContext, makeDocument: () => SwaggerDocument): ServerResponse {
  const accept = request.header("accept") ?? "";
  const clauses = accept.trim() === "" ? ["*/*"] : parseAccept(accept).map(({ type }) => type);
  const chosen = clauses.find((type) => SWAGGER_MESSAGE.test(type) || JSON_TYPES.has(type));
  if (chosen === undefined) return { code: 406, contentType: "text/plain; charset=utf-8", body: "" };
  const document = makeDocument();
  const headers = { ETag: `"${document.hash}"`, Vary: "Accept", "Cache-Control": "no-cache, private" };
  return JSON_TYPES.has(chosen)
    ? json(document.text, headers)
    : { code: 200, contentType: SWAGGER_MESSAGE_TYPE, headers, body: document.message() };
}

const SWAGGER_MESSAGE_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

function json(body: string, headers: Readonly<Record<string, string>> = {}): ServerResponse {
  return { code: 200, contentType: "application/json", headers, body };
}
