import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type Requests, requestsOf } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";
import type { MainProcess } from "../../../src/kubelet/containers/image-definitions.ts";

const NAMESPACE = "/api/v1/namespaces/default";

/** A server in a simulated container, which answers with what it received. */
async function echo({ ports, signal }: MainProcess): Promise<void> {
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url, headers } = request;
      response.writeHead(url === "/missing" ? 404 : 202, { "content-type": "application/json", "x-from": "container" });
      response.end(JSON.stringify({ method, url, headers, text: Buffer.concat(chunks).toString("utf8") }));
    });
  };
  const server = createServer(onRequest);
  ports.listen(8080, (connection) => server.emit("connection", connection));
  if (!signal.aborted) await once(signal, "abort");
}

describe("a proxy", () => {
  let cluster: EmbeddedCluster;
  let admin: Requests;

  beforeEach(async () => {
    cluster = createEmbeddedCluster({ workloadSimulation: true });
    admin = requestsOf(cluster.config);
    cluster.server.start();
    cluster.images.define("echo:*", echo);
    for (const [name, image] of [
      ["echo", "echo:1"],
      ["plain", "plain:1"],
    ]) {
      const ports = [{ name: "http", containerPort: 8080 }];
      const body = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, labels: { app: name } },
        spec: { containers: [{ name: "main", image, ports }] },
      };
      await admin.post(`${NAMESPACE}/pods`, body);
      const spec = { selector: { app: name }, ports: [{ name: "web", port: 80, targetPort: "http" }] };
      await admin.post(`${NAMESPACE}/services`, { apiVersion: "v1", kind: "Service", metadata: { name }, spec });
    }
    await cluster.server.idle();
  });

  afterEach(async () => {
    await cluster.close();
  });

  it.each([
    "pods/echo/proxy/a/b",
    "pods/echo:8080/proxy/a/b",
    "pods/http:echo:8080/proxy/a/b",
    "services/echo/proxy/a/b",
    "services/echo:80/proxy/a/b",
    "services/http:echo:web/proxy/a/b",
  ])("passes a request to the container: %s", async (path) => {
    const answer = await admin.get(`${NAMESPACE}/${path}?c=d`);
    expect(answer).toMatchObject({ status: 202, body: { method: "GET", url: "/a/b?c=d" } });
  });

  it("passes the method, the body, and the status, and no credentials of the API server", async () => {
    const answer = await admin.post(`${NAMESPACE}/pods/echo/proxy/items`, { a: 1 });
    expect(answer).toMatchObject({ status: 202, body: { method: "POST", url: "/items", text: '{"a":1}' } });
    expect(answer.body["headers"]).not.toHaveProperty("authorization");
    expect(await admin.delete(`${NAMESPACE}/pods/echo/proxy/missing`)).toMatchObject({ status: 404 });
    expect(await admin.get(`${NAMESPACE}/pods/echo/proxy/`)).toMatchObject({ body: { url: "/" } });
    expect(await admin.get(`${NAMESPACE}/pods/echo/proxy`)).toMatchObject({ status: 301 });
  });

  it.each([
    ["pods/none/proxy/", 404, 'pods "none" not found'],
    ["services/none/proxy/", 404, 'services "none" not found'],
    ["pods/echo:81/proxy/", 503, "connection refused"],
    ["services/echo:81/proxy/", 503, 'no service port "81" found for service "echo"'],
    ["services/plain/proxy/", 503, 'no endpoints available for service "plain"'],
    ["pods/plain/proxy/", 501, "images.define"],
    ["pods/ftp:echo:21/proxy/", 400, "invalid"],
  ])("fails for %s with %i", async (path, status, message) => {
    const answer = await admin.get(`${NAMESPACE}/${path}`);
    expect(answer.status).toBe(status);
    expect(answer.body["message"]).toContain(message);
  });
});
