import { describe, expect, it, onTestFinished } from "vitest";

import { RequestMetrics } from "../../src/metrics/request-metrics.ts";
import { printFamilies } from "../../src/metrics/text-format.ts";
import type { ApiServer } from "../../src/server/api-server.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const LABELS = 'component="apiserver",dry_run="",group="",resource="configmaps"';

describe("the metrics of a server", () => {
  it("count requests by their verb and code, and the objects that are stored", async () => {
    const server = newServer();
    const body = JSON.stringify({ metadata: { name: "a" } });
    for (const code of [201, 409])
      expect((await send(server, CONFIG_MAPS, { method: "POST", body })).status).toBe(code);
    const text = await scrape(server);
    expect(text).toContain(
      `apiserver_request_total{code="201",${LABELS},scope="resource",subresource="",verb="POST",version="v1"} 1\n`,
    );
    expect(text).toContain(
      `apiserver_request_total{code="409",${LABELS},scope="resource",subresource="",verb="POST",version="v1"} 1\n`,
    );
    expect(text).toMatch(/apiserver_request_duration_seconds_count\{.*resource="configmaps".*\} 2\n/u);
    expect(text).toContain('apiserver_resource_objects{group="",resource="configmaps"} 1\n');
    expect(text).toContain('apiserver_storage_objects{resource="configmaps"} 1\n');
    expect(text).toContain("# TYPE apiserver_request_duration_seconds histogram\n");
  });

  it("count a watch when it ends, and as running until then", async () => {
    const server = newServer();
    const abort = new AbortController();
    const watch = await send(server, `${CONFIG_MAPS}?watch=1`, { signal: abort.signal });
    const reader = watch.body?.getReader();
    await send(server, CONFIG_MAPS, { method: "POST", body: JSON.stringify({ metadata: { name: "a" } }) });
    await reader?.read();
    const running = /apiserver_longrunning_requests\{.*resource="configmaps".*verb="WATCH".*\} (\d)\n/u;
    const watched = /apiserver_request_total\{.*resource="configmaps".*verb="WATCH".*\} (\d)\n/u;
    const before = await scrape(server);
    expect([running.exec(before)?.[1], watched.exec(before)?.[1]]).toEqual(["1", undefined]);
    expect(before).toContain('apiserver_watch_events_total{group="",resource="configmaps",version="v1"} 1\n');
    await reader?.cancel();
    abort.abort();
    const after = await scrape(server);
    expect([running.exec(after)?.[1], watched.exec(after)?.[1]]).toEqual(["0", "1"]);
  });

  it("state the feature gates that are changed", async () => {
    const gate = 'kubernetes_feature_enabled{name="CBORServingAndStorage",stage="ALPHA"}';
    expect(await scrape(newServer())).toContain(`${gate} 0\n`);
    expect(await scrape(createApiServer({ featureGates: { CBORServingAndStorage: true } }))).toContain(`${gate} 1\n`);
  });
});

describe("counting webhooks", () => {
  it("has a series for each name, operation, and outcome", () => {
    const metrics = new RequestMetrics();
    const call = {
      name: "a.example.com",
      type: "admit",
      operation: "CREATE",
      isRejected: false,
      seconds: 0.02,
    } as const;
    for (const isRejected of [false, true, true]) metrics.countWebhook({ ...call, isRejected });
    const text = printFamilies(metrics.families());
    const family = "apiserver_admission_webhook_admission_duration_seconds";
    const labels = 'name="a.example.com",operation="CREATE",rejected';
    expect(text).toContain(`${family}_count{${labels}="true",type="admit"} 2\n`);
    expect(text).toContain(`${family}_bucket{le="0.005",${labels}="false",type="admit"} 0\n`);
    expect(text).toContain(`${family}_bucket{le="0.025",${labels}="false",type="admit"} 1\n`);
    expect(text).toContain(`${family}_bucket{le="+Inf",${labels}="false",type="admit"} 1\n`);
  });
});

describe("the text format", () => {
  it("escapes labels, and leaves out families without samples", () => {
    const labels = { path: 'a"b\\c\nd' };
    const families = [
      { name: "b_total", type: "counter", samples: [{ name: "b_total", labels, value: 1.5 }] },
      { name: "a", type: "gauge", samples: [] },
    ] as const;
    expect(printFamilies(families)).toBe('# TYPE b_total counter\nb_total{path="a\\"b\\\\c\\nd"} 1.5\n');
  });
});

function newServer(): ApiServer {
  const server = createApiServer();
  onTestFinished(async () => await server.close());
  return server;
}

async function send(server: ApiServer, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return await server.handle(new Request(`http://in.process${path}`, { ...init, headers }));
}

async function scrape(server: ApiServer): Promise<string> {
  const response = await send(server, "/metrics");
  expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  return await response.text();
}
