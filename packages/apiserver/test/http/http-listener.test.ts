import { Agent, request } from "node:http";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ApiServer } from "../../src/server/api-server.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";
import { configMap, CONFIG_MAPS } from "../support/test-server.ts";
import { rawRequest, sendRaw } from "./raw-request.ts";

const JSON_BODY = "Content-Type: application/json";
const LIMIT = 3 * 1024 * 1024;

let server: ApiServer;
let port: number;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeEach(async () => {
  server = createApiServer({
    admission: [() => ({ name: "Warner", validate: ({ warn }) => warn("\u4f60\u597d \u{1f600} caf\u00e9") })],
  });
  ({ port } = await server.listen());
});

afterEach(async () => server.close());

async function post(bodyParts: readonly string[], headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      { port, host: "127.0.0.1", agent, method: "POST", path: CONFIG_MAPS, headers },
      (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    outgoing.once("error", reject);
    for (const part of bodyParts) outgoing.write(part);
    outgoing.end();
  });
}

describe("the listener", () => {
  it.each([
    ["with a length", { "content-type": "application/json", "content-length": String(8 * LIMIT) }],
    ["in chunks", { "content-type": "application/json" }],
  ])("answers 413 to a body %s that is far too long, and then serves the client", async (_title, headers) => {
    const parts = Array.from({ length: 8 }, () => " ".repeat(LIMIT));
    expect(await post(parts, headers)).toBe(413);
    expect(await post([JSON.stringify(configMap("after"))], { "content-type": "application/json" })).toBe(201);
  });

  it("does not ask for a body that it will not read", async () => {
    const headers = [JSON_BODY, "Expect: 100-continue", `Content-Length: ${String(2 * LIMIT)}`];
    const refused = await sendRaw(port, rawRequest(`POST ${CONFIG_MAPS}`, { headers }));
    expect(refused.text).toMatch(/^HTTP\/1.1 413 /u);
    const body = JSON.stringify(configMap("a"));
    const accepted = await sendRaw(
      port,
      rawRequest(`POST ${CONFIG_MAPS}`, { headers: [JSON_BODY, "Expect: 100-continue"], body }),
    );
    expect(accepted.text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /u);
  });

  it("sends warnings in UTF-8", async () => {
    const body = JSON.stringify(configMap("a"));
    const answer = await sendRaw(port, rawRequest(`POST ${CONFIG_MAPS}`, { headers: [JSON_BODY], body }));
    expect(answer.status).toBe(201);
    expect(Buffer.from(answer.text, "latin1").toString("utf8")).toContain(
      'Warning: 299 - "\u4f60\u597d \u{1f600} caf\u00e9"',
    );
  });

  it("reads headers as UTF-8", async () => {
    const agentName = Buffer.from("User-Agent: b\u00e4r/1", "utf8").toString("latin1");
    const patch = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "1" } });
    const applied = await sendRaw(
      port,
      rawRequest(`PATCH ${CONFIG_MAPS}/a?fieldManager=x`, {
        headers: ["Content-Type: application/apply-patch+yaml"],
        body: patch,
      }),
    );
    expect(applied.status).toBe(201);
    const body = JSON.stringify({ data: { b: "2" } });
    const headers = ["Content-Type: application/merge-patch+json", agentName];
    await sendRaw(port, rawRequest(`PATCH ${CONFIG_MAPS}/a`, { headers, body }));
    const { body: text } = await sendRaw(port, rawRequest(`GET ${CONFIG_MAPS}/a`));
    expect(Buffer.from(text, "latin1").toString("utf8")).toContain('"manager":"b\u00e4r"');
  });

  it("reads 10,000 headers and a target of half a megabyte, and refuses a megabyte with 431", async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `X-${String(index)}: 1`);
    // The last of them counts, so that none is dropped on the way.
    const headers = [...many, "Accept: application/xml"];
    expect((await sendRaw(port, rawRequest(`GET ${CONFIG_MAPS}`, { headers }))).status).toBe(406);
    expect((await sendRaw(port, rawRequest(`GET ${CONFIG_MAPS}?x=${"y".repeat(500_000)}`))).status).toBe(200);
    expect((await sendRaw(port, rawRequest(`GET ${CONFIG_MAPS}?x=${"y".repeat(1_100_000)}`))).status).toBe(431);
  });

  it("answers 400 to a body that breaks off, and to targets that are no paths", async () => {
    const broken = rawRequest(`POST ${CONFIG_MAPS}`, { headers: [JSON_BODY, "Transfer-Encoding: chunked"] });
    expect((await sendRaw(port, `${broken}zz\r\n`)).status).toBe(400);
    expect((await sendRaw(port, rawRequest("GET /api/%zz/x"))).status).toBe(400);
    expect((await sendRaw(port, rawRequest("GET foo"))).status).toBe(400);
  });
});
