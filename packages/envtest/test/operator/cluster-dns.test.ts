import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { createEmbeddedCluster } from "@kubescaffold/cluster";
import type { DeepReadonly } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Pod, Service, ServiceAccount } from "@kubescaffold/k8s/core/v1";
import { EndpointSlice } from "@kubescaffold/k8s/discovery/v1";
import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { describe, expect, it, onTestFinished } from "vitest";

import { ensureClusterDns } from "../../src/operator/cluster-dns.ts";
import { startDevelopmentCluster, type DevelopmentCluster } from "../../src/operator/development-cluster.ts";

const PROJECT = path.resolve(import.meta.dirname, "../../../../examples/guestbook");
const NAMESPACE = "kube-system";
const DNS = { namespace: NAMESPACE, name: "kube-dns" };
const LIVENESS_MS = 60_000;

async function developmentCluster(workloads: boolean): Promise<DevelopmentCluster> {
  const stateDirectory = mkdtempSync(path.join(tmpdir(), "kubescaffold-dns-"));
  onTestFinished(() => rmSync(stateDirectory, { recursive: true, force: true }));
  const cluster = await startDevelopmentCluster({ projectDirectory: PROJECT, stateDirectory, workloads });
  onTestFinished(() => cluster.stop());
  return cluster;
}

function emptyCluster(): LiveClient {
  const cluster = createEmbeddedCluster();
  onTestFinished(() => cluster.close());
  return createClient(cluster.config);
}

async function namesIn(client: LiveClient): Promise<readonly string[]> {
  const lists = [
    await client.list(Service, { namespace: NAMESPACE }),
    await client.list(Deployment, { namespace: NAMESPACE }),
    await client.list(Pod, { namespace: NAMESPACE }),
  ];
  return lists.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
}

function endpointsIn(slices: readonly DeepReadonly<EndpointSlice>[]): readonly string[] {
  return slices
    .filter(({ endpoints }) => endpoints?.some(({ conditions }) => conditions?.ready === true) ?? false)
    .map(({ metadata, ports }) => {
      const service = metadata.labels?.["kubernetes.io/service-name"] ?? "";
      return `${service}: ${(ports ?? [])
        .map(({ name }) => name ?? "")
        .toSorted((left, right) => left.localeCompare(right))
        .join(", ")}`;
    });
}

describe("the DNS server of a development cluster", { timeout: LIVENESS_MS }, () => {
  it("has a Pod that is ready, and is the one that simulated containers ask", async () => {
    const { client, cluster } = await developmentCluster(true);
    let found: unknown;
    cluster.images.define("asks:1", {
      run: async ({ files, lookup }) => {
        const resolver = files.get("/etc/resolv.conf")?.toString() ?? "";
        found = [
          /^nameserver (?<address>.*)$/mu.exec(resolver)?.groups?.["address"],
          await lookup("kube-dns.kube-system"),
        ];
      },
    });
    await expect
      .poll(
        async () => (await client.get(Deployment, { namespace: NAMESPACE, name: "coredns" })).status?.readyReplicas,
        {
          timeout: LIVENESS_MS,
        },
      )
      .toBe(1);
    await expect
      .poll(async () => endpointsIn((await client.list(EndpointSlice, { namespace: NAMESPACE })).items), {
        timeout: LIVENESS_MS,
      })
      .toEqual(["kube-dns: dns, dns-tcp, metrics"]);
    const containers = [{ name: "asks", image: "asks:1" }];
    const asking = Pod.create({ metadata: { namespace: "default", name: "asks" }, spec: { containers } });
    await expect.poll(async () => await client.create(asking).then(() => "created", String)).toBe("created");
    await expect.poll(() => found, { timeout: LIVENESS_MS }).toEqual(["10.0.0.10", ["10.0.0.10"]]);
  });

  it("is left out where no Pods are simulated, and in other embedded clusters", async () => {
    const { client } = await developmentCluster(false);
    expect(await namesIn(client)).toEqual([]);
    expect(await namesIn(emptyCluster())).toEqual([]);
  });

  it("is created once, with another address if a Service has its own, and is not restored in parts", async () => {
    const client = emptyCluster();
    const ports = [{ port: 80 }];
    await client.create(
      Service.create({ metadata: { namespace: "default", name: "web" }, spec: { clusterIP: "10.0.0.10", ports } }),
    );
    await ensureClusterDns(client);
    const service = await client.get(Service, DNS);
    expect(service.spec?.clusterIP).toMatch(/^10\.0\.0\.(?!10$)/u);
    const coredns = { namespace: NAMESPACE, name: "coredns" };
    await client.delete(await client.get(Deployment, coredns));
    await ensureClusterDns(client);
    expect((await client.get(Service, DNS)).metadata.resourceVersion).toBe(service.metadata.resourceVersion);
    expect(await namesIn(client)).toEqual(["Service kube-dns"]);
    await client.delete(service);
    await ensureClusterDns(client);
    expect(await namesIn(client)).toEqual(["Service kube-dns", "Deployment coredns"]);
    for (const kind of [ConfigMap, ServiceAccount])
      expect((await client.get(kind, coredns)).metadata.name).toBe("coredns");
  });
});
