import { realClock } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { NotQuietError, WriteCycleError } from "../../../src/server/writes/quiet-errors.ts";
import { CONFIG_MAPS, configMap, TestServer } from "../../support/test-server.ts";

const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(async ({ server }) => await server.close()));
});

function testServer(...options: ConstructorParameters<typeof TestServer>): TestServer {
  const server = new TestServer(...options);
  servers.push(server);
  return server;
}

const MERGE = { "Content-Type": "application/merge-patch+json", "user-agent": "operator/1" };
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

async function patch(server: TestServer, name: string, data: object): Promise<void> {
  const { code } = await server.call("PATCH", `${CONFIG_MAPS}/${name}`, { data }, MERGE);
  expect(code).toBe(200);
}

async function outcome(rest: Promise<unknown>): Promise<unknown> {
  return await rest.catch((error: unknown) => error);
}

/** Reports whether a promise has settled by now. */
function watched(rest: Promise<unknown>): { readonly isSettled: () => boolean } {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  rest.then(settle, settle);
  return { isSettled: () => isSettled };
}

describe("quiet", () => {
  it("resolves when nothing was written for the time of the injected clock, which each write starts again", async () => {
    const server = testServer();
    const rest = server.server.quiet({ ms: 1000 });
    const { isSettled } = watched(rest);
    await server.clock.advance(900);
    const { body } = await server.post(CONFIG_MAPS, configMap("a"));
    await server.clock.advance(900);
    expect(isSettled()).toBe(false);
    await server.clock.advance(100);
    expect(await rest).toEqual({ resourceVersion: body.metadata.resourceVersion });
  });

  it("does not count Leases, Events, and what is ignored", async () => {
    const server = testServer();
    const rest = server.server.quiet({ ms: 1000, ignore: [{ resource: "configmaps", name: "heartbeat" }] });
    await server.clock.advance(900);
    await server.post(LEASES, { metadata: { name: "a" }, spec: { holderIdentity: "x" } });
    await server.post("/api/v1/namespaces/default/events", {
      metadata: { name: "a" },
      involvedObject: { kind: "Node", name: "n", namespace: "default" },
    });
    const { body } = await server.post(CONFIG_MAPS, configMap("heartbeat"));
    await server.clock.advance(100);
    expect(await rest).toEqual({ resourceVersion: body.metadata.resourceVersion });
  });

  it("counts a write that changes nothing, but no dry run", async () => {
    const server = testServer();
    await server.post(CONFIG_MAPS, configMap("a", { k: "v" }));
    const rest = server.server.quiet({ ms: 1000 });
    const { isSettled } = watched(rest);
    await server.clock.advance(900);
    await patch(server, "a", { k: "v" });
    await server.clock.advance(900);
    expect(isSettled()).toBe(false);
    await server.call("PATCH", `${CONFIG_MAPS}/a?dryRun=All`, { data: { k: "2" } }, MERGE);
    await server.clock.advance(100);
    await rest;
  });

  it("waits for the answers of requests, and for a while after them", async () => {
    const server = testServer();
    let release = (): void => undefined;
    server.server.onWrite({ name: "a" }, 1, async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const answer = server.post(CONFIG_MAPS, configMap("a"));
    const rest = server.server.quiet({ ms: 1000 });
    const { isSettled } = watched(rest);
    await server.clock.advance(5000);
    expect(isSettled()).toBe(false);
    release();
    await answer;
    await server.clock.advance(2000);
    await rest;
  });

  it("waits until a client has opened a watch again that the server has ended, but not one that the client has ended", async () => {
    const server = testServer();
    const path = `${CONFIG_MAPS}?watch=1&labelSelector=a%3Db`;
    const watch = await server.watch(path);
    server.server.faults.dropWatches();
    await watch.rest();
    const rest = server.server.quiet({ ms: 1000 });
    const { isSettled } = watched(rest);
    await server.clock.advance(3000);
    const other = await server.watch(`${CONFIG_MAPS}?watch=1`);
    await server.clock.advance(3000);
    expect(isSettled()).toBe(false);
    const again = await server.watch(path);
    other.stop();
    await server.clock.advance(2000);
    await rest;
    again.stop();
  });

  it("waits for the first watch of a client that is starting", async () => {
    const server = testServer();
    const rest = server.server.quiet({ ms: 1000, watches: [{ resource: "configmaps" }] });
    const { isSettled } = watched(rest);
    await server.clock.advance(5000);
    expect(isSettled()).toBe(false);
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1`);
    await server.clock.advance(2000);
    await rest;
    watch.stop();
  });

  it("names the object, the writers, and the fields of writes that repeat", async () => {
    const server = testServer();
    await server.post(CONFIG_MAPS, configMap("a", { k: "0", other: "x" }));
    const rest = outcome(server.server.quiet({ ms: 1000 }));
    for (let round = 0; round < 5; round += 1) {
      await patch(server, "a", { k: "1", time: `2026-01-01T00:00:0${String(round)}Z` });
      await patch(server, "a", { k: "2" });
    }
    const error = await rest;
    expect(error).toBeInstanceOf(WriteCycleError);
    expect(error).toMatchObject({
      code: "APISERVER_WRITE_CYCLE",
      object: { group: "", resource: "configmaps", namespace: "default", name: "a" },
      writers: [{ userAgent: "operator/1", verb: "patch" }],
      period: 2,
      fields: ["data.k"],
      message:
        "configmaps default/a does not come to rest: kubernetes-admin (operator/1) with patch repeated 2 writes of data.k 5 times",
    });
  });

  it("recognizes writes that change nothing, or only a time", async () => {
    for (const data of [() => ({ k: "v" }), (round: number) => ({ k: `at 2026-01-01T00:00:0${String(round)}Z` })]) {
      const server = testServer();
      await server.post(CONFIG_MAPS, configMap("a", { k: "v" }));
      const rest = outcome(server.server.quiet({ ms: 1000 }));
      for (let round = 0; round < 5; round += 1) await patch(server, "a", data(round));
      expect(await rest).toMatchObject({ code: "APISERVER_WRITE_CYCLE", period: 1 });
    }
  });

  it("finds no cycle in writes that make progress", async () => {
    const server = testServer();
    await server.post(CONFIG_MAPS, configMap("a"));
    const rest = server.server.quiet({ ms: 1000 });
    for (let round = 0; round < 50; round += 1) await patch(server, "a", { k: String(round % 2), n: String(round) });
    await server.clock.advance(1000);
    expect(await outcome(rest)).toHaveProperty("resourceVersion");
  });

  it("says what is going on when there is no rest in time", async () => {
    const server = testServer();
    const rest = outcome(server.server.quiet({ ms: 1000, timeoutMs: 3000, watches: [{ resource: "pods" }] }));
    await server.call("POST", CONFIG_MAPS, configMap("b"), { "user-agent": "operator/1" });
    await server.clock.advance(3000);
    const error = await rest;
    expect(error).toBeInstanceOf(NotQuietError);
    expect((error as NotQuietError).reasons).toEqual([
      "kubernetes-admin (operator/1) with create wrote configmaps default/b",
      'no watch of {"resource":"pods"} is open',
    ]);
  });

  it("fails when the server closes", async () => {
    const server = testServer();
    const rest = outcome(server.server.quiet({ ms: 1000 }));
    await server.server.close();
    expect(await rest).toMatchObject({ code: "APISERVER_NOT_QUIET" });
  });

  it("waits on the clock of the machine", async () => {
    const server = testServer({ clock: realClock });
    expect(await outcome(server.server.quiet({ ms: 5 }))).toHaveProperty("resourceVersion");
  });

  it.each([{ ms: -1 }, { ms: Number.NaN }, { ms: 1, timeoutMs: -1 }])("refuses %o", async (options) => {
    expect(String(await outcome(testServer().server.quiet(options)))).toMatch(/ms|timeoutMs/u);
  });
});
