import type { GroupVersion } from "@kubescaffold/k8s";

import {
  aggregatedAnswer,
  aggregatedDiscovery,
  aggregatedType,
  type DiscoveryText,
  discoveryText,
} from "../discovery/aggregated-discovery.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "../discovery/legacy-discovery.ts";
import type { ServedMetrics } from "../metrics/server-metrics.ts";
import { documentAnswer, PAGE_NOT_FOUND } from "../output/write-response.ts";
import { methodNotAllowed, resourceNotFound, unroutableAccept } from "../request/failures.ts";
import { parseAccept, type RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import type { Registry } from "../resources/registry.ts";
import type { ApiServerOptions } from "./api-server.ts";
import { HealthChecks, healthPaths } from "./health-checks.ts";

/** Answers the paths that are not about objects: discovery, OpenAPI, health, version. */
export interface MetaEndpoints {
  handle(context: RequestContext): Promise<ServerResponse>;
}

/** Creates the meta endpoints of a server, with further documents by their path. */
export function createMetaEndpoints(
  registry: Registry,
  { documents = () => undefined, descriptions = async () => undefined, serverUrl = () => undefined }: DocumentOptions,
  metrics: () => Promise<ServedMetrics>,
): MetaEndpoints {
  const cache = new DocumentCache(registry);
  let described: ReturnType<typeof descriptions> | undefined;
  const health = new HealthChecks(registry.release);
  const parts = {
    registry,
    cache,
    metrics,
    health,
    documents,
    serverUrl,
    descriptions: () => (described ??= descriptions()),
  };
  return { handle: (context) => handleMeta(context, parts) };
}

type DocumentOptions = Pick<ApiServerOptions, "documents" | "descriptions" | "serverUrl">;

interface MetaParts extends Required<DocumentOptions> {
  readonly registry: Registry;
  readonly cache: DocumentCache;
  readonly metrics: () => Promise<ServedMetrics>;
  readonly health: HealthChecks;
}

async function handleMeta(context: RequestContext, parts: MetaParts): Promise<ServerResponse> {
  if (!context.info.path.startsWith("/") || context.info.path.includes("//")) {
    return PAGE_NOT_FOUND;
  }
  const path = context.info.path.replace(/(?<=[^/])\/+$/, "");
  const [, first = "", second = "", third = ""] = path.split("/");
  switch (first) {
    case "metrics":
      return await metricsAt(context.info.path, parts);
    case "healthz":
    case "livez":
    case "readyz":
      if (context.info.path.endsWith("/")) return PAGE_NOT_FOUND;
      return parts.health.handle(first, path.split("/").slice(2).join("/"), context.request.query);
  }
  if (context.request.method !== "GET" && context.request.method !== "HEAD") {
    throw methodNotAllowed();
  }
  switch (first) {
    case "":
      return rootDocument(parts);
    case "index.html":
      return second === "" ? rootDocument(parts) : PAGE_NOT_FOUND;
    case "version":
      if (context.request.method === "HEAD") throw methodNotAllowed();
      if (second !== "") throw resourceNotFound();
      return documentAnswer(context, parts.registry.release.version);
    case "api":
      return second === ""
        ? discovery(context, parts, true)
        : versionDocument(context, parts, { group: "", version: second });
    case "apis":
      return apis(context, parts, { group: second, version: third });
    case "openapi":
      return openApi(context, parts);
    default:
      return furtherDocument(context, parts, path);
  }
}

async function metricsAt(path: string, { metrics, health }: MetaParts): Promise<ServerResponse> {
  if (path === "/metrics") return { code: 200, ...(await metrics()) };
  if (path !== "/metrics/slis") return PAGE_NOT_FOUND;
  const { healthMetricsText } = await import("../metrics/health-metrics.ts");
  return { code: 200, ...healthMetricsText(health.counts) };
}

function furtherDocument({ request }: RequestContext, { documents }: MetaParts, path: string): ServerResponse {
  const found = documents(path);
  if (found === undefined) return PAGE_NOT_FOUND;
  const accepted = parseAccept(request.header("accept") ?? "").map(({ type }) => type);
  const isAccepted = accepted.length === 0 || accepted.some((type) => ANY_TYPE.has(type) || type === found.contentType);
  if (!isAccepted) throw unroutableAccept([found.contentType]);
  return { code: 200, ...found };
}

const ANY_TYPE: ReadonlySet<string> = new Set(["*/*", "application/*"]);

// The list of paths is JSON for every client.
function rootDocument({ registry, documents }: MetaParts): ServerResponse {
  const paths = { paths: rootPaths(registry, documents) };
  return { code: 200, contentType: "application/json", body: JSON.stringify(paths, undefined, 2) };
}

async function apis(
  context: RequestContext,
  parts: MetaParts,
  { group, version }: { readonly group: string; readonly version: string },
): Promise<ServerResponse> {
  if (group === "") {
    return discovery(context, parts, false);
  }
  if (version !== "") return await versionDocument(context, parts, { group, version });
  return await documentOr404(context, apiGroup(parts.registry, group));
}

async function versionDocument(
  context: RequestContext,
  { registry }: MetaParts,
  groupVersion: GroupVersion,
): Promise<ServerResponse> {
  const body = apiResourceList(registry, groupVersion);
  if (body === undefined && registry.hasBuiltInGroup(groupVersion.group)) throw resourceNotFound();
  return await documentOr404(context, body);
}

async function openApi(context: RequestContext, parts: MetaParts): Promise<ServerResponse> {
  const { registry, descriptions, documents } = parts;
  // OpenAPI documents are large and asked for by kubectl alone.
  const { handleOpenApi } = await import("../openapi/open-api-documents.ts");
  const hasIssuer = documents(ISSUER_PATHS[1]) !== undefined;
  return handleOpenApi(context, { registry, descriptions: (await descriptions())?.types, hasIssuer });
}

async function discovery(
  context: RequestContext,
  { registry, cache, serverUrl }: MetaParts,
  isCore: boolean,
): Promise<ServerResponse> {
  const type = aggregatedType(context);
  if (type === undefined) {
    return documentAnswer(context, isCore ? apiVersions(addressOf(serverUrl())) : apiGroupList(registry), {
      Vary: "Accept",
    });
  }
  const name = isCore ? "api" : "apis";
  return await aggregatedAnswer(context, type, await cache.get(name, () => aggregatedDiscovery(registry, { isCore })));
}

function addressOf(url: string | undefined): string {
  return url === undefined ? LOOPBACK : new URL(url).host;
}

const LOOPBACK = "127.0.0.1";

/** Keeps documents until the set of served resources changes. */
class DocumentCache {
  readonly #registry: Registry;
  #generation = -1;
  #documents = new Map<string, DiscoveryText>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  async get(name: string, make: () => unknown): Promise<DiscoveryText> {
    if (this.#generation !== this.#registry.generation) {
      this.#generation = this.#registry.generation;
      this.#documents = new Map();
    }
    let document = this.#documents.get(name);
    if (document === undefined) {
      document = await discoveryText(make());
      this.#documents.set(name, document);
    }
    return document;
  }
}

async function documentOr404(context: RequestContext, body: object | undefined): Promise<ServerResponse> {
  return body === undefined ? PAGE_NOT_FOUND : documentAnswer(context, body);
}

const FIXED_PATHS = [
  "/api",
  "/api/v1",
  "/apis",
  "/apis/",
  "/metrics",
  "/metrics/slis",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/",
  "/version",
] as const;

const ISSUER_PATHS = ["/.well-known/openid-configuration", "/openid/v1/jwks"] as const;

function rootPaths(registry: Registry, documents: MetaParts["documents"]): readonly string[] {
  const groups = new Set<string>();
  for (const { group, version } of registry.all()) {
    if (group !== "") {
      groups.add(`/apis/${group}`).add(`/apis/${group}/${version}`);
    }
  }
  const issuer = ISSUER_PATHS.filter((path) => documents(path) !== undefined);
  return [...FIXED_PATHS, ...issuer, ...healthPaths(registry.release), ...groups].sort();
}
