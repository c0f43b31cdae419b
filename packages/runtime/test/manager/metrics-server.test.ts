import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as secureRequest } from "node:https";
import { Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";

import { TokenReview } from "@kubescaffold/k8s/authentication/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it, vi } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import { createSelfSignedPair } from "../../src/certificates/self-signed-certificate.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { Manager, ManagerOptions } from "../../src/manager/manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { FakeServer } from "../support/fake-server.ts";

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

interface Review {
  readonly kind: string;
  readonly spec: {
    readonly token?: string;
    readonly user?: string;
    readonly groups?: readonly string[];
    readonly nonResourceAttributes?: unknown;
  };
}

async function start(options: ManagerOptions, reviews: Review[] = []): Promise<Manager> {
  const manager = await createManager(
    {
      server: "https://fake",
      transport: async (request) => {
        const { pathname } = new URL(request.url);
        if (request.method === "GET") return discovery(pathname);
        const review = (await request.json()) as Review;
        reviews.push(review);
        if (review.spec.token === "broken") return new Response("no", { status: 500 });
        const status =
          review.kind === "TokenReview"
            ? { authenticated: review.spec.token !== "stranger", user: { username: review.spec.token, groups: ["g"] } }
            : { allowed: review.spec.user === "reader" };
        return Response.json({ ...review, status }, { status: 201 });
      },
    },
    {
      logger: silentLogger,
      newCache: (_, cacheOptions) => createCache(new FakeServer().client(), cacheOptions),
      ...options,
      metrics: { bindAddress: "127.0.0.1:0", registry: createMetricsRegistry(), ...options.metrics },
    },
  );
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  await manager.elected;
  while (manager.ports.metrics === undefined) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  stops.push(async () => {
    stopping.abort();
    await running;
  });
  return manager;
}

function discovery(pathname: string): Response {
  const resource = (name: string, kind: string) => ({
    name,
    kind,
    namespaced: false,
    singularName: "",
    verbs: ["create"],
  });
  if (pathname.startsWith("/apis/authentication")) {
    return Response.json({
      kind: "APIResourceList",
      groupVersion: "authentication.k8s.io/v1",
      resources: [resource("tokenreviews", "TokenReview")],
    });
  }
  if (pathname.startsWith("/apis/authorization")) {
    return Response.json({
      kind: "APIResourceList",
      groupVersion: "authorization.k8s.io/v1",
      resources: [resource("subjectaccessreviews", "SubjectAccessReview")],
    });
  }
  if (pathname === "/apis") {
    const group = (name: string) => ({
      name,
      versions: [{ groupVersion: `${name}/v1`, version: "v1" }],
      preferredVersion: { groupVersion: `${name}/v1`, version: "v1" },
    });
    return Response.json({
      kind: "APIGroupList",
      groups: [group("authentication.k8s.io"), group("authorization.k8s.io")],
    });
  }
  return Response.json({ kind: "APIVersions", versions: [] });
}

describe("the servers of a manager", () => {
  it("serve the metrics, including the process's, and additional handlers", async () => {
    const manager = await start({ metrics: { extraHandlers: { "/extra": async () => new Response("extra") } } });
    manager.addMetricsServerExtraHandler("/late", async () => new Response("late"));
    const base = `http://127.0.0.1:${String(manager.ports.metrics)}`;
    const answer = await fetch(`${base}/metrics`);
    expect(answer.headers.get("content-type")).toContain("text/plain; version=0.0.4");
    expect(await answer.text()).toContain("nodejs_eventloop_lag_seconds");
    await manager
      .getApiReader()
      .list(TokenReview)
      .catch(() => undefined);
    expect(await (await fetch(`${base}/metrics`)).text()).toContain(
      'rest_client_requests_total{method="GET",host="fake",code="200"}',
    );
    expect(await (await fetch(`${base}/extra`)).text()).toBe("extra");
    expect(await (await fetch(`${base}/late`)).text()).toBe("late");
    expect((await fetch(`${base}/else`)).status).toBe(404);
    expect(() => manager.addMetricsServerExtraHandler("/metrics", async () => new Response(""))).toThrow(
      "the path is already in use",
    );
  });

  it("row 83: over HTTPS without certificate files use a self-signed certificate", async () => {
    const manager = await start({ metrics: { secureServing: true, certDir: "/nonexistent" } });
    const status = await new Promise((resolve, reject) => {
      secureRequest(
        { host: "127.0.0.1", port: manager.ports.metrics, path: "/metrics", rejectUnauthorized: false },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      )
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
  });

  it("guarantee 10: serve a swapped certificate of files without a restart, and stop watching with the manager", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "metrics-certs-"));
    stops.push(async () => await rm(folder, { recursive: true }));
    const clock = new FakeClock();
    const write = async (name: string): Promise<void> => {
      const { cert, key } = await createSelfSignedPair([name], ["127.0.0.1"]);
      await writeFile(path.join(folder, "tls.key"), key);
      await writeFile(path.join(folder, "tls.crt"), cert);
    };
    await write("first.example");
    const manager = await start({ clock, metrics: { secureServing: true, certDir: folder } });
    const served = async (): Promise<string> =>
      await new Promise((resolve, reject) => {
        const socket = connect({ host: "127.0.0.1", port: manager.ports.metrics, rejectUnauthorized: false }, () => {
          resolve(String(socket.getPeerCertificate().subject.CN));
          socket.end();
        }).once("error", reject);
      });
    expect(await served()).toBe("first.example");
    await write("second.example");
    clock.step(10_000);
    await expect.poll(served, { timeout: 20_000 }).toBe("second.example");
    await writeFile(path.join(folder, "tls.crt"), "garbage");
    await expect.poll(() => clock.pendingTimers, { timeout: 20_000 }).toBeGreaterThan(0);
    clock.step(10_000);
    expect(await served()).toBe("second.example");
  });

  it("row 83: deny metrics without a token, with an unknown token, or without permission", async () => {
    const reviews: Review[] = [];
    const manager = await start({ metrics: { filter: "authentication-and-authorization" } }, reviews);
    const read = async (token?: string): Promise<number> => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await fetch(`http://127.0.0.1:${String(manager.ports.metrics)}/metrics`, { headers })).status;
    };
    expect([
      await read(),
      await read("stranger"),
      await read("nobody"),
      await read("reader"),
      await read("broken"),
    ]).toEqual([401, 401, 403, 200, 500]);
    const before = reviews.length;
    expect(await read("reader")).toBe(200);
    expect(reviews).toHaveLength(before);
    expect(reviews.find(({ spec }) => spec.user === "reader")?.spec).toEqual({
      user: "reader",
      groups: ["g"],
      nonResourceAttributes: { path: "/metrics", verb: "get" },
    });
  });

  it("serve no metrics when they are switched off", async () => {
    const listening = vi.spyOn(Server.prototype, "listen");
    const manager = await createManager(
      { server: "https://fake", transport: async () => await Promise.reject(new TypeError("none")) },
      { logger: silentLogger, metrics: { bindAddress: "0" } },
    );
    const stopping = new AbortController();
    const running = manager.start(stopping.signal);
    await manager.elected;
    stopping.abort();
    await running;
    expect([manager.ports.metrics, listening.mock.calls]).toEqual([undefined, []]);
    listening.mockRestore();
  });

  it("row 47: answer health checks under both names, each check by itself too", async () => {
    const manager = await createManager(
      { server: "https://fake", transport: async () => await Promise.reject(new TypeError("none")) },
      { logger: silentLogger, metrics: { bindAddress: "0" }, healthProbeBindAddress: "127.0.0.1:0" },
    );
    manager.addReadyzCheck("bad", () => {
      throw new TypeError("not yet");
    });
    const base = `http://127.0.0.1:${String(manager.ports.health)}`;
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    const readyz = await fetch(`${base}/readyz`);
    expect([readyz.status, await readyz.text()]).toEqual([
      500,
      "[-]bad failed: reason withheld\nreadyz check failed\n",
    ]);
    expect((await fetch(`${base}/readyz/bad`)).status).toBe(500);
    const port = String(manager.ports.health);
    await expect(
      createManager(
        { server: "https://fake" },
        { logger: silentLogger, metrics: { bindAddress: "0" }, healthProbeBindAddress: `127.0.0.1:${port}` },
      ),
    ).rejects.toMatchObject({ code: "MANAGER_LISTEN" });
    await manager.start(AbortSignal.abort());
    await expect(fetch(`${base}/healthz`)).rejects.toThrow("fetch failed");
  });

  it("refuse an address that is none", async () => {
    await expect(createManager({ server: "https://fake" }, { metrics: { bindAddress: "8080" } })).rejects.toMatchObject(
      { code: "MANAGER_BAD_ADDRESS" },
    );
  });

  it("make a certificate that is valid for its names and signed by its own key", async () => {
    const { cert, key } = await createSelfSignedPair(["localhost"], ["127.0.0.1"]);
    const certificate = new X509Certificate(cert);
    expect(certificate.checkHost("localhost")).toBe("localhost");
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(new Date(certificate.validTo).getTime()).toBeGreaterThan(Date.now() + 360 * 86_400_000);
    expect(key).toContain("BEGIN PRIVATE KEY");
  });
});
