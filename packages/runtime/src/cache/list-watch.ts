import { isInstance, StatusError } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf, Status } from "@kubescaffold/k8s/meta/v1";

import type { KindRef, LiveClient, WatchEvent } from "../client/client.ts";
import type { ListOptions, WatchOptions } from "../client/options.ts";
import { ConnectionError, RequestTimeoutError, ServerSilentError } from "../rest/errors.ts";

/**
 * Lists and watches the objects of one kind, or a selection of them.
 *
 * client-go: tools/cache.ListerWatcher
 */
export interface ListWatch<T extends KubernetesObject> {
  /** Lists the objects. */
  list(options: ListOptions): Promise<ListOf<T>>;
  /** Watches the objects. */
  watch(options: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

/** The selection of a {@link ListWatch}. */
export type ListWatchScope = Pick<ListOptions, "namespace" | "labelSelector" | "fieldSelector" | "metadataOnly">;

/**
 * Creates a ListWatch on a client.
 *
 * client-go: tools/cache.NewListWatchFromClient
 */
export function createListWatch<T extends KubernetesObject>(
  client: LiveClient,
  kind: KindRef<T>,
  scope: ListWatchScope,
): ListWatch<T> {
  return {
    list: async (options) => await client.list(kind, { ...options, ...scope }),
    watch: (options) => client.watch(kind, { ...options, ...scope }),
  };
}

/** A complete list, and whether the server returned it in pages. */
export interface CompleteList<T extends KubernetesObject> {
  /** The items of all pages. */
  readonly items: readonly T[];
  /** The resourceVersion of the list. */
  readonly resourceVersion: string;
  /** Whether the server returned several pages. */
  readonly isPaginated: boolean;
}

/** Options of {@link listAllPages}. */
interface PagingOptions {
  /** The resourceVersion of the request. */
  readonly resourceVersion: string;
  /** Items per page; 0 requests all items at once. */
  readonly pageSize: number;
  /** Cancels the list when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * Lists page by page; if the continue token expires, lists everything at once.
 *
 * Guarantees: the resourceVersion applies to all items.
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
  const isPaginated = continueOf(page) !== "";
  while (continueOf(page) !== "") {
    const next = await nextPage(listWatch, paging, continueOf(page));
    if (next === undefined) {
      const whole = await listWatch.list({ signal: paging.signal, resourceVersion: paging.resourceVersion });
      return { items: whole.items, resourceVersion: versionOf(whole), isPaginated: true };
    }
    page = next;
    // A server may ignore the limit, and a call has fewer arguments than such a page has items.
    for (const item of page.items) items.push(item);
  }
  return { items, resourceVersion: versionOf(page), isPaginated };
}

// Aggregated servers may leave out the metadata of a list.
type ListMetadata = { readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string } };

function continueOf({ metadata }: ListMetadata): string {
  return metadata?.continue ?? "";
}

function versionOf({ metadata }: ListMetadata): string {
  return metadata?.resourceVersion ?? "";
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

/** Reports whether a status means that a resourceVersion or continue token has expired. */
export function isExpiredStatus(status: Status): boolean {
  return status.reason === "Expired" || status.reason === "Gone" || status.code === 410;
}

/** Reports whether an error means that a resourceVersion or continue token has expired. */
export function isExpired(error: unknown): boolean {
  return isInstance(error, StatusError) && isExpiredStatus(error.status);
}

/** Reports whether a list failed for a reason that passes by itself: the network, an overload, an expired version. */
export function isTransient(error: unknown): boolean {
  if (isInstance(error, StatusError)) {
    const { code = 500 } = error.status;
    return code >= 500 || code === 408 || isTooManyRequestsStatus(error.status) || isExpiredStatus(error.status);
  }
  return (
    isInstance(error, ConnectionError) || isInstance(error, RequestTimeoutError) || isInstance(error, ServerSilentError)
  );
}

/** Reports whether an error means that the server does not support the options of a watch. */
export function isUnsupported(error: unknown): boolean {
  return isInstance(error, StatusError) && UNSUPPORTED.has(error.status.code ?? 0);
}

const UNSUPPORTED: ReadonlySet<number> = new Set([400, 405, 406, 415, 422, 501]);

/** Reports whether a status means that the server is overloaded. */
export function isTooManyRequestsStatus(status: Status): boolean {
  return status.reason === "TooManyRequests" || status.code === 429;
}

/** Reports whether an error means that the server has not reached a resourceVersion yet, for example after it was restored from a backup. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (!isInstance(error, StatusError) || (error.status.reason !== "Timeout" && error.status.code !== 504)) {
    return false;
  }
  const causes = error.status.details?.causes ?? [];
  return (
    causes.some((cause) => cause.reason === "ResourceVersionTooLarge") ||
    (error.status.message ?? "").includes("Too large resource version")
  );
}
