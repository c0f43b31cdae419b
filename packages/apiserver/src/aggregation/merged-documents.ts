import { documentAnswer } from "../output/write-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import { orderedGroups } from "./group-order.ts";
import { mergedDiscovery } from "./merged-discovery.ts";
import { mergedOpenApi } from "./merged-open-api.ts";
import { delegatedVersions, groupEntry, localJson, type Merging } from "./merging.ts";

/** Answers a path that lists group versions: with those of this server and of others. */
export async function mergedDocument(merging: Merging, context: RequestContext): Promise<ServerResponse> {
  const { method } = context.request;
  const path = context.info.path.replace(/(?<=[^/])\/+$/u, "");
  if (method !== "GET" && method !== "HEAD") return await merging.answerLocally(context);
  if (path === "/") return await rootPaths(merging, context);
  if (path.startsWith("/openapi/")) return await mergedOpenApi(merging, context);
  if (path === "/apis") return await mergedDiscovery(merging, context);
  return await groupDocument(merging, context, path.slice("/apis/".length));
}

async function groupDocument(merging: Merging, context: RequestContext, group: string): Promise<ServerResponse> {
  const others = delegatedVersions(merging).filter((each) => each.group === group);
  if (others.length === 0) return await merging.answerLocally(context);
  const served = merging.registered.filter((each) => each.group === group);
  const [ordered] = orderedGroups(new Map([[group, served.map(({ version }) => version)]]), served);
  return await documentAnswer(context, {
    kind: "APIGroup",
    apiVersion: "v1",
    ...groupEntry(group, ordered?.versions ?? []),
  });
}

async function rootPaths(merging: Merging, context: RequestContext): Promise<ServerResponse> {
  const { paths } = await localJson<{ readonly paths: readonly string[] }>(merging, context);
  const others = delegatedVersions(merging).flatMap(({ group, version }) =>
    group === "" ? [] : [`/apis/${group}`, `/apis/${group}/${version}`],
  );
  return await documentAnswer(context, { paths: [...new Set([...paths, ...others])].sort() });
}
