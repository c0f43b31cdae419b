import { isDeepStrictEqual } from "node:util";

import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";

import { createApiServer } from "../../../src/server/create-api-server.ts";
import type { StoredWrite } from "../../../src/server/writes/stored-write.ts";
import { CONFIG_MAPS, configMap, TestServer } from "../../support/test-server.ts";

const servers: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => await server.close()));
});

function testServer(): TestServer {
  const server = new TestServer();
  servers.push(server.server);
  return server;
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const named = (write: StoredWrite): string => `${write.verb} ${write.name}`;
const merge = { "Content-Type": "application/merge-patch+json" };

describe("onWrite", () => {
  it("calls the hook at the n-th write that matches, and no other", async () => {
    const server = testServer();
    const seen: string[] = [];
    server.server.onWrite({ resource: "configmaps", verb: "create" }, 2, (write) => {
      seen.push(named(write));
    });
    await server.post("/api/v1/namespaces", { metadata: { name: "other" } });
    for (const name of ["a", "b", "c", "b"]) await server.post(CONFIG_MAPS, configMap(name));
    expect(seen).toEqual(["create b"]);
  });

  it("counts only requests that store something", async () => {
    const server = testServer();
    const seen: string[] = [];
    server.server.onWrite({ name: "a" }, 2, (write) => {
      seen.push(named(write));
    });
    await server.post(CONFIG_MAPS, configMap("a"));
    await server.post(CONFIG_MAPS, configMap("a"));
    await server.call("PATCH", `${CONFIG_MAPS}/a`, { metadata: {} }, merge);
    await server.call("PATCH", `${CONFIG_MAPS}/a?dryRun=All`, { data: { k: "dry" } }, merge);
    expect(seen).toEqual([]);
    await server.delete(`${CONFIG_MAPS}/a`);
    expect(seen).toEqual(["delete a"]);
  });

  it("holds the answer of a write that watches and reads already see", async () => {
    const server = testServer();
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1`);
    const hold = deferred<undefined>();
    const reached = deferred<StoredWrite>();
    server.server.onWrite({ name: "a" }, 1, async (write) => {
      reached.resolve(write);
      return await hold.promise;
    });
    let isAnswered = false;
    const answer = server.post(CONFIG_MAPS, configMap("a", { k: "v" })).then((given) => {
      isAnswered = true;
      return given;
    });
    const write = await reached.promise;
    expect(write).toMatchObject({ verb: "create", group: "", resource: "configmaps", namespace: "default", name: "a" });
    expect(write.changes).toMatchObject([{ change: "created", object: { data: { k: "v" } } }]);
    expect((await watch.take(1))[0]?.object.metadata.resourceVersion).toBe(write.resourceVersion);
    expect((await server.get(`${CONFIG_MAPS}/a`)).code).toBe(200);
    expect(isAnswered).toBe(false);
    hold.resolve(undefined);
    expect((await answer).code).toBe(201);
  });

  it("loses the answer of a stored write: the client finds a broken connection, on a socket as in the process", async () => {
    const server = createApiServer();
    servers.push(server);
    const { url } = await server.listen();
    const post = { method: "POST", headers: { "Content-Type": "application/json" } };
    for (const name of ["socket", "process"]) {
      server.onWrite({ name }, 1, () => "lose");
      const body = JSON.stringify(configMap(name));
      const sent =
        name === "socket"
          ? fetch(`${url}${CONFIG_MAPS}`, { ...post, body })
          : server.handle(new Request(`http://x${CONFIG_MAPS}`, { ...post, body }));
      await expect(sent).rejects.toThrow(name === "socket" ? "fetch failed" : "closed the connection");
      expect((await fetch(`${url}${CONFIG_MAPS}/${name}`)).status).toBe(200);
    }
  });

  it("has all changes of a collection, and none of other objects", async () => {
    const server = testServer();
    for (const name of ["a", "b"]) await server.post(CONFIG_MAPS, configMap(name));
    const reached = deferred<StoredWrite>();
    server.server.onWrite({ verb: "deletecollection" }, 1, (write) => reached.resolve(write));
    await server.delete(CONFIG_MAPS);
    const { name, changes } = await reached.promise;
    expect([name, changes.map(({ change, object }) => [change, object.metadata.name])]).toEqual([
      "",
      [
        ["deleted", "a"],
        ["deleted", "b"],
      ],
    ]);
  });

  it("does not call a hook that was removed", async () => {
    const server = testServer();
    let calls = 0;
    const remove = server.server.onWrite({}, 1, () => {
      calls += 1;
    });
    remove();
    await server.post(CONFIG_MAPS, configMap("a"));
    expect(calls).toBe(0);
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses the occurrence %s", (occurrence) => {
    expect(() => testServer().server.onWrite({}, occurrence, () => undefined)).toThrow(/occurrence/u);
  });
});

describe("the content of a write", () => {
  async function contentOf(
    body: object,
    prepare: (server: TestServer) => Promise<unknown> = async () => undefined,
  ): Promise<string> {
    const server = testServer();
    await prepare(server);
    const reached = deferred<string>();
    server.server.onWrite({ verb: "create", resource: "configmaps" }, 1, ({ content }) => reached.resolve(content));
    await server.post(CONFIG_MAPS, body);
    return await reached.promise;
  }

  it("is the same in another run, at another time and version, for another generated name and owner uid", async () => {
    const generated = (uid: string): object => ({
      metadata: { generateName: "a-", ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n", uid }] },
    });
    const first = await contentOf(generated("5b0c1b6c-4a29-4c9e-9d3e-0d7a0c7f3a11"));
    const second = await contentOf(generated("0f8fad5b-d9cb-469f-a165-70867728950e"), async (server) => {
      await server.clock.advance(5000);
      await server.post("/api/v1/namespaces", { metadata: { name: "earlier" } });
    });
    expect(second).toBe(first);
    expect(first).toMatch(/^create configmaps default\/a-\* [\da-f]{12}$/u);
  });

  it("selects a write in another run", async () => {
    const content = await contentOf(configMap("a", { k: "2" }));
    const server = testServer();
    let reached = "";
    server.server.onWrite({ content }, 1, ({ changes: [{ object }] }) => {
      reached = JSON.stringify(object["data"]);
    });
    for (const value of ["1", "2", "3"]) {
      await server.post(CONFIG_MAPS, configMap("a", { k: value }));
      await server.delete(`${CONFIG_MAPS}/a`);
    }
    expect(reached).toBe('{"k":"2"}');
  });

  it("differs exactly where the data of the writes differ", async () => {
    const data = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/u), fc.stringMatching(/^[a-z]{0,3}$/u), { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(data, data, async (left, right) => {
        const isSame = isDeepStrictEqual({ ...left }, { ...right });
        const contents = [await contentOf(configMap("a", left)), await contentOf(configMap("a", right))];
        expect(contents[0] === contents[1]).toBe(isSame);
      }),
      { numRuns: 8 },
    );
  });
});
