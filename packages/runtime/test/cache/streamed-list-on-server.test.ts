import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Namespace } from "@kubescaffold/k8s/core/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createRecordingLogger, silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { statusError } from "../support/fake-server.ts";

const COUNT = 25;
const environment = new Environment();
const stops: AbortController[] = [];
let config: RestConfig;
let live: LiveClient;
let namespace = "";

beforeAll(async () => {
  config = await environment.start();
  live = createClient(config);
  const created = await live.create(Namespace.create({ metadata: { generateName: "streamed-" } }));
  namespace = created.metadata.name ?? "";
  for (let index = 0; index < COUNT; index += 1) await create(`item-${String(index)}`);
});

afterAll(async () => {
  for (const stop of stops) stop.abort();
  await environment.stop();
});

const create = (name: string): Promise<ConfigMap> => live.create(ConfigMap.create({ metadata: { namespace, name } }));

/** Starts a cache of the namespace; returns it with the requests for ConfigMaps so far, as "list" or "watch". */
function startCache(client: (recording: LiveClient) => LiveClient) {
  const log = createRecordingLogger();
  const recording = createClient(config, { log, requestLog: ["url"] });
  const cache = createCache(client(recording), {
    logger: silentLogger,
    registry: createMetricsRegistry(),
    defaultNamespaces: { [namespace]: {} },
  });
  const stop = new AbortController();
  stops.push(stop);
  void cache.start(stop.signal);
  const requests = (): readonly string[] =>
    log.records
      .map(({ fields }) => String(fields["url"]))
      .filter((url) => url.includes("/configmaps"))
      .map((url) => (url.includes("watch=true") ? "watch" : "list"));
  return { cache, requests };
}

// A watch fails when its first event is read.
function refusedWatch(): AsyncIterableIterator<never> {
  return {
    next: async () => {
      throw statusError(422, "Invalid");
    },
    [Symbol.asyncIterator]: () => refusedWatch(),
  };
}

describe("the initial objects of a cache", () => {
  it("row 67: and their changes come through one connection", async () => {
    const { cache, requests } = startCache((client) => client);
    const { items } = await cache.list(ConfigMap, { namespace });
    expect(items.filter(({ metadata }) => metadata.name?.startsWith("item-"))).toHaveLength(COUNT);
    await create("streamed-later");
    const names = async (): Promise<readonly unknown[]> =>
      (await cache.list(ConfigMap, { namespace })).items.map(({ metadata }) => metadata.name);
    await expect.poll(names, { timeout: 20_000 }).toContain("streamed-later");
    expect(requests()).toEqual(["watch"]);
  });

  it("row 67: are listed in the same attempt if the server does not stream them", async () => {
    const refused: unknown[] = [];
    const { cache, requests } = startCache((client) => ({
      ...client,
      list: client.list.bind(client),
      watch: (kind, options) => {
        if (options?.sendInitialEvents !== true) return client.watch(kind, options);
        refused.push(options);
        return refusedWatch();
      },
    }));
    const { items } = await cache.list(ConfigMap, { namespace });
    expect(items.filter(({ metadata }) => metadata.name?.startsWith("item-"))).toHaveLength(COUNT);
    await expect.poll(requests).toEqual(["list", "watch"]);
    expect(refused).toHaveLength(1);
  });
});
