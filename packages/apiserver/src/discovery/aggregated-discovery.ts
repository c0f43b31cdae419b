import { type GroupVersionKind, printServerJson } from "@kubescaffold/k8s";

import { parseAccept, PROTOBUF, type RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import type { Registry, ResourceType } from "../resources/registry.ts";
import { groupsOf, typesOf, versionsOf } from "./legacy-discovery.ts";

// The parameters that the `Content-Type` of aggregated discovery has.
const AGGREGATED_PARAMETERS = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** The `Accept` header of aggregated discovery in JSON. */
export const ACCEPTS_AGGREGATED: string = `application/json;${AGGREGATED_PARAMETERS}`;

/** The media type of aggregated discovery. */
export type AggregatedType = "application/json" | "application/vnd.kubernetes.protobuf";

/** Returns the media type in which a client prefers aggregated discovery; undefined if it does not know it. */
export function aggregatedType({ request }: RequestContext): AggregatedType | undefined {
  const found = parseAccept(request.header("accept") ?? "").find(
    ({ type, parameters }) =>
      (type === "application/json" || type === PROTOBUF) &&
      parameters.get("as") === "APIGroupDiscoveryList" &&
      parameters.get("g") === "apidiscovery.k8s.io" &&
      parameters.get("v") === "v2",
  );
  return found === undefined ? undefined : found.type === PROTOBUF ? PROTOBUF : "application/json";
}

/** The JSON of aggregated discovery, and what tells it from an earlier one. */
export interface DiscoveryText {
  readonly text: string;
  readonly etag: string;
}

/** Returns the text of a document of aggregated discovery. */
export async function discoveryText(document: unknown): Promise<DiscoveryText> {
  const { createHash } = await import("node:crypto");
  const text = printServerJson(document);
  return { text, etag: `"${createHash("sha512").update(text).digest("hex").toUpperCase()}"` };
}

/** Answers with aggregated discovery, or 304 if the client has it already. */
export async function aggregatedAnswer(
  { request }: RequestContext,
  type: AggregatedType,
  { text, etag }: DiscoveryText,
): Promise<ServerResponse> {
  const headers = { ETag: etag, Vary: "Accept", "Cache-Control": "public" };
  const contentType = `${type};${AGGREGATED_PARAMETERS}`;
  if (request.header("if-none-match") === etag) return { code: 304, contentType, headers, body: "" };
  return { code: 200, contentType, headers, body: type === PROTOBUF ? await protobufOf(text) : `${text}\n` };
}

async function protobufOf(text: string): Promise<Uint8Array> {
  const { encodeProtobuf } = await import("../protobuf/encode-protobuf.ts");
  return encodeProtobuf(JSON.parse(text) as object);
}

/** The body of aggregated discovery: of `/api` with the core group, of `/apis` with all others. */
export function aggregatedDiscovery(registry: Registry, { isCore }: { readonly isCore: boolean }): unknown {
  const groups = groupsOf(registry).filter((group) => (group === "") === isCore);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === "" ? {} : { name: group },
      versions: versionsOf(registry, group).map((version) => ({
        version,
        freshness: "Current",
        resources: typesOf(registry, { group, version }).map((type) => discoveryEntry(type)),
      })),
    })),
  };
}

function discoveryEntry(type: ResourceType): unknown {
  return {
    resource: type.resource,
    responseKind: responseKind(type, type),
    scope: type.isNamespaced ? "Namespaced" : "Cluster",
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(type.subresourceTypes.length === 0
      ? {}
      : {
          subresources: type.subresourceTypes.map((entry) => ({
            subresource: entry.name,
            responseKind: responseKind(type, entry),
            verbs: entry.verbs,
          })),
        }),
  };
}

// Built-in resources state a group and version only where they are not their own.
function responseKind(type: ResourceType, { group, version, kind }: GroupVersionKind): GroupVersionKind {
  const isOwn = group === type.group && version === type.version;
  return isOwn && !type.isCustom ? { group: "", version: "", kind } : { group, version, kind };
}
