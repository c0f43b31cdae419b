import { createHash } from "node:crypto";

import { apiVersionOf, parseApiVersion, type GroupVersion } from "@kubescaffold/k8s";

import { typesOf } from "../discovery/legacy-discovery.ts";
import type { Registry } from "../resources/registry.ts";
import { buildDocument } from "./build-document.ts";
import { swaggerDocument } from "./swagger-document.ts";
import { swaggerProtobuf } from "./swagger-protobuf.ts";

/** One document, of one group-version. */
interface OpenApiDocument {
  readonly text: string;
  readonly hash: string;
}

/** The documents that a server offers now. */
export interface OpenApiDocuments {
  /** The entries of `/openapi/v3`. */
  index(): Readonly<Record<string, { readonly serverRelativeURL: string }>>;
  /** Finds a document by its path, `api/v1` or `apis/apps/v1`. */
  find(path: string): OpenApiDocument | undefined;
}

interface Known {
  readonly generation: number;
  readonly documents: Map<string, OpenApiDocument | undefined>;
}

const known = new WeakMap<Registry, Known>();

/** Returns the documents of a server; each is made on first use and kept until the served resources change. */
export function openApiDocuments(registry: Registry): OpenApiDocuments {
  let cache = known.get(registry);
  if (cache?.generation !== registry.generation) {
    cache = { generation: registry.generation, documents: new Map() };
    known.set(registry, cache);
  }
  const { documents } = cache;
  const find = (path: string): OpenApiDocument | undefined => {
    if (!documents.has(path)) {
      documents.set(path, makeDocument(registry, path));
    }
    return documents.get(path);
  };
  return {
    find,
    index: () =>
      Object.fromEntries(
        pathsOf(registry).map((path) => [
          path,
          { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(registry, path)}` },
        ]),
      ),
  };
}

/** The one document of version 2. */
interface SwaggerDocument extends OpenApiDocument {
  /** The same as a message of protocol buffers. */
  readonly message: () => Uint8Array;
}

const swaggers = new WeakMap<Registry, { readonly generation: number; readonly document: SwaggerDocument }>();

/** Returns the document of version 2; it is made on first use and kept until the served resources change. */
export function swaggerOf(registry: Registry): SwaggerDocument {
  const { generation } = registry;
  const kept = swaggers.get(registry);
  if (kept?.generation === generation) return kept.document;
  const document = makeSwagger(registry);
  swaggers.set(registry, { generation, document });
  return document;
}

function makeSwagger(registry: Registry): SwaggerDocument {
  const document = swaggerDocument(registry);
  const text = JSON.stringify(document);
  let message: Uint8Array | undefined;
  const hash = createHash("sha256").update(text).digest("hex").toUpperCase();
  return { text, hash, message: () => (message ??= swaggerProtobuf(document)) };
}

function pathsOf(registry: Registry): readonly string[] {
  const groupVersions = new Set(registry.all().map((type) => apiVersionOf(type)));
  return [...groupVersions].map((groupVersion) =>
    groupVersion.includes("/") ? `apis/${groupVersion}` : `api/${groupVersion}`,
  );
}

// The index must not make every document, so a hash is that of what a document is made from.
function hashOf(registry: Registry, path: string): string {
  const types = typesOf(registry, groupVersionOf(path));
  const identity = types.map((type) => [type.resource, type.kind, type.schemaIdentity ?? ""]);
  return createHash("sha256")
    .update(JSON.stringify([path, identity]))
    .digest("hex")
    .toUpperCase();
}

function makeDocument(registry: Registry, path: string): OpenApiDocument | undefined {
  if (!/^api(\/v1|s\/[^/]+\/[^/]+)$/.test(path)) {
    return undefined;
  }
  const types = typesOf(registry, groupVersionOf(path));
  return types.length === 0
    ? undefined
    : { text: JSON.stringify(buildDocument(groupVersionOf(path), types)), hash: hashOf(registry, path) };
}

function groupVersionOf(path: string): GroupVersion {
  return parseApiVersion(path.slice(path.indexOf("/") + 1));
}
