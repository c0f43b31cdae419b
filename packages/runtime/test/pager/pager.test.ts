import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";
import { settle } from "@kubescaffold/platform/clock";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ListOptions } from "../../src/client/options.ts";
import { createListPager, type ListPageFunction } from "../../src/pager/pager.ts";
import { statusError } from "../support/fake-server.ts";

interface PageServer {
  readonly requests: ListOptions[];
  readonly listPage: ListPageFunction<KubernetesObject>;
}

/** Serves a list in pages; the continue token is the index of the next item. */
function pageServer(
  count: number,
  before: (request: ListOptions, number: number) => void | Promise<void> = () => undefined,
): PageServer {
  const requests: ListOptions[] = [];
  const listPage = async (request: ListOptions): Promise<ListOf<KubernetesObject>> => {
    const { signal, ...recorded } = request;
    requests.push(recorded);
    await before(recorded, requests.length);
    signal?.throwIfAborted();
    const start = Number(request.continue ?? "0");
    const end = request.limit === undefined || request.limit === 0 ? count : Math.min(count, start + request.limit);
    const metadata = {
      resourceVersion: "7",
      ...(end < count ? { continue: String(end), remainingItemCount: count - end } : {}),
    };
    return { apiVersion: "v1", kind: "PodList", metadata, items: names(count).slice(start, end).map(pod) };
  };
  return { requests, listPage };
}

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `pod-${String(index)}`);
}

function pod(name: string): KubernetesObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name } };
}

function namesOf(items: readonly KubernetesObject[]): readonly (string | undefined)[] {
  return items.map(({ metadata }) => metadata.name);
}

async function collect(
  items: AsyncIterable<KubernetesObject>,
  into: KubernetesObject[] = [],
): Promise<KubernetesObject[]> {
  for await (const item of items) into.push(item);
  return into;
}

const expired = (): Error => statusError(410, "Expired");

describe("lists in pages", () => {
  it("a short list is one request of 500 items, returned as it is", async () => {
    const { requests, listPage } = pageServer(3);
    const { list, isPaginated } = await createListPager(listPage).list({ namespace: "default" });
    expect(requests).toEqual([{ namespace: "default", limit: 500 }]);
    expect([list.kind, namesOf(list.items), isPaginated]).toEqual(["PodList", names(3), false]);
  });

  it("following requests have the token, and neither resourceVersion nor its interpretation", async () => {
    const { requests, listPage } = pageServer(5);
    const { list, isPaginated } = await createListPager(listPage, { pageSize: 2 }).list({
      resourceVersion: "5",
      resourceVersionMatch: "NotOlderThan",
    });
    expect(requests).toEqual([
      { limit: 2, resourceVersion: "5", resourceVersionMatch: "NotOlderThan" },
      { limit: 2, continue: "2" },
      { limit: 2, continue: "4" },
    ]);
    expect([namesOf(list.items), list.metadata, isPaginated]).toEqual([names(5), { resourceVersion: "7" }, true]);
  });

  it("an expired token leads to the whole list at the requested version", async () => {
    const { requests, listPage } = pageServer(5, (_, number) => {
      if (number === 3) throw expired();
    });
    const { list, isPaginated } = await createListPager(listPage, { pageSize: 2 }).list({ resourceVersion: "5" });
    expect(requests[3]).toEqual({ resourceVersion: "5" });
    expect([namesOf(list.items), isPaginated]).toEqual([names(5), true]);
  });

  it.each([
    ["the first page", 1, {}, "Expired"],
    ["a following page without the fallback", 2, { fullListIfExpired: false }, "Expired"],
    ["a following page that is gone for another reason", 2, {}, "Gone"],
  ])("a 410 for %s is thrown", async (_, failing, options, reason) => {
    const { listPage } = pageServer(5, (__, number) => {
      if (number === failing) throw statusError(410, reason);
    });
    await expect(createListPager(listPage, { pageSize: 2, ...options }).list()).rejects.toMatchObject({
      status: { reason },
    });
  });

  it("the signal ends the list before the next page", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const { requests, listPage } = pageServer(5, (_, number) => {
      if (number === 2) controller.abort(reason);
    });
    const pager = createListPager(listPage, { pageSize: 1 });
    await expect(pager.list({ signal: controller.signal })).rejects.toBe(reason);
    expect(requests).toHaveLength(2);
  });

  it("lists and iterations return all items in order, in the pages of the limit", async () => {
    const cases = fc.record({
      count: fc.nat({ max: 40 }),
      pageSize: fc.integer({ min: 1, max: 9 }),
      pageBufferSize: fc.nat({ max: 4 }),
      expiresAt: fc.option(fc.integer({ min: 2, max: 6 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ count, pageSize, pageBufferSize, expiresAt }) => {
        const pages = Math.max(1, Math.ceil(count / pageSize));
        const server = pageServer(count);
        const items = await collect(createListPager(server.listPage, { pageSize, pageBufferSize }).eachListItem());
        expect([namesOf(items), server.requests.length]).toEqual([names(count), pages]);

        const expiring = pageServer(count, (_, number) => {
          if (number === expiresAt) throw expired();
        });
        const { list, isPaginated } = await createListPager(expiring.listPage, { pageSize }).list();
        const isExpired = expiresAt !== undefined && expiresAt <= pages;
        expect([namesOf(list.items), isPaginated]).toEqual([names(count), pages > 1]);
        expect(expiring.requests).toHaveLength(isExpired ? expiresAt + 1 : pages);
      }),
    );
  });
});

describe("iterations over pages", () => {
  it.each([
    [0, 2],
    [3, 5],
  ])("a buffer of %d pages requests %d pages while the first is processed", async (pageBufferSize, expected) => {
    const { requests, listPage } = pageServer(20);
    const items = createListPager(listPage, { pageSize: 1, pageBufferSize }).eachListItem()[Symbol.asyncIterator]();
    await items.next();
    await settle();
    expect(requests).toHaveLength(expected);
    await items.return?.();
  });

  it("nothing is requested before the first item is", async () => {
    const { requests, listPage } = pageServer(3);
    createListPager(listPage).eachListItem();
    await settle();
    expect(requests).toEqual([]);
  });

  it("leaving the iteration cancels the open request and requests nothing more", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const { requests, listPage } = pageServer(20);
    const recording: ListPageFunction<KubernetesObject> = async (options) => {
      signals.push(options.signal);
      return await (signals.length === 1 ? listPage(options) : new Promise<never>(() => undefined));
    };
    for await (const item of createListPager(recording, { pageSize: 1 }).eachListItem()) {
      expect(item.metadata.name).toBe("pod-0");
      await settle();
      break;
    }
    expect([signals.length, requests.length, signals[1]?.aborted]).toEqual([2, 1, true]);
  });

  it("an expired token fails after the items before it", async () => {
    const { listPage } = pageServer(5, (_, number) => {
      if (number === 3) throw expired();
    });
    const items: KubernetesObject[] = [];
    const work = collect(createListPager(listPage, { pageSize: 2 }).eachListItem(), items);
    await expect(work).rejects.toMatchObject({ status: { reason: "Expired" } });
    expect(namesOf(items)).toEqual(names(4));
  });

  it("the signal ends a wait for a page with its reason", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const pager = createListPager<KubernetesObject>(() => new Promise<never>(() => undefined));
    const work = collect(pager.eachListItem({ signal: controller.signal }));
    controller.abort(reason);
    await expect(work).rejects.toBe(reason);
  });

  it.each([-1, 1.5])("a buffer of %d pages is refused", (pageBufferSize) => {
    expect(() => createListPager(pageServer(1).listPage, { pageBufferSize })).toThrow(/pageBufferSize/u);
  });
});
