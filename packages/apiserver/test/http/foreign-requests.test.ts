import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ApiServer } from "../../src/server/api-server.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";
import { configMap, CONFIG_MAPS } from "../support/test-server.ts";
import { rawRequest, sendRaw } from "./raw-request.ts";

const JSON_BODY = "Content-Type: application/json";

describe("a server without authentication", () => {
  let server: ApiServer;
  let port: number;

  beforeEach(async () => {
    server = createApiServer();
    ({ port } = await server.listen({ hostNames: ["api.example"] }));
  });

  afterEach(async () => server.close());

  it.each([
    "localhost",
    "LOCALHOST",
    "localhost.",
    "app.localhost",
    "127.0.0.1",
    "[::1]",
    "192.0.2.7",
    "[fe80::1]",
    "api.example",
    "api.example.",
  ])("answers requests for the host %s, with and without a port", async (host) => {
    expect((await sendRaw(port, rawRequest("GET /version", { host }))).status).toBe(200);
    expect((await sendRaw(port, rawRequest("GET /version", { host: `${host}:${String(port)}` }))).status).toBe(200);
  });

  it.each([
    "evil.example",
    "localhost.evil.example",
    "api.example.evil",
    "127.0.0.1.nip.example",
    "0x7f.1",
    "kubernetes",
  ])("refuses requests for the host %s with 421", async (host) => {
    const request = rawRequest("GET /api/v1/secrets", { host, headers: ["Authorization: Bearer anything"] });
    const answer = await sendRaw(port, request);
    expect(answer.status).toBe(421);
    expect(JSON.parse(answer.body)).toMatchObject({ kind: "Status", reason: "MisdirectedRequest", code: 421 });
    expect(answer.body).toContain("hostNames");
  });

  it("takes the host of an absolute target, and refuses several hosts", async () => {
    const absolute = (host: string): string => rawRequest(`GET http://${host}/version`, { host: "localhost" });
    expect((await sendRaw(port, absolute("evil.example"))).status).toBe(421);
    expect((await sendRaw(port, absolute("localhost:1"))).status).toBe(200);
    expect((await sendRaw(port, rawRequest("GET /version", { headers: ["Host: localhost"] }))).status).toBe(400);
  });

  it.each(["http://evil.example", "null", "https://localhost.evil.example", "file://", "http://192.0.2.7"])(
    "refuses writes from the origin %s with 403",
    async (origin) => {
      const body = JSON.stringify(configMap("a"));
      const headers = [`Origin: ${origin}`, JSON_BODY];
      const answer = await sendRaw(port, rawRequest(`POST ${CONFIG_MAPS}`, { headers, body }));
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body)).toMatchObject({ kind: "Status", reason: "Forbidden" });
      expect((await sendRaw(port, rawRequest(`GET ${CONFIG_MAPS}/a`))).status).toBe(404);
    },
  );

  it("refuses what a page of another site loads, and lets its user follow a link", async () => {
    const load = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"];
    expect((await sendRaw(port, rawRequest("GET /version", { headers: load }))).status).toBe(403);
    const follow = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"];
    expect((await sendRaw(port, rawRequest("GET /version", { headers: follow }))).status).toBe(200);
  });

  it.each(["http://localhost:3000", "http://127.0.0.1:8001", "http://[::1]", "http://app.localhost"])(
    "serves pages of the origin %s on the same machine",
    async (origin) => {
      const answer = await sendRaw(port, rawRequest("GET /version", { headers: [`Origin: ${origin}`] }));
      expect(answer.status).toBe(200);
    },
  );

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "refuses bodies of type %s, which pages send without asking, with 415",
    async (type) => {
      const body = JSON.stringify(configMap("a"));
      const request = rawRequest(`POST ${CONFIG_MAPS}`, { headers: [`Content-Type: ${type}`], body });
      expect((await sendRaw(port, request)).status).toBe(415);
    },
  );
});

describe("a cluster with authentication", () => {
  let cluster: EmbeddedCluster;
  let port: number;

  beforeEach(async () => {
    cluster = createEmbeddedCluster();
    ({ port } = await cluster.listen({ hostNames: ["host.docker.internal"] }));
  });

  afterEach(async () => cluster.close());

  it("serves clients with a token under any host and origin, as behind proxies", async () => {
    const { credentials } = cluster.config;
    const token = credentials?.kind === "token" ? credentials.token : "";
    const headers = [`Authorization: Bearer ${token}`, "Origin: https://console.example"];
    const request = rawRequest("GET /api/v1/secrets", { host: "cluster.example", headers });
    expect((await sendRaw(port, request)).status).toBe(200);
  });

  it("serves others under the names of its certificate and its options", async () => {
    for (const host of ["kubernetes.default.svc", "host.docker.internal"])
      expect((await sendRaw(port, rawRequest("GET /healthz", { host }))).status).toBe(200);
    expect((await sendRaw(port, rawRequest("GET /healthz", { host: "evil.example" }))).status).toBe(421);
  });

  it("knows no client by another scheme than bearer tokens", async () => {
    const request = rawRequest("GET /healthz", { host: "evil.example", headers: ["Authorization: Basic YTpi"] });
    expect((await sendRaw(port, request)).status).toBe(421);
  });
});
