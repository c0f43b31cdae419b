import { Environment } from "@kubescaffold/envtest";
import { isForbidden, type RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Namespace, Secret } from "@kubescaffold/k8s/core/v1";
import { Role, RoleBinding } from "@kubescaffold/k8s/rbac/v1";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { Cache, CacheOptions } from "../../src/cache/cache.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { cachedClient } from "../../src/client/wrapped-clients.ts";
import { createRecordingLogger, silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";

const ENVIRONMENT = new Environment();
const USER = "reader-of-two-namespaces";
const stops: AbortController[] = [];
let config: RestConfig;
let live: LiveClient;
let [first, second, third] = ["", "", ""];

beforeAll(async () => {
  config = await ENVIRONMENT.start();
  live = createClient(config);
  [first, second, third] = [await newNamespace(), await newNamespace(), await newNamespace()];
  for (const namespace of [first, second, third]) {
    await live.create(ConfigMap.create({ metadata: { namespace, name: "plain" } }));
    await live.create(ConfigMap.create({ metadata: { namespace, name: "selected", labels: { selected: "yes" } } }));
  }
});

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});
afterAll(() => ENVIRONMENT.stop());

describe("the cache of a real server", () => {
  it("row 58: concurrent first reads open one watch", async () => {
    const { cache, requests } = startCache({ defaultNamespaces: { [first]: {} } });
    await Promise.all([
      cache.get(ConfigMap, { namespace: first, name: "plain" }),
      cache.list(ConfigMap, { namespace: first }),
      cache.list(ConfigMap, { namespace: first }),
    ]);
    expect(requests()).toEqual([`/api/v1/namespaces/${first}/configmaps`]);
  });

  it("row 59: a strict cache fails for a kind without an informer and sends no request", async () => {
    const { cache, requests } = startCache({ readerFailOnMissingInformer: true });
    await expect(cache.list(ConfigMap)).rejects.toMatchObject({ code: "CACHE_KIND_MISSING" });
    expect(requests()).toEqual([]);
  });

  it("row 60: reads of disabled kinds go to the server, and start no informer", async () => {
    const { cache, client, requests } = startCache({ defaultNamespaces: { [first]: {} } });
    const cached = cachedClient(client, { reader: cache, disableFor: [ConfigMap] });
    await cached.get(ConfigMap, { namespace: first, name: "plain" });
    await cached.get(ConfigMap, { namespace: second, name: "plain" });
    expect(requests()).toEqual([
      `/api/v1/namespaces/${first}/configmaps/plain`,
      `/api/v1/namespaces/${second}/configmaps/plain`,
    ]);
  });

  it("row 61: with roles in two namespaces, those are watched, others fail, and the whole cluster is forbidden", async () => {
    for (const namespace of [first, second]) await allowReads(namespace);
    const user = await ENVIRONMENT.addUser({ name: USER });
    const options = { defaultNamespaces: { [first]: {}, [second]: {} } };
    // An authorizer may learn of a role a moment later.
    await expect
      .poll(async () => (await createClient(user).list(ConfigMap, { namespace: second })).items.length)
      .toBeGreaterThan(1);
    const { cache, requests } = startCache(options, user);
    const { items } = await cache.list(ConfigMap, { labels: { selected: "yes" } });
    expect(new Set(items.map(({ metadata }) => metadata.namespace))).toEqual(new Set([first, second]));
    expect(new Set(requests())).toEqual(
      new Set([first, second].map((each) => `/api/v1/namespaces/${each}/configmaps`)),
    );
    await expect(cache.get(ConfigMap, { namespace: third, name: "plain" })).rejects.toMatchObject({
      code: "CACHE_NAMESPACE_UNKNOWN",
    });
    const whole = startCache({}, user);
    await expect(whole.cache.list(ConfigMap)).rejects.toSatisfy((error) => isForbidden((error as Error).cause));
  });

  it("row 62: the server selects by labels and fields, and an object that no longer matches is deleted", async () => {
    const byField = startCache({ defaultNamespaces: { [first]: { fieldSelector: "metadata.name=plain" } } });
    expect(await namesIn(byField.cache, first)).toEqual(["plain"]);
    const { cache } = startCache({ defaultNamespaces: { [first]: { labelSelector: "selected=yes" } } });
    expect(await namesIn(cache, first)).toEqual(["selected"]);
    const deleted: (string | undefined)[] = [];
    const informer = await cache.getInformer(ConfigMap);
    informer.addEventHandler({
      onAdd: () => undefined,
      onUpdate: () => undefined,
      onDelete: ({ metadata }) => {
        deleted.push(metadata.name);
      },
    });
    const current = await live.get(ConfigMap, { namespace: first, name: "selected" });
    await live.update({ ...current, metadata: { ...current.metadata, labels: {} } });
    await expect.poll(() => deleted).toEqual(["selected"]);
    expect(await namesIn(cache, first)).toEqual([]);
    const changed = await live.get(ConfigMap, { namespace: first, name: "selected" });
    await live.update({ ...changed, metadata: { ...changed.metadata, labels: { selected: "yes" } } });
    await expect.poll(() => namesIn(cache, first)).toEqual(["selected"]);
  });

  it("row 66: a watch of metadata receives no other fields", async () => {
    const metadata = { namespace: first, name: "token" };
    await live.create(Secret.create({ metadata, stringData: { token: "x".repeat(1000) } }));
    const { cache } = startCache({ defaultNamespaces: { [first]: {} } });
    const read = await cache.get(Secret, metadata, { metadataOnly: true });
    expect(read).toMatchObject({ kind: "Secret", metadata });
    expect(Object.keys(read).toSorted()).toEqual(["apiVersion", "kind", "metadata"]);
  });

  it("row 70: a late handler receives the existing objects as initial ones, and later ones not", async () => {
    const { cache } = startCache({ defaultNamespaces: { [third]: { labelSelector: "late" } } });
    await live.create(ConfigMap.create({ metadata: { namespace: third, name: "before", labels: { late: "" } } }));
    expect(await namesIn(cache, third)).toEqual(["before"]);
    const added: (readonly [string | undefined, boolean])[] = [];
    const informer = await cache.getInformer(ConfigMap);
    const registration = informer.addEventHandler({
      onAdd: ({ metadata }, isInInitialList) => {
        added.push([metadata.name, isInInitialList]);
      },
      onUpdate: () => undefined,
      onDelete: () => undefined,
    });
    await registration.waitForSync(new AbortController().signal);
    await live.create(ConfigMap.create({ metadata: { namespace: third, name: "after", labels: { late: "" } } }));
    await expect
      .poll(() => added)
      .toEqual([
        ["before", true],
        ["after", false],
      ]);
  });

  it("row 93: after its informer was removed, a kind is listed again by the next read", async () => {
    const { cache, requests } = startCache({ defaultNamespaces: { [second]: {} } });
    expect(await namesIn(cache, second)).toContain("plain");
    await cache.removeInformer(ConfigMap);
    await live.create(ConfigMap.create({ metadata: { namespace: second, name: "meanwhile" } }));
    expect(await namesIn(cache, second)).toContain("meanwhile");
    expect(requests()).toHaveLength(2);
  });
});

async function newNamespace(): Promise<string> {
  return (await live.create(Namespace.create({ metadata: { generateName: "cache-" } }))).metadata.name;
}

async function allowReads(namespace: string): Promise<void> {
  const metadata = { namespace, name: USER };
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }];
  await live.create(Role.create({ metadata, rules }));
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: USER };
  await live.create(RoleBinding.create({ metadata, roleRef, subjects: [{ kind: "User", name: USER }] }));
}

async function namesIn(cache: Cache, namespace: string): Promise<readonly (string | undefined)[]> {
  const { items } = await cache.list(ConfigMap, { namespace });
  // The controller manager of a real control plane creates one in each namespace.
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

/** Starts a cache; returns it with the paths of the requests for ConfigMaps so far. */
function startCache(options: CacheOptions, user: RestConfig = config) {
  const log = createRecordingLogger();
  const client = createClient(user, { log, requestLog: ["url"] });
  const cache = createCache(client, { logger: silentLogger, registry: createMetricsRegistry(), ...options });
  const stop = new AbortController();
  stops.push(stop);
  void cache.start(stop.signal);
  const requests = (): readonly string[] =>
    log.records
      .map(({ fields }) => fields["url"])
      .filter((url) => typeof url === "string")
      .map((url) => new URL(url).pathname)
      .filter((path) => path.includes("/configmaps"));
  return { cache, client, requests };
}
