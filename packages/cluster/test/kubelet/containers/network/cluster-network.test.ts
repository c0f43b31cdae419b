import { once } from "node:events";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { ContainerConnectionError } from "../../../../src/kubelet/containers/connection-error.ts";
import type { MainProcess } from "../../../../src/kubelet/containers/image-definitions.ts";
import { PODS, simulation, type Simulation } from "../pod-fixtures.ts";

const SERVICES = "/api/v1/namespaces/default/services";

let pods: Simulation;
let client: MainProcess;

beforeEach(async () => {
  pods = simulation();
  pods.cluster.images.define("server:*", async ({ ports, env, signal }) => {
    ports.listen(8080, (connection) => connection.end(env["HOSTNAME"]));
    await once(signal, "abort");
  });
  const started = new Promise<MainProcess>((resolve) => {
    pods.cluster.images.define("client:*", async (process) => {
      resolve(process);
      await once(process.signal, "abort");
    });
  });
  await pods.run("client", { image: "client:1" });
  client = await started;
});

afterEach(async () => pods.cluster.close());

async function runServers(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await pods.admin.post("/api/v1/namespaces/default/pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels: { app: "server" } },
      spec: { containers: [{ name: "c", image: "server:1", ports: [{ containerPort: 8080 }] }] },
    });
  }
  await pods.cluster.server.idle();
}

async function createService(
  name: string,
  spec: object,
): Promise<{ readonly clusterIP: string; readonly ports: readonly { readonly nodePort?: number }[] }> {
  const { body, status } = await pods.admin.post(SERVICES, {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { selector: { app: "server" }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
  });
  expect(status).toBe(201);
  await pods.cluster.server.idle();
  return (body as unknown as { readonly spec: Awaited<ReturnType<typeof createService>> }).spec;
}

/** Creates the Service of the DNS server; returns its address. */
async function createDnsService(): Promise<string> {
  const { body } = await pods.admin.post("/api/v1/namespaces/kube-system/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kube-dns" },
    spec: { ports: [{ port: 53, protocol: "UDP" }] },
  });
  return (body["spec"] as { readonly clusterIP: string }).clusterIP;
}

async function answerOf(host: string, port: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await client.connect(host, port)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function addressOf(pod: string): Promise<string> {
  return (await pods.pod(pod)).status["podIP" as never];
}

describe("the network of simulated containers", () => {
  it("reaches a Pod by its address", async () => {
    await runServers("a");
    expect(await answerOf(await addressOf("a"), 8080)).toBe("a");
  });

  it("reaches the Pods behind a Service in turn, by its address and its names", async () => {
    await runServers("a", "b");
    const { clusterIP } = await createService("web", {});
    const answers = new Set([await answerOf(clusterIP, 80), await answerOf(clusterIP, 80)]);
    expect(answers).toEqual(new Set(["a", "b"]));
    for (const name of ["web", "web.default", "web.default.svc", "web.default.svc.cluster.local"]) {
      expect(await client.lookup(name)).toEqual([clusterIP]);
      expect(["a", "b"]).toContain(await answerOf(name, 80));
    }
  });

  it("keeps a client with one Pod under session affinity", async () => {
    await runServers("a", "b", "c");
    const { clusterIP } = await createService("web", { sessionAffinity: "ClientIP" });
    const first = await answerOf(clusterIP, 80);
    for (let time = 0; time < 5; time += 1) expect(await answerOf(clusterIP, 80)).toBe(first);
  });

  it("reaches a Service through a port of a node", async () => {
    await runServers("a");
    const { ports } = await createService("web", { type: "NodePort" });
    const { body } = await pods.admin.get("/api/v1/nodes/node-0");
    const { addresses } = (
      body as unknown as { readonly status: { readonly addresses: readonly { readonly address: string }[] } }
    ).status;
    expect(await answerOf(addresses[0]?.address ?? "", ports[0]?.nodePort ?? 0)).toBe("a");
  });

  it("uses the EndpointSlices of a Service without a selector", async () => {
    await runServers("a");
    const { clusterIP } = await createService("web", { selector: undefined });
    await pods.admin.post("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "web-1", labels: { "kubernetes.io/service-name": "web" } },
      addressType: "IPv4",
      endpoints: [{ addresses: [await addressOf("a")] }],
      ports: [{ name: "", port: 8080, protocol: "TCP" }],
    });
    expect(await answerOf(clusterIP, 80)).toBe("a");
  });

  it("resolves headless Services and external names", async () => {
    await runServers("a", "b");
    await createService("web", { clusterIP: "None" });
    expect(await client.lookup("web")).toEqual([await addressOf("a"), await addressOf("b")]);
    await createService("alias", {
      type: "ExternalName",
      externalName: "web.default.svc.cluster.local",
      selector: undefined,
    });
    expect(await client.lookup("alias")).toHaveLength(2);
    expect(await client.lookup("absent")).toEqual([]);
  });

  it("resolves the names of Pods below headless Services, with the search domains of Pods", async () => {
    await pods.admin.post(PODS, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "db-0", labels: { app: "server" } },
      spec: { hostname: "db-0", subdomain: "db", containers: [{ name: "c", image: "server:1" }] },
    });
    await runServers("other");
    await createService("db", { clusterIP: "None" });
    const [first, second] = [await addressOf("db-0"), await addressOf("other")];
    for (const name of ["db-0.db", "db-0.db.default", "db-0.db.default.svc", "db-0.db.default.svc.cluster.local."])
      expect([name, await client.lookup(name)]).toEqual([name, [first]]);
    expect(await client.lookup(`${second.replaceAll(".", "-")}.db`)).toEqual([second]);
    expect(await client.lookup("db-1.db")).toEqual([]);
    expect(await client.lookup("db-0.db.")).toEqual([]);
  });

  it("resolves names by the DNS policy and the configuration of the Pod", async () => {
    const { clusterIP } = await createService("web", {});
    const lookupsWith = async (spec: object): Promise<readonly (readonly string[])[]> => {
      const started = new Promise<MainProcess>((resolve) => {
        pods.cluster.images.define("policy:*", resolve);
      });
      await pods.run("policy", { image: "policy:1" }, spec);
      const { lookup } = await started;
      const found = [await lookup("web"), await lookup("web.default"), await lookup("web.default.svc.cluster.local")];
      await pods.admin.delete(`${PODS}/policy?gracePeriodSeconds=0`);
      await pods.cluster.server.idle();
      return found;
    };
    const [yes, no] = [[clusterIP], []];
    expect(await lookupsWith({ hostNetwork: true })).toEqual([no, no, no]);
    expect(await lookupsWith({ hostNetwork: true, dnsPolicy: "ClusterFirstWithHostNet" })).toEqual([yes, yes, yes]);
    expect(await lookupsWith({ dnsPolicy: "Default" })).toEqual([no, no, no]);
    const dns = await createDnsService();
    const dnsConfig = { nameservers: [dns], searches: ["svc.cluster.local"] };
    expect(await lookupsWith({ dnsPolicy: "None", dnsConfig })).toEqual([no, yes, yes]);
  });

  it("resolves the addresses of Pods as names, and the host aliases of the client", async () => {
    const started = new Promise<MainProcess>((resolve) => {
      pods.cluster.images.define("aliased:*", resolve);
    });
    const hostAliases = [{ ip: "10.1.2.3", hostnames: ["first.example.com", "second"] }];
    await pods.run("aliased", { image: "aliased:1" }, { hostAliases });
    const { lookup } = await started;
    expect(await lookup("second")).toEqual(["10.1.2.3"]);
    expect(await lookup("10-244-0-7.default.pod.cluster.local")).toEqual(["10.244.0.7"]);
    expect(await lookup("10-244-0-700.default.pod")).toEqual([]);
  });

  it("resolves ports, addresses, and external names as DNS records", async () => {
    await runServers("a");
    const ports = [{ name: "http", port: 80, targetPort: 8080 }];
    const { clusterIP } = await createService("web", { ports });
    await createService("headless", { ports, clusterIP: "None" });
    await createService("alias", { type: "ExternalName", externalName: "example.com", selector: undefined });
    const { resolve } = client;
    expect(await resolve("web", "A")).toEqual([clusterIP]);
    expect(await resolve("_http._tcp.web", "SRV")).toEqual(["0 100 80 web.default.svc.cluster.local."]);
    const host = (await addressOf("a")).replaceAll(".", "-");
    expect(await resolve("_http._tcp.headless.default.svc", "SRV")).toEqual([
      `0 100 8080 ${host}.headless.default.svc.cluster.local.`,
    ]);
    expect(await resolve("_http._udp.web", "SRV")).toEqual([]);
    const reversed = clusterIP.split(".").toReversed().join(".");
    expect(await resolve(`${reversed}.in-addr.arpa.`, "PTR")).toEqual(["web.default.svc.cluster.local."]);
    expect(await resolve("alias", "CNAME")).toEqual(["example.com."]);
    expect(await resolve("web", "CNAME")).toEqual([]);
  });

  it("refuses what nothing listens on", async () => {
    await runServers("a");
    const { clusterIP } = await createService("web", { selector: { app: "none" } });
    const address = await addressOf("a");
    await expect(client.connect(address, 81)).rejects.toThrow(`dial tcp ${address}:81: connect: connection refused`);
    await expect(client.connect(clusterIP, 80)).rejects.toBeInstanceOf(ContainerConnectionError);
    await expect(client.connect("absent", 80)).rejects.toThrow("lookup absent: no such host");
  });
});
