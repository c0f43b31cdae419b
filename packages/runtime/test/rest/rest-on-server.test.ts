import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Namespace } from "@kubescaffold/k8s/core/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { getConfig } from "../../src/config/get-config.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { registerRestClientMetrics } from "../../src/metrics/client-metrics.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createWarningLogger } from "../../src/rest/headers.ts";
import { createNamespace, type ServerNamespace } from "../support/controller-on-server.ts";

const environment = new Environment();
let config: RestConfig;
let on: ServerNamespace;
let folder: string;

beforeAll(async () => {
  config = await environment.start();
  on = await createNamespace(config);
  folder = await mkdtemp(path.join(tmpdir(), "rest-on-server-"));
});

afterAll(async () => {
  await environment.stop();
  await rm(folder, { recursive: true });
});

describe("a client of a server", () => {
  it("row 48: the kubeconfig of the flag goes before KUBECONFIG, which goes before the one of the home folder", async () => {
    const file = path.join(folder, "server.kubeconfig");
    await environment.writeKubeconfig(file);
    const elsewhere = path.join(folder, "elsewhere.kubeconfig");
    await environment.writeKubeconfig(elsewhere, { ...config, server: "https://127.0.0.1:9" });
    const serverOf = async (kubeconfig: string | undefined, env: Record<string, string>): Promise<string> =>
      (await getConfig({ ...(kubeconfig === undefined ? {} : { kubeconfig }), environment: env, homeFolder: folder }))
        .server;
    const listened = (await getConfig({ kubeconfig: file })).server;
    expect(await serverOf(file, { KUBECONFIG: elsewhere })).toBe(listened);
    expect(await serverOf(undefined, { KUBECONFIG: file })).toBe(listened);
    await expect(getConfig({ environment: {}, homeFolder: folder })).rejects.toMatchObject({
      code: "CLIENT_NO_CONFIG",
    });
    const client = createClient(await getConfig({ kubeconfig: file, environment: { KUBECONFIG: elsewhere } }));
    expect((await client.get(Namespace, { name: on.namespace })).metadata.name).toBe(on.namespace);
  });

  it("row 95: repeated warnings of the server are logged once if the handler is to deduplicate them", async () => {
    const messages = async (deduplicate: boolean): Promise<readonly string[]> => {
      const log = createRecordingLogger();
      const client = createClient(config, { warningHandler: createWarningLogger(log, { deduplicate }) });
      const object = { ...ConfigMap.create({ metadata: { namespace: on.namespace, name: "warned" } }), color: "red" };
      for (let call = 0; call < 2; call += 1) await client.create(object, { dryRun: true, fieldValidation: "Warn" });
      return log.records.map(({ message }) => message);
    };
    expect(await messages(false)).toEqual(['unknown field "color"', 'unknown field "color"']);
    expect(await messages(true)).toEqual(['unknown field "color"']);
  });

  it("row 95: the optional metrics of requests count what the server received and sent", async () => {
    const registry = createMetricsRegistry();
    registerRestClientMetrics(["requestLatency", "requestSize", "responseSize", "requestRetry"], { registry });
    const client = createClient(config, { registry });
    const created = await client.create(ConfigMap.create({ metadata: { namespace: on.namespace, name: "counted" } }));
    await client.get(ConfigMap, { namespace: on.namespace, name: "counted" });
    const text = await registry.metrics();
    const host = new URL(config.server).host;
    const valueOf = (name: string, verb: string): number =>
      Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${name}{`) && line.includes(`verb="${verb}"`) && line.includes(host))
          ?.split(" ")
          .at(-1),
      );
    expect(valueOf("rest_client_request_duration_seconds_count", "POST")).toBe(1);
    expect(valueOf("rest_client_request_size_bytes_sum", "POST")).toBeGreaterThan(50);
    expect(valueOf("rest_client_response_size_bytes_sum", "POST")).toBe(JSON.stringify(created).length + 1);
    // Discovery reads, too.
    expect(valueOf("rest_client_request_duration_seconds_count", "GET")).toBeGreaterThan(1);
    expect(text).not.toContain("rest_client_request_retries_total{");
  });
});
