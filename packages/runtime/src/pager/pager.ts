import { isResourceExpired, checkNumbers } from "@kubescaffold/k8s";
import type { ListOf, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { onAbort, untilAborted } from "@kubescaffold/platform/clock";

import type { ListOptions } from "../client/options.ts";
import { signalOf } from "../client/requests.ts";
import { InvalidPageBufferError } from "./errors.ts";

/**
 * Requests one page, or the whole list without a limit.
 *
 * client-go: tools/pager.ListPageFunc
 */
export type ListPageFunction<T extends ReadonlyObject> = (options: ListOptions) => Promise<ListOf<T>>;

/** Options of {@link createListPager}. */
export interface ListPagerOptions {
  /** The number of items per page, unless the list options set `limit`. Default: 500. */
  readonly pageSize?: number;
  /** Whether `list` requests the whole list at once when the continue token expires. Default: true. */
  readonly fullListIfExpired?: boolean;
  /** The number of pages that `eachListItem` requests ahead of its consumer. Default: 10. */
  readonly pageBufferSize?: number;
}

/** A complete list. */
export interface PagedList<T extends ReadonlyObject> {
  /** The list with the items of all pages, and the metadata of the first. */
  readonly list: ListOf<T>;
  /** Whether the server returned several pages. */
  readonly isPaginated: boolean;
}

/**
 * Reads long lists in pages.
 *
 * client-go: tools/pager.ListPager
 */
export interface ListPager<T extends ReadonlyObject> {
  /**
   * Reads all pages. If the continue token expires after the first page, it requests the whole list at the version of the first request.
   *
   * Fails: with the error of a page, or with the signal's reason.
   */
  list(options?: ListOptions): Promise<PagedList<T>>;
  /**
   * Yields the items of all pages, and requests following pages ahead.
   *
   * Guarantees: leaving the iteration cancels the open request; items before a failed page are yielded before the failure.
   * Fails: with the error of a page, also when the continue token expires (410), or with the signal's reason.
   */
  eachListItem(options?: ListOptions): AsyncIterable<T>;
}

/**
 * Creates a pager on a function that requests one page.
 *
 * client-go: tools/pager.New
 *
 * @example
 * const pods = pager.createListPager((options) => client.list(Pod, options));
 * for await (const pod of pods.eachListItem({ namespace: "default" })) {
 *   console.log(pod.metadata.name);
 * }
 */
export function createListPager<T extends ReadonlyObject>(
  listPage: ListPageFunction<T>,
  options: ListPagerOptions = {},
): ListPager<T> {
  checkNumbers("the pager", options, { pageSize: "count", pageBufferSize: "count" });
  const { pageSize = 500, fullListIfExpired = true, pageBufferSize = 10 } = options;
  if (!Number.isInteger(pageBufferSize) || pageBufferSize < 0) {
    throw new InvalidPageBufferError(pageBufferSize);
  }
  const limited = (list: ListOptions): ListOptions => ({
    ...list,
    ...signalOf(list),
    limit: list.limit === undefined || list.limit === 0 ? pageSize : list.limit,
  });
  return {
    list: async (list = {}) => await listAll(listPage, limited(list), fullListIfExpired),
    eachListItem: (list = {}) => eachItem(listPage, limited(list), pageBufferSize),
  };
}

async function listAll<T extends ReadonlyObject>(
  listPage: ListPageFunction<T>,
  options: ListOptions,
  fullListIfExpired: boolean,
): Promise<PagedList<T>> {
  let first: ListOf<T> | undefined;
  let request = options;
  const items: T[] = [];
  for (;;) {
    request.signal?.throwIfAborted();
    let page: ListOf<T>;
    try {
      page = await listPage(request);
    } catch (error) {
      if (!isResourceExpired(error) || !fullListIfExpired || (request.continue ?? "") === "") {
        throw error;
      }
      return { list: await listPage(wholeList(options)), isPaginated: first !== undefined };
    }
    const token = page.metadata.continue ?? "";
    if (first === undefined && token === "") {
      return { list: page, isPaginated: false };
    }
    first ??= page;
    for (const item of page.items) {
      items.push(item);
    }
    if (token === "") {
      return { list: { ...first, metadata: metadataOf(first), items }, isPaginated: true };
    }
    request = nextRequest(request, token);
  }
}

function metadataOf<T extends ReadonlyObject>({ metadata }: ListOf<T>): ListOf<T>["metadata"] {
  const { continue: _continue, remainingItemCount: _remaining, ...kept } = metadata;
  return kept;
}

function wholeList(options: ListOptions): ListOptions {
  const { limit: _limit, continue: _continue, ...rest } = options;
  return rest;
}

// The server refuses a resourceVersion together with a continue token.
function nextRequest(options: ListOptions, token: string): ListOptions {
  const { resourceVersion: _version, resourceVersionMatch: _match, ...rest } = options;
  return { ...rest, continue: token };
}

async function* eachItem<T extends ReadonlyObject>(
  listPage: ListPageFunction<T>,
  options: ListOptions,
  pageBufferSize: number,
): AsyncGenerator<T, void, undefined> {
  const reading = new AbortController();
  const stopListening = onAbort(options.signal, () => reading.abort(options.signal?.reason));
  const pages = new PageBuffer<T>(listPage, { ...options, signal: reading.signal }, pageBufferSize);
  try {
    for (let page = await pages.take(); page !== undefined; page = await pages.take()) {
      for (const item of page.items) {
        yield item;
      }
    }
  } finally {
    stopListening();
    reading.abort();
  }
}

/** Requests pages one after the other, a limited number of them ahead of its consumer. */
class PageBuffer<T extends ReadonlyObject> {
  readonly #listPage: ListPageFunction<T>;
  readonly #size: number;
  readonly #signal: AbortSignal;
  readonly #pages: Promise<ListOf<T>>[] = [];
  // The request of the next page; undefined after the last page, and while a request is open.
  #next: ListOptions | undefined;
  #isOpen = false;

  constructor(listPage: ListPageFunction<T>, options: ListOptions & { readonly signal: AbortSignal }, size: number) {
    this.#listPage = listPage;
    this.#size = size;
    this.#signal = options.signal;
    this.#next = options;
  }

  /** Returns the next page; undefined after the last one. */
  async take(): Promise<ListOf<T> | undefined> {
    this.#signal.throwIfAborted();
    this.#fill();
    const page = this.#pages[0];
    if (page === undefined) {
      return undefined;
    }
    const taken = await untilAborted(page, this.#signal);
    void this.#pages.shift();
    this.#fill();
    return taken;
  }

  // One page may be open in addition to the buffered ones, so that a buffer of 0 still requests the following page.
  #fill(): void {
    const request = this.#next;
    if (request === undefined || this.#isOpen || this.#signal.aborted || this.#pages.length > this.#size) {
      return;
    }
    this.#next = undefined;
    this.#isOpen = true;
    const page = this.#read(request);
    this.#pages.push(page);
    page.then(
      ({ metadata }) => {
        this.#isOpen = false;
        const token = metadata.continue ?? "";
        this.#next = token === "" ? undefined : nextRequest(request, token);
        this.#fill();
      },
      () => {
        this.#isOpen = false;
      },
    );
  }

  // A function that throws counts as one that rejects.
  async #read(request: ListOptions): Promise<ListOf<T>> {
    return await this.#listPage(request);
  }
}
