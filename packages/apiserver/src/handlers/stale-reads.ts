import type { GroupResource } from "@kubescaffold/k8s";

import type { Verb } from "../request/request-context.ts";
import type { StoreReads } from "../storage/store-reads.ts";
import type { HandlerEnvironment } from "./write-request.ts";

/** Dependencies of gets, lists, and watches. */
export interface ReadEnvironment extends Omit<HandlerEnvironment, "store"> {
  readonly store: StoreReads;
}

/** The cache of a server that lags behind. */
export interface StaleReads {
  /** Returns the cached objects of a resource. */
  of(groupResource: GroupResource): StoreReads;
  /** Returns the present objects of a resource for a watch that starts with them; its later events come from the cache. */
  fromPresent(groupResource: GroupResource): StoreReads;
}

/**
 * Reports whether the cache of a kube-apiserver may answer a read, with data that is as old as the cache. Without a resourceVersion, a read is consistent, and
 * exact versions and further pages of a list come from etcd.
 *
 * k8s.io/apiserver: pkg/storage/cacher
 */
export function readsFromCache(verb: Verb, query: URLSearchParams): boolean {
  const version = query.get("resourceVersion") ?? "";
  if (version === "") return false;
  return verb === "get" || verb === "watch" || (verb === "list" && isListFromCache(query, version));
}

function isListFromCache(query: URLSearchParams, version: string): boolean {
  const match = query.get("resourceVersionMatch") ?? "";
  const isPage = (query.get("continue") ?? "") !== "";
  // A limit with a version and no match is exact.
  const isLegacyExact = match === "" && version !== "0" && Number(query.get("limit") ?? 0) > 0;
  return match !== "Exact" && !isPage && !isLegacyExact;
}
