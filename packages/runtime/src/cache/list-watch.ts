import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";

import type { KindRef, WatchingClient } from "../client/client.ts";
import type { ListOptions, WatchOptions } from "../client/options.ts";
import type { WatchEvent } from "../client/watch-event.ts";
import { isExpired } from "./status-reason.ts";

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
export interface PagingOptions {
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
