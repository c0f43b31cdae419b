import { Environment } from "@kubescaffold/envtest";
import { Secret } from "@kubescaffold/k8s/core/v1";
import { afterAll, expect, it } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";

const environment = new Environment({ backend: "embedded" });
const stop = new AbortController();
afterAll(async () => {
  stop.abort();
  await environment.stop();
});

function secret(name: string): Secret {
  return Secret.create({ metadata: { namespace: "default", name }, stringData: { token: "x".repeat(1000) } });
}

it("row 66: a cache of metadata requests PartialObjectMetadata and holds no other fields", async () => {
  const config = await environment.start();
  const live = createClient(config);
  await live.create(secret("listed"));
  const accepted = new Set<string>();
  const client = createClient({
    ...config,
    transport: async (request) => {
      if (new URL(request.url).pathname === "/api/v1/secrets") accepted.add(request.headers.get("accept") ?? "");
      return await (config.transport ?? fetch)(request);
    },
  });
  const cache = createCache(client, { logger: silentLogger, registry: createMetricsRegistry() });
  void cache.start(stop.signal);
  const options = { namespace: "default", metadataOnly: true } as const;
  const names = async (): Promise<readonly (string | undefined)[]> =>
    (await cache.list(Secret, options)).items.map(({ metadata }) => metadata.name);
  expect(await names()).toContain("listed");
  await live.create(secret("watched"));
  await expect.poll(names).toContain("watched");
  const { items } = await cache.list(Secret, options);
  for (const item of items) expect(Object.keys(item).toSorted()).toEqual(["apiVersion", "kind", "metadata"]);
  // @ts-expect-error -- so are those of a cache
  const update = live.update(items[0] ?? secret("none"));
  await expect(update).rejects.toMatchObject({ code: "CLIENT_PARTIAL_OBJECT" });
  expect([...accepted].every((accept) => accept.includes("as=PartialObjectMetadata"))).toBe(true);
  expect(accepted.size).toBeGreaterThan(0);
});
