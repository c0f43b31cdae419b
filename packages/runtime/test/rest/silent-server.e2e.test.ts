import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { FakeClock, realClock } from "@kubescaffold/platform/clock";
import { describe, expect, it, onTestFinished } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createCluster } from "../../src/manager/cluster.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { type Answer, sendJson, startServer, until } from "./recording-server.ts";

const LIST = {
  kind: "ConfigMapList",
  apiVersion: "v1",
  metadata: { resourceVersion: "1" },
  items: [{ metadata: { name: "one", namespace: "default", resourceVersion: "1" } }],
};
const ONE = { apiVersion: "v1", kind: "ConfigMap", ...LIST.items[0] };
const CONFIG_MAPS = {
  name: "configmaps",
  singularName: "configmap",
  namespaced: true,
  kind: "ConfigMap",
  verbs: ["get"],
};
const DISCOVERY: Readonly<Record<string, object>> = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/apis": { kind: "APIGroupList", groups: [] },
  "/api/v1": { kind: "APIResourceList", groupVersion: "v1", resources: [CONFIG_MAPS] },
};
const IDLE_MS = 90_000;

const hang: Answer = () => undefined;

async function serve(answer: Answer): Promise<string> {
  const server = await startServer(answer);
  onTestFinished(async () => await server.close());
  return server.url;
}

describe("guarantee 8: a server that accepts requests and sends nothing", () => {
  it.each(["GET", "POST", "PATCH", "DELETE"] as const)(
    "guarantee 8: fails a %s after 90 seconds, without any setting",
    async (method) => {
      const clock = new FakeClock();
      const client = createRestClient({ server: await serve(hang) }, { clock });
      onTestFinished(async () => await client.close());
      let isSettled = false;
      const answer = client.request({ method, path: "/x", ...(method === "GET" ? {} : { body: {} }) });
      const outcome = answer.then(
        () => "answered",
        (error: unknown) => (error as { code?: string }).code,
      );
      void outcome.then(() => (isSettled = true));
      await clock.advance(IDLE_MS - 1);
      expect(isSettled).toBe(false);
      await clock.advance(1);
      expect(await outcome).toBe("CLIENT_SERVER_SILENT");
    },
  );

  it("guarantee 8: fails the start of a watch, too, but not a watch that has started", async () => {
    const clock = new FakeClock();
    const url = await serve((response, { url: path }) => {
      if (path === "/started") {
        response.writeHead(200, { "content-type": "application/json" });
        response.write('{"type":"ADDED"}\n');
      }
    });
    const client = createRestClient({ server: url }, { clock });
    onTestFinished(async () => await client.close());
    const waiting = client.stream({ method: "GET", path: "/waiting" })[Symbol.asyncIterator]().next();
    const failure = waiting.then(
      () => undefined,
      (error: unknown) => (error as { code?: string }).code,
    );
    const started = client.stream({ method: "GET", path: "/started" })[Symbol.asyncIterator]();
    expect((await started.next()).value).toEqual({ type: "ADDED" });
    let hasEnded = false;
    void started.next().then(
      () => (hasEnded = true),
      () => (hasEnded = true),
    );
    await clock.advance(10 * IDLE_MS);
    expect(await failure).toBe("CLIENT_SERVER_SILENT");
    expect(hasEnded).toBe(false);
  });

  it("guarantee 8: fails a watch whose refusal stops in the middle of its body", async () => {
    const clock = new FakeClock();
    let hasBegun = false;
    const url = await serve((response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.write('{"kind":');
      hasBegun = true;
    });
    const client = createRestClient({ server: url }, { clock });
    onTestFinished(async () => await client.close());
    const watch = client.stream({ method: "GET", path: "/x" })[Symbol.asyncIterator]().next();
    const failure = watch.catch((error: unknown) => error);
    await until(() => hasBegun);
    await clock.advance(IDLE_MS);
    expect(await failure).toMatchObject({ code: "CLIENT_SERVER_SILENT" });
  });

  it.each(["request", "watch"] as const)(
    "guarantee 8: fails a %s that is unanswered after its credentials were renewed",
    async (kind) => {
      const folder = await mkdtemp(path.join(tmpdir(), "silent-"));
      onTestFinished(async () => await rm(folder, { recursive: true }));
      const file = path.join(folder, "token");
      await writeFile(file, "old");
      const authorizations: unknown[] = [];
      const url = await serve(async (response, { headers }) => {
        authorizations.push(headers.authorization);
        if (headers.authorization !== "Bearer old") return;
        await writeFile(file, "new");
        sendJson(response, { kind: "Status", code: 401 }, 401);
      });
      const clock = new FakeClock();
      const client = createRestClient({ server: url, credentials: { kind: "token-file", path: file } }, { clock });
      onTestFinished(async () => await client.close());
      const options = { method: "GET", path: "/x" } as const;
      const answer =
        kind === "request" ? client.request(options) : client.stream(options)[Symbol.asyncIterator]().next();
      const failure = answer.catch((error: unknown) => error);
      await until(() => authorizations.length === 2);
      await clock.advance(IDLE_MS);
      expect(await failure).toMatchObject({ code: "CLIENT_SERVER_SILENT" });
      expect(authorizations).toEqual(["Bearer old", "Bearer new"]);
    },
  );

  it.each([
    ["the clock of the cluster", {}, "CLIENT_SERVER_SILENT"],
    ["the clock of requests, if there is one", { requestClock: realClock }, "answered"],
  ])("guarantee 8: times the requests of a cluster by %s", async (_, clocks, expected) => {
    let answer: (() => void) | undefined;
    const url = await serve((response, { url: path }) => {
      const found = DISCOVERY[path];
      if (found !== undefined) return sendJson(response, found);
      answer = () => sendJson(response, ONE);
    });
    const clock = new FakeClock();
    const cluster = createCluster({ server: url }, { clock, ...clocks, registry: createMetricsRegistry() });
    const read = cluster.getApiReader().get(ConfigMap, { name: "one", namespace: "default" });
    const outcome = read.then(
      () => "answered",
      (error: unknown) => (error as { code?: string }).code,
    );
    await until(() => answer !== undefined);
    await clock.advance(IDLE_MS);
    answer?.();
    expect(await outcome).toBe(expected);
  });

  it("guarantee 8: fails a response that stops in the middle of its body", async () => {
    const url = await serve((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"kind":');
    });
    // The time between two parts of a body is measured by the transport, on the clock of the machine.
    const client = createRestClient({ server: url, idleTimeoutMs: 1000 });
    onTestFinished(async () => await client.close());
    await expect(client.request({ method: "GET", path: "/x" })).rejects.toMatchObject({
      code: "CLIENT_SERVER_SILENT",
      message: "GET /x: the server sent nothing for 1 s",
    });
  });

  it("guarantee 8: does not limit a response that makes progress", async () => {
    const url = await serve(async (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      for (const part of JSON.stringify({ kind: "ConfigMap" })) {
        response.write(part);
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
      }
      response.end();
    });
    const client = createRestClient({ server: url, idleTimeoutMs: 1500 });
    onTestFinished(async () => await client.close());
    expect(await client.request({ method: "GET", path: "/x" })).toEqual({ kind: "ConfigMap" });
  });

  it("guarantee 8: does not stop a cache, which lists again", async () => {
    let lists = 0;
    const url = await serve((response, { url: path }) => {
      if (path === "/api") sendJson(response, { kind: "APIVersions", versions: ["v1"] });
      else if (path === "/apis") sendJson(response, { kind: "APIGroupList", groups: [] });
      else if (path.startsWith("/api/v1?") || path === "/api/v1")
        sendJson(response, {
          kind: "APIResourceList",
          groupVersion: "v1",
          resources: [
            {
              name: "configmaps",
              singularName: "configmap",
              namespaced: true,
              kind: "ConfigMap",
              verbs: ["list", "watch"],
            },
          ],
        });
      else if (path.includes("watch=")) response.writeHead(200).flushHeaders();
      else if (path.includes("/configmaps")) {
        lists += 1;
        if (lists > 2) sendJson(response, LIST);
      } else sendJson(response, {}, 404);
    });
    const config = { server: url, idleTimeoutMs: 300 };
    const client = createClient(config);
    const cache = createCache(client, { logger: createRecordingLogger(0) });
    const stopping = new AbortController();
    const running = cache.start(stopping.signal);
    onTestFinished(async () => {
      stopping.abort();
      await running;
    });
    expect((await cache.list(ConfigMap)).items.map(({ metadata }) => metadata.name)).toEqual(["one"]);
    expect(lists).toBe(3);
  });
});

it("guarantee 15: requests that are not answered do not occupy the connections for ever", async () => {
  const clock = new FakeClock();
  let isHanging = true;
  const server = await startServer((response) => {
    if (!isHanging) sendJson(response, { kind: "Status" });
  });
  onTestFinished(async () => await server.close());
  const client = createRestClient({ server: server.url }, { clock });
  onTestFinished(async () => await client.close());
  const hung = Array.from({ length: 64 }, (_, index) =>
    client.request({ method: "GET", path: `/${String(index)}` }).catch(() => "failed"),
  );
  await until(() => server.requests.length === 64);
  isHanging = false;
  await clock.advance(IDLE_MS);
  expect(new Set(await Promise.all(hung))).toEqual(new Set(["failed"]));
  expect(await client.request({ method: "GET", path: "/next" })).toEqual({ kind: "Status" });
});
