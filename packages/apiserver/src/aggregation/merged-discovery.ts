import {
  ACCEPTS_AGGREGATED,
  aggregatedAnswer,
  aggregatedType,
  discoveryText,
} from "../discovery/aggregated-discovery.ts";
import { documentAnswer } from "../output/write-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import { discoveredVersion, type VersionDiscovery } from "./backend-discovery.ts";
import { orderedGroups } from "./group-order.ts";
import { delegatedVersions, type GroupEntry, groupEntry, localJson, type Merging } from "./merging.ts";

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

interface GroupDiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly VersionDiscovery[];
  }[];
}
