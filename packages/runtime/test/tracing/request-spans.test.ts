import { context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { InMemorySpanExporter } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { withoutCallScope } from "../../src/log/call-scope.ts";
import { createRestClient, type RestClient, type RestRequest } from "../../src/rest/rest-client.ts";
import { type Answer, type RecordingServer, sendJson, startServer } from "../rest/recording-server.ts";
import { installSdk, removeSdk } from "./recorded-spans.ts";

let exporter: InMemorySpanExporter;
let server: RecordingServer | undefined;
let client: RestClient | undefined;

beforeEach(() => {
  exporter = installSdk();
});

afterEach(async () => {
  removeSdk();
  await client?.close();
  await server?.close();
});

async function connect(answer: Answer): Promise<RestClient> {
  server = await startServer(answer);
  const { port } = new URL(server.url);
  client = createRestClient({
    server: `http://admin:hunter2@127.0.0.1:${port}`,
    credentials: { kind: "token", token: "s3cr3t-token" },
  });
  return client;
}

const PODS = "/api/v1/namespaces/team/pods";
const send = async (request: Partial<RestRequest>, answer: Answer = (response) => sendJson(response, {})) =>
  await (await connect(answer)).request({ method: "GET", path: PODS, ...request }).catch((error: unknown) => error);

describe("spans of requests", () => {
  it("have the names and attributes of OpenTelemetry's HTTP clients", async () => {
    await send({ path: "/apis/apps/v1/namespaces/team/deployments/web/scale" });
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({
      name: "GET /apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale",
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.UNSET },
    });
    expect(span?.attributes).toEqual({
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(server?.url ?? "").port),
      "url.full": `${String(server?.url)}/apis/apps/v1/namespaces/team/deployments/web/scale`,
      "url.template": "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale",
      "kubescaffold.resource": "deployments.apps",
      "kubescaffold.object.name": "web",
      "k8s.namespace.name": "team",
    });
  });

  it.each([
    ["/api/v1/namespaces/team", "GET /api/v1/namespaces/{name}"],
    ["/api/v1/namespaces/team/status", "GET /api/v1/namespaces/{name}/status"],
    ["/api/v1/namespaces", "GET /api/v1/namespaces"],
    [PODS, "GET /api/v1/namespaces/{namespace}/pods"],
    ["/apis/apps/v1/deployments", "GET /apis/apps/v1/deployments"],
    ["/api/v1/nodes/a/proxy/x/y", "GET /api/v1/nodes/{name}/proxy/{path}"],
    ["/apis", "GET"],
    ["/openapi/v3", "GET"],
  ])("for %s are named %s", async (path, name) => {
    await send({ path });
    expect(exporter.getFinishedSpans().map((span) => span.name)).toEqual([name]);
  });

  it("send traceparent with the current trace", async () => {
    const parent = await inParent(async () => await send({}));
    const [span] = exporter.getFinishedSpans();
    expect(span?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
    const { traceId, spanId } = span?.spanContext() ?? {};
    expect(server?.requests[0]?.headers["traceparent"]).toBe(`00-${String(traceId)}-${String(spanId)}-01`);
  });

  it("exist for each attempt, with the number of earlier ones", async () => {
    let attempts = 0;
    server = await startServer((response) => {
      attempts += 1;
      if (attempts > 1) return sendJson(response, {});
      response.setHeader("retry-after", "0");
      return sendJson(response, {}, 503);
    });
    client = createRestClient({ server: server.url });
    await client.request({ method: "GET", path: PODS });
    const counts = exporter.getFinishedSpans().map(({ attributes }) => attributes["http.request.resend_count"]);
    expect(counts).toEqual([undefined, 1]);
  });

  it("fail with the status of the response", async () => {
    await send({}, (response) => sendJson(response, {}, 404));
    const [span] = exporter.getFinishedSpans();
    expect(span?.status.code).toBe(SpanStatusCode.ERROR);
    expect(span?.attributes).toMatchObject({ "http.response.status_code": 404, "error.type": "404" });
  });

  it("fail with the kind of the error without a response", async () => {
    const other = createRestClient({ server: "http://127.0.0.1:1" });
    await expect(other.request({ method: "POST", path: PODS, body: {} })).rejects.toThrow("127.0.0.1");
    await other.close();
    const [span] = exporter.getFinishedSpans();
    expect(span?.status.code).toBe(SpanStatusCode.ERROR);
    expect(span?.attributes["error.type"]).toEqual(expect.stringMatching(/^\w+$/u));
  });

  it("have no parent in work that outlives the current span", async () => {
    await inParent(async () => await withoutCallScope(async () => await send({})));
    expect(exporter.getFinishedSpans()[0]?.parentSpanContext).toBeUndefined();
  });

  it("are not started without an SDK, and send no header", async () => {
    removeSdk();
    await send({});
    expect(server?.requests[0]?.headers["traceparent"]).toBeUndefined();
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});

describe("secrets in spans of requests", () => {
  it.each<[string, Partial<RestRequest>]>([
    ["tokens, bodies, and credentials in the server's URL", { method: "POST", body: { data: { key: "hunter2" } } }],
    ["values of selectors", { query: { labelSelector: "key=hunter2", fieldSelector: "a=hunter2", limit: "5" } }],
    ["unknown parameters", { query: { command: "hunter2", continue: "hunter2", "x-token": "hunter2" } }],
    ["paths behind a proxy", { path: `${PODS}/a/proxy/hunter2?x=hunter2` }],
    ["paths behind a proxy of a cluster-scoped object", { path: "/api/v1/nodes/a/proxy/hunter2/hunter2" }],
  ])("are left out: %s", async (_, request) => {
    await send(request, (response) =>
      sendJson(response, { kind: "Status", status: "Failure", message: "hunter2" }, 422),
    );
    const spans = exporter.getFinishedSpans();
    expect(spans).toHaveLength(1);
    const recorded = JSON.stringify(
      spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    );
    expect(recorded).not.toMatch(/hunter2|s3cr3t/u);
  });

  it("safe parameters are kept", async () => {
    await send({ query: { limit: "5", watch: "true", labelSelector: "a=b" } });
    expect(exporter.getFinishedSpans()[0]?.attributes["url.full"]).toBe(
      `${String(server?.url)}${PODS}?limit=5&watch=true&labelSelector=REDACTED`,
    );
  });
});

async function inParent(run: () => Promise<unknown>): Promise<Span> {
  const parent = trace.getTracer("test").startSpan("parent");
  await context.with(trace.setSpan(context.active(), parent), run);
  return parent;
}
