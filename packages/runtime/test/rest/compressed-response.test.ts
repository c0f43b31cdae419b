import { gzipSync } from "node:zlib";

import type { RestConfig } from "@kubescaffold/k8s";
import { describe, expect, it, onTestFinished } from "vitest";

import { parseKubeconfig } from "../../src/config/kubeconfig.ts";
import { restConfigOf } from "../../src/config/rest-config-of.ts";
import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";
import { type Answer, type RecordingServer, startServer } from "./recording-server.ts";

const LIST = { method: "GET", path: "/api/v1/pods" } as const;
const BODY = {
  kind: "PodList",
  items: Array.from({ length: 2000 }, (_, index) => ({ metadata: { name: `pod-${String(index)}ü` } })),
};

async function setUp(
  answer: Answer,
  config: Partial<RestConfig> = { disableCompression: false },
): Promise<{ readonly server: RecordingServer; readonly client: RestClient }> {
  const server = await startServer(answer);
  const client = createRestClient({ server: server.url, ...config });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { server, client };
}

// Answers as kube-apiserver does: in gzip for clients that accept it.
function sendCompressed(change: (body: Buffer) => Buffer = (body) => body): Answer {
  return (response, { headers }) => {
    const text = JSON.stringify(BODY);
    const isAccepted = headers["accept-encoding"] === "gzip";
    response.writeHead(200, {
      "Content-Type": "application/json",
      ...(isAccepted ? { "Content-Encoding": "gzip", Vary: "Accept-Encoding" } : {}),
    });
    response.end(isAccepted ? change(gzipSync(text, { level: 1 })) : text);
  };
}

describe("a response in gzip", () => {
  it("is decompressed for requests, lists that are parsed while they are read, and texts", async () => {
    const { server, client } = await setUp(sendCompressed());
    expect(await client.request(LIST)).toEqual(BODY);
    expect(await client.requestList(LIST, (item) => item)).toEqual(BODY);
    expect(JSON.parse(await client.text(LIST))).toEqual(BODY);
    expect(server.requests.map(({ headers }) => headers["accept-encoding"])).toEqual(["gzip", "gzip", "gzip"]);
  });

  it.each([
    ["ends early", (body: Buffer) => body.subarray(0, body.length - 100), /closed before the response was complete/u],
    ["is not gzip", () => Buffer.from("{}"), /incorrect header check/u],
    [
      "has a wrong checksum",
      (body: Buffer) => Buffer.concat([body.subarray(0, -8), Buffer.alloc(8)]),
      /incorrect data check/u,
    ],
  ])("fails the request if it %s", async (_title, change, message) => {
    const { client } = await setUp(sendCompressed(change));
    const failure = { code: "CLIENT_UNREACHABLE", message: expect.stringMatching(message) };
    await expect(client.request(LIST)).rejects.toMatchObject(failure);
    await expect(client.requestList(LIST, (item) => item)).rejects.toMatchObject(failure);
  });

  it("frees its connection when the list in it cannot be read", async () => {
    const { client } = await setUp(sendCompressed());
    const failing = client.requestList(LIST, () => {
      throw new SyntaxError("an item");
    });
    await expect(failing).rejects.toMatchObject({ code: "CLIENT_UNREADABLE_ANSWER" });
    expect(await client.request(LIST)).toEqual(BODY);
  });

  it("is not asked for by streams", async () => {
    const { server, client } = await setUp((response) => {
      response.end('{"type":"BOOKMARK"}\n');
    });
    for await (const event of client.stream({ ...LIST, query: { watch: "true" } }))
      expect(event).toEqual({ type: "BOOKMARK" });
    expect(server.requests.map(({ headers }) => headers["accept-encoding"])).toEqual([undefined]);
  });

  it.each([
    ["of loopback addresses by default", {}],
    ["with disableCompression", { disableCompression: true }],
  ])("is not asked for: %s", async (_title, config) => {
    const { server, client } = await setUp(sendCompressed(), config);
    expect(await client.request(LIST)).toEqual(BODY);
    expect(server.requests.map(({ headers }) => headers["accept-encoding"])).toEqual([undefined]);
  });

  it.each([true, false, undefined])("follows disable-compression of the kubeconfig: %s", async (setting) => {
    const cluster = {
      server: "https://a.example",
      ...(setting === undefined ? {} : { "disable-compression": setting }),
    };
    const text = JSON.stringify({
      clusters: [{ name: "a", cluster }],
      contexts: [{ name: "a", context: { cluster: "a" } }],
      "current-context": "a",
    });
    expect((await restConfigOf(parseKubeconfig(text, { source: "test" }))).disableCompression).toBe(setting);
  });
});
