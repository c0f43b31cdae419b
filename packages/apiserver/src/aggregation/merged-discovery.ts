import { isRecord } from "@kubescaffold/k8s";

import {
  ACCEPTS_AGGREGATED,
  aggregatedAnswer,
  aggregatedType,
  discoveryText,
} from "../discovery/aggregated-discovery.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import { type DelegatedVersion, pathOf } from "./api-services.ts";
import { backendDocument, DISCOVERY_USER } from "./backend-documents.ts";
import { orderedGroups } from "./group-order.ts";
import { delegatedVersions, documentAnswer, type GroupEntry, groupEntry, localJson, type Merging } from "./merging.ts";

/** Answers `/apis` with the groups of all servers. */
export async function mergedDiscovery(merging: Merging, context: RequestContext): Promise<ServerResponse> {
  const type = aggregatedType(context);
  if (type === undefined) return await groupList(merging, context);
  const { items, ...list } = await localJson<GroupDiscoveryList>(merging, context, ACCEPTS_AGGREGATED);
  const known = new Map(
    items.flatMap(({ metadata, versions }) => versions.map((each) => [`${metadata.name}/${each.version}`, each])),
  );
  const entries = await Promise.all(
    delegatedVersions(merging).map(
      async (each) => [`${each.group}/${each.version}`, await discoveredVersion(merging, each)] as const,
    ),
  );
  for (const [name, entry] of entries) known.set(name, entry);
  const local = new Map(items.map(({ metadata, versions }) => [metadata.name, versions.map(({ version }) => version)]));
  const merged = orderedGroups(local, merging.registered).map(({ group, versions }) => ({
    metadata: { name: group },
    versions: versions.map((version) => known.get(`${group}/${version}`)),
  }));
  return await aggregatedAnswer(context, type, await discoveryText({ ...list, items: merged }));
}

async function groupList(merging: Merging, context: RequestContext): Promise<ServerResponse> {
  const { groups, ...list } = await localJson<{ readonly groups: readonly GroupEntry[] }>(merging, context);
  const local = new Map(groups.map(({ name, versions }) => [name, versions.map(({ version }) => version)]));
  const merged = orderedGroups(local, merging.registered).map(({ group, versions }) => groupEntry(group, versions));
  return await documentAnswer(context, { ...list, groups: merged }, { Vary: "Accept" });
}

interface VersionDiscovery {
  readonly version: string;
  readonly freshness?: string;
  readonly resources?: readonly object[];
}

interface GroupDiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly VersionDiscovery[];
  }[];
}

// A version whose server does not answer is listed without resources.
async function discoveredVersion(merging: Merging, version: DelegatedVersion): Promise<VersionDiscovery> {
  if (!version.backend.isAvailable) return { version: version.version, freshness: "Stale" };
  const found = (await aggregatedVersion(merging, version)) ?? (await legacyVersion(merging, version));
  return found === undefined ? { version: version.version, freshness: "Stale" } : { ...found, freshness: "Current" };
}

async function aggregatedVersion(merging: Merging, version: DelegatedVersion): Promise<VersionDiscovery | undefined> {
  const request = { path: "/apis", accept: ACCEPTS_AGGREGATED, user: DISCOVERY_USER };
  const answer = await backendDocument(merging, version, request);
  const isList =
    answer.kind === "answer" && answer.status === 200 && answer.contentType.includes("as=APIGroupDiscoveryList");
  if (!isList) return undefined;
  const { items } = JSON.parse(answer.text) as GroupDiscoveryList;
  const group = items.find(({ metadata }) => metadata.name === version.group);
  return group?.versions.find((each) => each.version === version.version) ?? { version: version.version };
}

async function legacyVersion(merging: Merging, version: DelegatedVersion): Promise<VersionDiscovery | undefined> {
  const user = { ...DISCOVERY_USER, groups: [] };
  const answer = await backendDocument(merging, version, { path: pathOf(version), accept: "application/json", user });
  if (answer.kind !== "answer" || answer.status !== 200) return undefined;
  const list: unknown = JSON.parse(answer.text);
  const resources = isRecord(list) && Array.isArray(list["resources"]) ? list["resources"] : [];
  return { version: version.version, resources: discoveredResources(resources as readonly LegacyResource[]) };
}

interface LegacyResource {
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly kind?: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

function discoveredResources(resources: readonly LegacyResource[]): readonly object[] {
  return resources
    .filter(({ name }) => !name.includes("/"))
    .map((resource) => {
      const subresources = resources.filter(({ name }) => name.startsWith(`${resource.name}/`));
      return {
        resource: resource.name,
        responseKind: responseKind(resource),
        scope: resource.namespaced === true ? "Namespaced" : "Cluster",
        singularResource: resource.singularName ?? "",
        verbs: resource.verbs ?? [],
        ...(resource.shortNames === undefined ? {} : { shortNames: resource.shortNames }),
        ...(resource.categories === undefined ? {} : { categories: resource.categories }),
        ...(subresources.length === 0
          ? {}
          : {
              subresources: subresources.map((each) => ({
                subresource: each.name.slice(resource.name.length + 1),
                responseKind: responseKind(each),
                verbs: each.verbs ?? [],
              })),
            }),
      };
    });
}

function responseKind({ group = "", version = "", kind = "" }: LegacyResource): object {
  return { group, version, kind };
}
