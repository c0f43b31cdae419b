import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";

const environment = new Environment({ backend: "embedded" });

let config: RestConfig;

beforeAll(async () => {
  config = await environment.start();
});

afterAll(async () => {
  await environment.stop();
});

describe("a cache of an API server", () => {
  it.each([
    ["guarantee 7: streams the initial objects, and then follows their changes", true],
    ["guarantee 7: lists the initial objects without bookmarks, and then follows their changes", false],
  ])("%s", async (title, streams) => {
    const client = createClient(config);
    const prefix = streams ? "streamed" : "listed";
    const create = async (name: string): Promise<ConfigMap> =>
      await client.create(ConfigMap.create({ metadata: { namespace: "default", name }, data: { title } }));
    for (let index = 0; index < 30; index += 1) await create(`${prefix}-${String(index)}`);
    const paths: string[] = [];
    const transport = config.transport;
    const recording = createClient({
      ...config,
      transport: async (request) => {
        const url = new URL(request.url);
        if (url.pathname.endsWith("/configmaps")) paths.push(url.searchParams.has("watch") ? "watch" : "list");
        if (transport === undefined) throw new Error("the embedded server has a transport");
        return await transport(request);
      },
    });
    const cache = createCache(recording, {
      logger: silentLogger,
      registry: createMetricsRegistry(),
      defaultEnableWatchBookmarks: streams,
    });
    const stop = new AbortController();
    const running = cache.start(stop.signal);
    const cached = await cache.list(ConfigMap);
    const listed = await client.list(ConfigMap);
    const byName = (left: ReadonlyObject, right: ReadonlyObject): number =>
      JSON.stringify(left.metadata) < JSON.stringify(right.metadata) ? -1 : 1;
    expect(cached.items.toSorted(byName)).toEqual(listed.items.toSorted(byName));
    const later = new Promise<string | undefined>((resolve) => {
      void cache.getInformer(ConfigMap).then((informer) =>
        informer.addEventHandler({
          onAdd: ({ metadata }, isInInitialList) => {
            if (!isInInitialList) resolve(metadata.name);
          },
          onUpdate: () => undefined,
          onDelete: () => undefined,
        }),
      );
    });
    await create(`${prefix}-later`);
    expect(await later).toBe(`${prefix}-later`);
    stop.abort();
    await running;
    expect(paths).toEqual(streams ? ["watch"] : ["list", "watch"]);
  });
});
