import { afterEach, describe, expect, it } from "vitest";

import type { InProcessController } from "../../src/pipeline/server-context.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";
import { CONFIG_MAPS, configMap, fooCrd, FOOS, foo, TestServer } from "../support/test-server.ts";

describe("createApiServer", () => {
  const servers: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  it("holds the namespaces of a cluster from the beginning", async () => {
    const server = new TestServer();
    const { body } = await server.get("/api/v1/namespaces");
    expect(body.items.map((each: { metadata: { name: string } }) => each.metadata.name)).toEqual([
      "default",
      "kube-node-lease",
      "kube-public",
      "kube-system",
    ]);
  });

  it("answers over HTTP as it does in the process", async () => {
    const server = createApiServer();
    servers.push(server);
    const { url } = await server.listen();
    const created = await fetch(`${url}${CONFIG_MAPS}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(configMap("a")),
    });
    const overHttp = await (await fetch(`${url}${CONFIG_MAPS}/a`)).json();
    const inProcess = await (await server.handle(new Request(`http://x${CONFIG_MAPS}/a`))).json();
    expect([created.status, overHttp]).toEqual([201, inProcess]);
  });

  it("streams a watch over HTTP and ends it when it closes", async () => {
    const server = createApiServer();
    const { url } = await server.listen();
    const response = await fetch(`${url}${CONFIG_MAPS}?watch=1`);
    await fetch(`${url}${CONFIG_MAPS}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(configMap("a")),
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(JSON.parse(Buffer.from(value as Uint8Array).toString())).toMatchObject({
      type: "ADDED",
      object: { kind: "ConfigMap" },
    });
    await server.close();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow("fetch failed");
  });

  it("row 125: refuses a body beyond three mebibytes", async () => {
    const server = new TestServer();
    const { code, body } = await server.post(CONFIG_MAPS, configMap("a", { a: "x".repeat(3 * 1024 * 1024) }));
    expect([code, body.message]).toEqual([413, "Request entity too large: limit is 3145728"]);
  });

  it("returns to a snapshot, ends watches with 410 and goes on with newer resourceVersions", async () => {
    const server = new TestServer();
    await server.post(CONFIG_MAPS, configMap("kept"));
    const snapshot = server.server.snapshot();
    await server.post(CONFIG_MAPS, configMap("gone"));
    await server.delete(`${CONFIG_MAPS}/kept`);
    const before = (await server.get(CONFIG_MAPS)).body.metadata.resourceVersion as string;
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${before}`);
    await server.server.restore(snapshot);
    expect((await watch.rest()).map(({ type, object }) => [type, object.code])).toEqual([["ERROR", 410]]);
    const { body } = await server.get(CONFIG_MAPS);
    expect(body.items.map((each: { metadata: { name: string } }) => each.metadata.name)).toEqual(["kept"]);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(before));
  });

  it("forgets custom resources on a reset", async () => {
    const server = new TestServer();
    await server.define(fooCrd());
    await server.post(FOOS, foo("a"));
    await server.server.reset();
    expect((await server.get(FOOS)).text).toBe("404 page not found\n");
    await server.define(fooCrd());
    expect((await server.get(FOOS)).body.items).toEqual([]);
  });

  it("does not take the snapshot of another server", async () => {
    const foreign = new TestServer().server.snapshot();
    await expect(new TestServer().server.restore(foreign)).rejects.toMatchObject({
      code: "APISERVER_FOREIGN_SNAPSHOT",
    });
  });

  it("starts controllers once it listens, and stops them in reverse before it closes", async () => {
    const calls: string[] = [];
    const controller = (name: string): InProcessController => ({
      name,
      start: () => calls.push(`start ${name}`),
      stop: async () => {
        calls.push(`stop ${name}`);
      },
      idle: async () => {},
    });
    const server = createApiServer({ controllers: [() => controller("a"), () => controller("b")] });
    expect(calls).toEqual([]);
    await server.listen();
    await server.close();
    expect(calls).toEqual(["start a", "start b", "stop b", "stop a"]);
  });

  it("stores initial objects and refuses those of kinds that are not built in", () => {
    const object = configMap("first", { a: "b" }, { namespace: "default" });
    const server = createApiServer({ initialObjects: () => [object] });
    const reader = server.context.objects;
    expect(reader.get({ group: "", resource: "configmaps" }, { namespace: "default", name: "first" })).toMatchObject({
      data: { a: "b" },
    });
    expect(() => createApiServer({ initialObjects: () => [foo("a")] })).toThrow("the kind is not built in");
  });

  it("hands frozen objects to those who read the store", async () => {
    const server = new TestServer();
    await server.post(CONFIG_MAPS, configMap("a"));
    const [object] = server.server.context.objects.list({ group: "", resource: "configmaps" });
    expect(Object.isFrozen(object?.["data"])).toBe(true);
  });
});
