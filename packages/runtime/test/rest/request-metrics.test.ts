import type { RestConfig } from "@kubescaffold/k8s";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { registerRestClientMetrics, type RestClientMetric } from "../../src/metrics/client-metrics.ts";
import { createMetricsRegistry, type MetricsRegistry } from "../../src/metrics/registry.ts";
import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";
import { sendJson, startServer, until, type Answer } from "./recording-server.ts";

const ALL: readonly RestClientMetric[] = [
  "requestLatency",
  "dnsResolutionLatency",
  "requestSize",
  "responseSize",
  "rateLimiterLatency",
  "requestRetry",
];

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) {
    await cleanUp();
  }
});

interface Setup {
  readonly client: RestClient;
  readonly clock: FakeClock;
  readonly registry: MetricsRegistry;
  readonly host: string;
  /** The values of a scrape by series; the host is left out. */
  readonly scrape: () => Promise<Readonly<Record<string, number>>>;
}

async function setUp(
  answer: Answer,
  {
    names = ALL,
    config = {},
  }: { readonly names?: readonly RestClientMetric[]; readonly config?: Partial<RestConfig> } = {},
): Promise<Setup> {
  const server = await startServer(answer);
  const registry = createMetricsRegistry();
  registerRestClientMetrics(names, { registry });
  const clock = new FakeClock();
  const client = createRestClient({ server: server.url, idleTimeoutMs: 0, ...config }, { clock, registry });
  cleanUps.push(
    () => server.close(),
    () => client.close(),
  );
  const host = new URL(config.server ?? server.url).host;
  const scrape = async (): Promise<Record<string, number>> => await samplesOf(registry);
  return { client, clock, registry, host, scrape };
}

async function samplesOf(registry: MetricsRegistry): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("rest_client"));
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(" ");
      return [line.slice(0, space).replace(/,?host="127[^"]*"/u, ""), Number(line.slice(space + 1))] as const;
    }),
  );
}

describe("row 95: the optional metrics of API clients", () => {
  it("are not recorded unless they are registered", async () => {
    const { client, registry } = await setUp((response) => sendJson(response, {}), { names: [] });
    await client.request({ method: "GET", path: "/version" });
    const names = [...(await registry.metrics()).matchAll(/^# TYPE (\S+)/gmu)].map((match) => match[1]);
    expect(names).toEqual(["rest_client_requests_total"]);
  });

  it("are recorded by clients that existed before", async () => {
    const { client, registry, scrape } = await setUp((response) => sendJson(response, {}), { names: [] });
    registerRestClientMetrics(["requestSize"], { registry });
    await client.request({ method: "POST", path: "/api", body: "é" });
    expect(await scrape()).toMatchObject({ 'rest_client_request_size_bytes_sum{verb="POST"}': 4 });
  });

  it("keep their buckets when they are registered again", async () => {
    const registry = createMetricsRegistry();
    registerRestClientMetrics(["requestLatency"], { registry, durationBuckets: [1, 2] });
    registerRestClientMetrics(["requestLatency", "rateLimiterLatency"], { registry, durationBuckets: [] });
    const client = createRestClient({ server: "http://127.0.0.1:1", qps: 1 }, { registry });
    cleanUps.push(() => client.close());
    await expect(client.request({ method: "POST", path: "/" })).rejects.toMatchObject({ code: "CLIENT_UNREACHABLE" });
    const bounds = (name: string): Promise<readonly (string | undefined)[]> =>
      registry
        .metrics()
        .then((text) =>
          [...text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"`, "gmu"))].map((match) => match[1]),
        );
    expect(await bounds("rest_client_request_duration_seconds")).toEqual(["1", "2", "+Inf"]);
    expect(await bounds("rest_client_rate_limiter_duration_seconds")).toHaveLength(13);
  });

  it("count bytes of bodies: of lists, of failures, and 0 for a request without a body", async () => {
    const { client, scrape } = await setUp((response, { url }) => {
      if (url === "/list") {
        response.writeHead(200, { "content-type": "application/json" });
        response.end('{"items":[{"a":"é"}]}');
      } else {
        response.writeHead(404).end("gone");
      }
    });
    await client.requestList({ method: "GET", path: "/list" }, (item) => item);
    await expect(client.request({ method: "DELETE", path: "/one" })).rejects.toThrow("404");
    expect(await scrape()).toMatchObject({
      'rest_client_request_size_bytes_sum{verb="GET"}': 0,
      'rest_client_request_size_bytes_count{verb="GET"}': 1,
      'rest_client_response_size_bytes_sum{verb="GET"}': 22,
      'rest_client_response_size_bytes_sum{verb="DELETE"}': 4,
    });
  });

  it("time a request from its call to its body, with retries and the wait for the limiter", async () => {
    let answers = 0;
    const { client, clock, scrape } = await setUp(
      (response) => {
        answers += 1;
        if (answers === 2) {
          response.writeHead(429, { "retry-after": "3" }).end();
        } else {
          sendJson(response, {});
        }
      },
      { config: { qps: 1, burst: 1, idleTimeoutMs: 0 } },
    );
    await client.request({ method: "GET", path: "/a" });
    const second = client.request({ method: "GET", path: "/a" });
    await until(() => clock.pendingTimers > 0);
    await clock.advance(1000);
    await until(() => answers === 2 && clock.pendingTimers > 0);
    await clock.advance(3000);
    await second;
    expect(await scrape()).toMatchObject({
      'rest_client_request_duration_seconds_sum{verb="GET"}': 4,
      'rest_client_request_duration_seconds_count{verb="GET"}': 2,
      'rest_client_rate_limiter_duration_seconds_sum{verb="GET"}': 1,
      'rest_client_rate_limiter_duration_seconds_count{verb="GET"}': 3,
      'rest_client_requests_total{method="GET",code="429"}': 1,
      'rest_client_request_retries_total{verb="GET",code="200"}': 1,
    });
  });

  it("time only resolutions of host names, once per connection", async () => {
    const { client, scrape, host } = await setUp((response) => sendJson(response, {}));
    await client.request({ method: "GET", path: "/a" });
    expect(Object.keys(await scrape()).filter((name) => name.includes("dns"))).toEqual([]);
    const registry = createMetricsRegistry();
    registerRestClientMetrics(["dnsResolutionLatency"], { registry });
    const named = createRestClient({ server: `http://localhost:${host.split(":")[1] ?? ""}` }, { registry });
    cleanUps.push(() => named.close());
    await named.request({ method: "GET", path: "/a" });
    await named.request({ method: "GET", path: "/a" });
    const count = (await samplesOf(registry))['rest_client_dns_resolution_duration_seconds_count{host="localhost"}'];
    // A client may open a second connection.
    expect([1, 2]).toContain(count);
  });

  it("leave out streams, except for their retries", async () => {
    const { client, scrape } = await setUp((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"type":"ADDED"}\n');
    });
    for await (const event of client.stream({ method: "GET", path: "/watch" })) {
      expect(event).toEqual({ type: "ADDED" });
    }
    expect(Object.keys(await scrape())).toEqual(['rest_client_requests_total{method="GET",code="200"}']);
  });
});
