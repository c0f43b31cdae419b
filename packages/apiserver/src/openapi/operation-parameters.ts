import type { JsonObject } from "@kubescaffold/schema/values";

import type { ResourceType } from "../resources/registry.ts";
import type { Action } from "./resource-operations.ts";

const SHARD_SELECTOR = "shardSelector";
const LIST = [
  "allowWatchBookmarks",
  "continue",
  "fieldSelector",
  "labelSelector",
  "limit",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  SHARD_SELECTOR,
  "timeoutSeconds",
  "watch",
] as const;
const DELETE = [
  "dryRun",
  "gracePeriodSeconds",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "orphanDependents",
  "propagationPolicy",
] as const;
const WRITE = ["dryRun", "fieldManager", "fieldValidation"] as const;
const WATCH_ONLY: ReadonlySet<string> = new Set(["allowWatchBookmarks", "watch"]);

const OF_ACTION: Readonly<Record<Action, readonly string[]>> = {
  get: [],
  list: LIST,
  watch: LIST,
  watchlist: LIST,
  post: WRITE,
  put: WRITE,
  patch: [...WRITE, "force"],
  delete: DELETE,
  deletecollection: [...DELETE, ...LIST.filter((name) => !WATCH_ONLY.has(name))].sort(),
  connect: [],
};

const LOG = [
  "container",
  "follow",
  "insecureSkipTLSVerifyBackend",
  "limitBytes",
  "previous",
  "sinceSeconds",
  "stream",
  "tailLines",
  "timestamps",
] as const;
const STREAM = ["container", "stderr", "stdin", "stdout", "tty"] as const;

// The options of streams, by the last part of their paths.
const OF_STREAM: Readonly<Record<string, readonly string[]>> = {
  log: LOG,
  attach: STREAM,
  exec: ["command", ...STREAM],
  portforward: ["ports"],
};

const BOOLEANS: ReadonlySet<string> = new Set([
  "allowWatchBookmarks",
  "follow",
  "force",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "insecureSkipTLSVerifyBackend",
  "orphanDependents",
  "previous",
  "sendInitialEvents",
  "stderr",
  "stdin",
  "stdout",
  "timestamps",
  "tty",
  "watch",
]);
const INTEGERS: ReadonlySet<string> = new Set([
  "gracePeriodSeconds",
  "limit",
  "limitBytes",
  "ports",
  "sinceSeconds",
  "tailLines",
  "timeoutSeconds",
]);

/** Returns the parameters in the query that an operation of a resource has. */
export function queryParameters(path: string, action: Action, type: ResourceType): readonly JsonObject[] {
  const names = parameterNames(path, action, type);
  // Stated for all servers, whether or not they have the feature enabled.
  const known = type.release.since("1.36") ? names : names.filter((name) => name !== SHARD_SELECTOR);
  return known.map(queryParameter);
}

function parameterNames(path: string, action: Action, { isCustom }: ResourceType): readonly string[] {
  if (isCustom && action === "deletecollection") return LIST;
  if (isCustom && action === "get") return ["resourceVersion"];
  const last = path.slice(path.lastIndexOf("/") + 1);
  const isStream = action === "connect" || action === "get";
  const isProxy = /\/proxy(?:\/\{path\})?$/u.test(path);
  return action === "connect" && isProxy ? ["path"] : ((isStream ? OF_STREAM[last] : undefined) ?? OF_ACTION[action]);
}

function queryParameter(name: string): JsonObject {
  const type = BOOLEANS.has(name) ? "boolean" : INTEGERS.has(name) ? "integer" : "string";
  return { name, in: "query", schema: { type, uniqueItems: true } };
}

/** Returns the parameters that an operation has in its path, and `pretty` where answers are objects. */
export function pathParameters(path: string, hasObjects: boolean): readonly JsonObject[] {
  const variables = [...path.matchAll(/\{(?<name>\w+)\}/gu)].map(({ groups }) => groups?.["name"] ?? "");
  return [
    ...variables.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string", uniqueItems: true },
    })),
    ...(hasObjects ? [queryParameter("pretty")] : []),
  ];
}
