import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { type Answer, requestsOf } from "../support/cluster-requests.ts";

const GROUP_VERSION = "broken.example.com/v1";
const ROOT = `/apis/${GROUP_VERSION}`;
const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const AGGREGATED_PROTOBUF = AGGREGATED.replace("json", "vnd.kubernetes.protobuf");
const SWAGGER_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const DEEP = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;

let cluster: EmbeddedCluster;

async function get(path: string, accept: string = "application/json"): Promise<Answer> {
  return await requestsOf(cluster.config, [["accept", accept]]).get(path);
}

interface Item {
  readonly metadata: { readonly name: string };
  readonly versions: readonly object[];
}

async function brokenVersions(): Promise<readonly object[] | undefined> {
  const { body } = await get("/apis", AGGREGATED);
  return (body["items"] as readonly Item[]).find(({ metadata }) => metadata.name === "broken.example.com")?.versions;
}

describe("a server that answers with other documents than it should", () => {
  // What it answers every path with.
  let text = "";

  beforeAll(() => {
    const handle = (): Response => new Response(text, { headers: { "content-type": AGGREGATED } });
    cluster = createEmbeddedCluster({ aggregatedServers: [{ groupVersions: [GROUP_VERSION], handle }] });
  });

  afterAll(async () => cluster.close());

  it.each([
    ["text", "nothing"],
    ["an empty body", ""],
    ["null", "null"],
    ["a list", "[]"],
    ["members of other types", '{"items":{},"resources":7,"paths":[],"definitions":"x"}'],
    ["items that are no objects", '{"items":[null],"resources":[null],"paths":{"/x":null},"definitions":{"x":null}}'],
    [
      "objects with members of other types",
      `{"items":[{"metadata":{"name":"broken.example.com"},"versions":[{"version":"v1","resources":[{"resource":1}]}]}],
        "resources":[{"name":{}}],"paths":{"a":{"serverRelativeURL":1}},"definitions":{"a":{"type":1,"maxLength":"x"}}}`,
    ],
    ["JSON that is too deep", DEEP],
    ["deep members", `{"items":[${DEEP}],"resources":[${DEEP}],"paths":{"a":${DEEP}},"definitions":{"a":${DEEP}}}`],
  ])("does not break those of others: %s", async (_, wrong) => {
    text = wrong;
    expect(await brokenVersions()).toEqual([{ version: "v1", freshness: "Stale" }]);
    expect(await get("/apis", AGGREGATED_PROTOBUF)).toMatchObject({ status: 200 });
    expect(await get("/openapi/v3")).toMatchObject({
      status: 200,
      body: { paths: { "api/v1": { serverRelativeURL: expect.stringContaining("/openapi/v3/api/v1") as string } } },
    });
    expect(await get("/openapi/v3/apis/broken.example.com/v1")).toMatchObject({ status: 404 });
    const swagger = await get("/openapi/v2");
    expect(swagger).toMatchObject({ status: 200, body: { swagger: "2.0" } });
    expect(Object.keys(swagger.body["definitions"] as object)).toContain("io.k8s.api.core.v1.Pod");
    expect(await get("/openapi/v2", SWAGGER_PROTOBUF)).toMatchObject({ status: 200 });
  });

  it("does not replace documents and prototypes", async () => {
    text = `{"swagger":"2.0","paths":{"api/v1":{"serverRelativeURL":"/stolen"},"__proto__":{"serverRelativeURL":"/x"}},
        "definitions":{"__proto__":{"type":"object","constructor":1,"example":9007199254740993}}}`;
    const { paths } = (await get("/openapi/v3")).body as { readonly paths: Readonly<Record<string, object>> };
    expect(paths["api/v1"]).toMatchObject({
      serverRelativeURL: expect.stringContaining("/openapi/v3/api/v1") as string,
    });
    expect(Object.keys(paths)).toContain("__proto__");
    const { definitions } = (await get("/openapi/v2")).body as { readonly definitions: object };
    expect(Object.keys(definitions)).toEqual(expect.arrayContaining(["__proto__", "io.k8s.api.core.v1.Pod"]));
    expect(await get("/openapi/v2", SWAGGER_PROTOBUF)).toMatchObject({ status: 200 });
  });

  it("lists null for what is absent, like servers in Go", async () => {
    const resource = '{"resource":"foos","responseKind":null,"verbs":null,"shortNames":null}';
    text = `{"items":[{"metadata":null,"versions":null},
        {"metadata":{"name":"broken.example.com"},"versions":[{"version":"v1","resources":[${resource}]}]}]}`;
    expect(await brokenVersions()).toMatchObject([
      { version: "v1", freshness: "Current", resources: [JSON.parse(resource)] },
    ]);
    expect(await get("/apis", AGGREGATED_PROTOBUF)).toMatchObject({ status: 200 });
  });
});

describe("a server that does not answer", () => {
  afterEach(async () => cluster.close());

  it.each([
    ["at all", async () => await new Promise<Response>(() => undefined)],
    ["to the end", () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) }))],
  ])("delays the documents of others for five seconds: %s", async (_, handle) => {
    const clock = new FakeClock();
    cluster = createEmbeddedCluster({ clock, aggregatedServers: [{ groupVersions: [GROUP_VERSION], handle }] });
    let isOver = false;
    const versions = brokenVersions().finally(() => {
      isOver = true;
    });
    await expect
      .poll(() => {
        clock.step(5000);
        return isOver;
      })
      .toBe(true);
    expect(await versions).toEqual([{ version: "v1", freshness: "Stale" }]);
  });
});

describe("a forwarded response without a body", () => {
  afterEach(async () => cluster.close());

  it.each([204, 304])("completes: %s", async (status) => {
    const stages: string[] = [];
    cluster = createEmbeddedCluster({
      aggregatedServers: [{ groupVersions: [GROUP_VERSION], handle: () => new Response(null, { status }) }],
      audit: { policy: { rules: [{ level: "Metadata" }] }, onEvent: ({ stage }) => stages.push(stage) },
    });
    const { transport, credentials } = cluster.config;
    const headers = { authorization: `Bearer ${credentials?.kind === "token" ? credentials.token : ""}` };
    const signal = new AbortController().signal;
    const response = await transport?.exchange?.({
      method: "GET",
      path: `${ROOT}/foos`,
      headers,
      body: undefined,
      signal,
    });
    expect(response).toMatchObject({ status, body: "" });
    expect(stages).toEqual(["RequestReceived", "ResponseComplete"]);
  });

  it("to HEAD is not read", async () => {
    let cancelled = 0;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel: () => {
        cancelled += 1;
      },
    });
    const handle = (): Response => new Response(body, { headers: { "content-length": "1" } });
    cluster = createEmbeddedCluster({ aggregatedServers: [{ groupVersions: [GROUP_VERSION], handle }] });
    const { transport, credentials } = cluster.config;
    const headers = { authorization: `Bearer ${credentials?.kind === "token" ? credentials.token : ""}` };
    const response = await transport?.(new Request(`http://cluster${ROOT}/foos`, { method: "HEAD", headers }));
    expect(await response?.text()).toBe("");
    expect(response?.headers.get("content-length")).toBe("1");
    expect(cancelled).toBe(1);
  });
});
