import { beforeEach, describe, expect, it } from "vitest";

import { CONFIG_MAPS, configMap, TestServer, type TestEvent } from "../support/test-server.ts";

const summary = (events: readonly TestEvent[]): readonly string[] =>
  events.map(({ type, object }) => `${type} ${String(object.metadata?.name ?? object.code)}`);

describe("watch", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  const listVersion = async (): Promise<string> =>
    (await server.get(CONFIG_MAPS)).body.metadata.resourceVersion as string;

  it("row 10: tells every change after a list, in order of resourceVersions", async () => {
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${await listVersion()}`);
    await server.post(CONFIG_MAPS, configMap("a"));
    await server.put(`${CONFIG_MAPS}/a`, configMap("a", { a: "2" }));
    await server.delete(`${CONFIG_MAPS}/a`);
    const events = await watch.take(3);
    watch.stop();
    expect(summary(events)).toEqual(["ADDED a", "MODIFIED a", "DELETED a"]);
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((left, right) => left - right));
    expect(new Set(versions).size).toBe(3);
  });

  it.each(["row 11: unset", "row 12: 0"])("begins with what exists when the resourceVersion is %s", async (title) => {
    await server.post(CONFIG_MAPS, configMap("b"));
    await server.post(CONFIG_MAPS, configMap("a"));
    const version = title.endsWith("0") ? "&resourceVersion=0" : "";
    const watch = await server.watch(`${CONFIG_MAPS}?watch=true${version}`);
    expect(summary(await watch.take(2))).toEqual(["ADDED a", "ADDED b"]);
    await server.post(CONFIG_MAPS, configMap("c"));
    expect(summary(await watch.take(1))).toEqual(["ADDED c"]);
    watch.stop();
  });

  it("row 89: turns changes of labels into ADDED and DELETED at the edge of a selector", async () => {
    const watch = await server.watch(
      `${CONFIG_MAPS}?watch=1&labelSelector=k%3Dv&resourceVersion=${await listVersion()}`,
    );
    await server.post(CONFIG_MAPS, configMap("a", { n: "1" }, { labels: { k: "w" } }));
    await server.put(`${CONFIG_MAPS}/a`, configMap("a", { n: "2" }, { labels: { k: "v" } }));
    await server.put(`${CONFIG_MAPS}/a`, configMap("a", { n: "3" }, { labels: { k: "v" } }));
    const left = await server.put(`${CONFIG_MAPS}/a`, configMap("a", { n: "4" }, { labels: { k: "w" } }));
    const events = await watch.take(3);
    watch.stop();
    expect(summary(events)).toEqual(["ADDED a", "MODIFIED a", "DELETED a"]);
    expect(events[2]?.object.data).toEqual({ n: "3" });
    expect(events[2]?.object.metadata.resourceVersion).toBe(left.body.metadata.resourceVersion);
  });

  it("row 94: opens and ends with one 410 when the history is gone", async () => {
    const version = await listVersion();
    await server.post(CONFIG_MAPS, configMap("a"));
    server.server.faults.expireHistory();
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${version}`);
    const events = await watch.rest();
    expect([watch.code, summary(events)]).toEqual([200, ["ERROR 410"]]);
    expect(events[0]?.object).toMatchObject({ kind: "Status", reason: "Expired" });
    expect(events[0]?.object.message).toMatch(/^too old resource version: \d+ \(\d+\)$/);
  });

  it("row 95: sends a bookmark two seconds before the end", async () => {
    const watch = await server.watch(
      `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=5&resourceVersion=${await listVersion()}`,
    );
    server.clock.step(3000);
    const [bookmark] = await watch.take(1);
    expect([bookmark?.type, bookmark?.object.kind]).toEqual(["BOOKMARK", "ConfigMap"]);
    expect(Object.keys(bookmark?.object.metadata as object)).toEqual(["resourceVersion"]);
    server.clock.step(2000);
    expect(await watch.rest()).toEqual([]);
  });

  it("sends bookmarks at the interval, with the newest resourceVersion of anything", async () => {
    const watch = await server.watch(
      `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&resourceVersion=${await listVersion()}`,
    );
    await server.post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } });
    server.clock.step(60_000);
    server.clock.step(60_000);
    const bookmarks = await watch.take(2);
    watch.stop();
    expect(bookmarks.map(({ object }) => object.metadata.resourceVersion)).toEqual([
      await listVersion(),
      await listVersion(),
    ]);
  });

  it("row 96: marks the end of the initial events", async () => {
    await server.post(CONFIG_MAPS, configMap("a"));
    const watch = await server.watch(
      `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    );
    const [added, bookmark] = await watch.take(2);
    watch.stop();
    expect([added?.type, bookmark?.type, bookmark?.object.metadata.annotations]).toEqual([
      "ADDED",
      "BOOKMARK",
      { "k8s.io/initial-events-end": "true" },
    ]);
  });

  it("row 97: ends cleanly after timeoutSeconds", async () => {
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&timeoutSeconds=5`);
    server.clock.step(5000);
    expect(await watch.rest()).toEqual([]);
  });

  it("sees only its namespace and its name", async () => {
    await server.post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } });
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&fieldSelector=metadata.name%3Da`);
    await server.post("/api/v1/namespaces/other/configmaps", configMap("a"));
    await server.post(CONFIG_MAPS, configMap("b"));
    await server.post(CONFIG_MAPS, configMap("a"));
    const [event] = await watch.take(1);
    watch.stop();
    expect([event?.object.metadata.name, event?.object.metadata.namespace]).toEqual(["a", "default"]);
  });

  it("ends when faults drop it, and goes on from where it was", async () => {
    const version = await listVersion();
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${version}`);
    server.server.faults.dropWatches({ resource: "configmaps" });
    expect(await watch.rest()).toEqual([]);
    await server.post(CONFIG_MAPS, configMap("a"));
    const again = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${version}`);
    expect(summary(await again.take(1))).toEqual(["ADDED a"]);
    again.stop();
  });
});
