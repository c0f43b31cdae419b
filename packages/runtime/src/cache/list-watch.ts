import { StatusError } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf, Status } from "@kubescaffold/k8s/meta/v1";

import type { KindRef, WatchEvent, WatchingClient } from "../client/client.ts";
import type { ListOptions, WatchOptions } from "../client/options.ts";

/** Lists and watches the objects of one kind, all of them or a selection. */
export interface ListWatch<T extends KubernetesObject> {
  list(options: ListOptions): Promise<ListOf<T>>;
  watch(options: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

/** Which objects of a kind are listed and watched, and how much of them. */
export type ListWatchScope = Pick<ListOptions, "namespace" | "labelSelector" | "fieldSelector" | "metadataOnly">;

/** Lists and watches with a client. */
export function createListWatch<T extends KubernetesObject>(
  client: WatchingClient,
  kind: KindRef<T>,
  scope: ListWatchScope,
): ListWatch<T> {
  return {
    list: async (options) => await client.list(kind, { ...options, ...scope }),
    watch: (options) => client.watch(kind, { ...options, ...scope }),
  };
}

/** A whole list, and whether the server gave it in pages. */
export interface CompleteList<T extends KubernetesObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly isPaginated: boolean;
}

/** How {@link listAllPages} lists. */
interface PagingOptions {
  readonly resourceVersion: string;
  /** Items per page; 0 asks for all at once. */
  readonly pageSize: number;
  readonly signal: AbortSignal;
}

/**
 * Lists page by page; when the pages expire before the last one is read, all at once.
 *
 * Guarantees: the resourceVersion belongs to all items.
 */
export async function listAllPages<T extends KubernetesObject>(
  listWatch: ListWatch<T>,
  paging: PagingOptions,
): Promise<CompleteList<T>> {
  const first: ListOptions = {
    signal: paging.signal,
    resourceVersion: paging.resourceVersion,
    ...(paging.pageSize > 0 ? { limit: paging.pageSize } : {}),
  };
  let page = await listWatch.list(first);
  const items = [...page.items];
  const isPaginated = (page.metadata.continue ?? "") !== "";
  while ((page.metadata.continue ?? "") !== "") {
    const next = await nextPage(listWatch, paging, page.metadata.continue ?? "");
    if (next === undefined) {
      const whole = await listWatch.list({ signal: paging.signal, resourceVersion: paging.resourceVersion });
      return { items: whole.items, resourceVersion: whole.metadata.resourceVersion ?? "", isPaginated: true };
    }
    page = next;
    items.push(...page.items);
  }
  return { items, resourceVersion: page.metadata.resourceVersion ?? "", isPaginated };
}

async function nextPage<T extends KubernetesObject>(
  listWatch: ListWatch<T>,
  paging: PagingOptions,
  token: string,
): Promise<ListOf<T> | undefined> {
  try {
    return await listWatch.list({ signal: paging.signal, limit: paging.pageSize, continue: token });
  } catch (error) {
    if (isExpired(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Says whether a status means that a resourceVersion or continue token is too old. */
export function isExpiredStatus(status: Status): boolean {
  return status.reason === "Expired" || status.reason === "Gone" || status.code === 410;
}

/** Says whether an error means that a resourceVersion or continue token is too old. */
export function isExpired(error: unknown): boolean {
  return error instanceof StatusError && isExpiredStatus(error.status);
}

/** Says whether a status means that the server has too much to do. */
export function isTooManyRequestsStatus(status: Status): boolean {
  return status.reason === "TooManyRequests" || status.code === 429;
}

/** Says whether an error means that the server does not have a resourceVersion yet, for instance after it was restored from a backup. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (!(error instanceof StatusError) || (error.status.reason !== "Timeout" && error.status.code !== 504)) {
    return false;
  }
  const causes = error.status.details?.causes ?? [];
  return (
    causes.some((cause) => cause.reason === "ResourceVersionTooLarge") ||
    (error.status.message ?? "").includes("Too large resource version")
  );
}
