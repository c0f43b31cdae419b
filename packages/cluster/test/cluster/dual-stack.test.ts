import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";

import { afterEach, describe, expect, it } from "vitest";

import { requestsOf } from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";
import type { MainProcess } from "../../src/kubelet/containers/image-definitions.ts";

const BOTH = ["10.0.0.0/24", "fd00::/108"];
const PODS = "/api/v1/namespaces/default/pods";
const SERVICES = "/api/v1/namespaces/default/services";
const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const RANGE = "/apis/networking.k8s.io/v1/servicecidrs/kubernetes";

type Body = Record<string, never>;

let cluster: EmbeddedCluster;
afterEach(async () => cluster.close());

function start(options: Parameters<typeof createEmbeddedCluster>[0]): void {
  cluster = createEmbeddedCluster(options);
  cluster.server.start();
}

async function get(url: string): Promise<Record<string, Body>> {
  await cluster.server.idle();
  return (await requestsOf(cluster.config).get(url)).body as unknown as Record<string, Body>;
}

async function post(url: string, body: object): Promise<Record<string, Body>> {
  const answer = await requestsOf(cluster.config).post(url, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as unknown as Record<string, Body>;
}

async function runPod(name: string, image: string): Promise<void> {
  await post(PODS, {
    metadata: { name, labels: { app: image } },
    spec: { containers: [{ name: "c", image, ports: [{ containerPort: 8080 }] }] },
  });
  await cluster.server.idle();
}

/** Starts a Pod that connects to others. */
async function runClient(): Promise<MainProcess> {
  const started = new Promise<MainProcess>((resolve) => {
    cluster.images.define("client", async (process) => {
      resolve(process);
      await once(process.signal, "abort");
    });
  });
  await runPod("client", "client");
  return await started;
}

async function readAll(process: MainProcess, host: string, port: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await process.connect(host, port)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

describe("a cluster with two ranges of Service addresses", () => {
  it("has Nodes, Pods, and EndpointSlices of both families", async () => {
    start({ serviceRanges: BOTH, workloadSimulation: true });
    await runPod("web", "web");
    const { status: node } = await get("/api/v1/nodes/node-0");
    expect(node?.["addresses"]).toEqual([
      { type: "InternalIP", address: "172.18.0.2" },
      { type: "InternalIP", address: "fd00:172:18::2" },
      { type: "Hostname", address: "node-0" },
    ]);
    expect((await get(`${PODS}/web`))["status"]).toMatchObject({
      hostIP: "172.18.0.2",
      hostIPs: [{ ip: "172.18.0.2" }, { ip: "fd00:172:18::2" }],
      podIP: "10.244.0.2",
      podIPs: [{ ip: "10.244.0.2" }, { ip: "fd00:10:244::2" }],
    });
    const spec = { selector: { app: "web" }, ports: [{ port: 80 }], ipFamilyPolicy: "PreferDualStack" };
    await post(SERVICES, { metadata: { name: "web" }, spec });
    const { items } = (await get(SLICES)) as unknown as { readonly items: readonly Record<string, unknown>[] };
    expect(
      items
        .map(({ addressType, endpoints }) => {
          const [endpoint] = endpoints as readonly Record<string, unknown>[];
          return `${String(addressType)} ${String(endpoint?.["addresses"])}`;
        })
        .toSorted((left, right) => left.localeCompare(right)),
    ).toEqual(["IPv4 10.244.0.2", "IPv6 fd00:10:244::2"]);
  });

  it("connects containers by addresses and names of IPv6", async () => {
    start({ serviceRanges: BOTH, workloadSimulation: true });
    cluster.images.define("web", async ({ ports, signal }) => {
      ports.listen(8080, (connection) => connection.end("reached"));
      await once(signal, "abort");
    });
    await runPod("web", "web");
    const ports = [{ name: "http", port: 80, targetPort: 8080 }];
    const families = { ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv6", "IPv4"] };
    const { spec } = await post(SERVICES, {
      metadata: { name: "web" },
      spec: { selector: { app: "web" }, ports, ...families },
    });
    await post(SERVICES, {
      metadata: { name: "below" },
      spec: { selector: { app: "web" }, ports, ...families, clusterIP: "None" },
    });
    const client = await runClient();
    const [six = "", four = ""] = (spec?.["clusterIPs"] ?? []) as unknown as readonly string[];
    expect([six, four]).toEqual(["fd00::101", "10.0.0.17"]);
    for (const host of [six, four, "web", "below", "fd00:10:244:0::2", "fd00-10-244--2.default.pod.cluster.local"]) {
      const port = ["web", six, four].includes(host) ? 80 : 8080;
      expect([host, await readAll(client, host, port)]).toEqual([host, "reached"]);
    }
    expect(await client.lookup("web")).toEqual([six, four]);
    expect(await client.resolve("web", "AAAA")).toEqual([six]);
    expect(await client.resolve("web", "A")).toEqual([four]);
    expect((await client.resolve("below", "AAAA")).toSorted()).toEqual(["fd00:10:244::2"]);
    const reversed = `${"fd00".padEnd(29, "0")}101`.split("").toReversed().join(".");
    expect(await client.resolve(`${reversed}.ip6.arpa`, "PTR")).toEqual(["web.default.svc.cluster.local."]);
    expect(client.env["WEB_SERVICE_HOST"]).toBe(six);
    expect(client.env["WEB_PORT"]).toBe(`tcp://[${six}]:80`);
    await expect(client.connect(six, 81)).rejects.toThrow(`dial tcp [${six}]:81: connect: connection refused`);
  });

  it("has a server at the first address of the first range", async () => {
    start({ serviceRanges: BOTH.toReversed(), workloadSimulation: true });
    await runPod("web", "web");
    expect((await get(`${PODS}/web`))["status"]).toMatchObject({ podIP: "fd00:10:244::2", hostIP: "fd00:172:18::2" });
    const { port } = await cluster.listen({ tls: true, advertiseAddress: "fd00:172:18::1" });
    expect((await get(`${SERVICES}/kubernetes`))["spec"]).toMatchObject({
      clusterIPs: ["fd00::1"],
      ipFamilies: ["IPv6"],
    });
    await cluster.server.idle();
    expect(await get(`${SLICES}/kubernetes`)).toMatchObject({
      addressType: "IPv6",
      endpoints: [{ addresses: ["fd00:172:18::1"] }],
    });
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    await once(socket, "secureConnect");
    expect(socket.getPeerCertificate().subjectaltname).toContain("IP Address:FD00:0:0:0:0:0:0:1");
    socket.destroy();
  });

  it("can have been one with a single range", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "ranges-"));
    try {
      start({ persist: folder });
      await post(SERVICES, { metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } });
      await cluster.close();
      start({ persist: folder, serviceRanges: BOTH });
      expect((await get(RANGE))["spec"]).toEqual({ cidrs: BOTH });
      const patched = await requestsOf(cluster.config).patch(`${SERVICES}/web`, {
        spec: { ipFamilyPolicy: "PreferDualStack" },
      });
      expect(patched.body["spec"]).toMatchObject({ clusterIPs: ["10.0.0.17", "fd00::101"] });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("ranges of Service addresses", () => {
  it.each([
    [[], "cannot serve Services without a range of addresses"],
    [["10.0.0.0"], 'cannot use "10.0.0.0" as a range of Service addresses: it is not a CIDR'],
    [["10.0.0.0/30"], 'cannot use "10.0.0.0/30" as a range of Service addresses: it has fewer than 8 addresses'],
    [["fd00::/48"], 'cannot use "fd00::/48" as a range of Service addresses: its prefix is shorter than 64 bits'],
    [
      ["10.0.0.0/24", "10.1.0.0/24"],
      "cannot use 10.0.0.0/24 and 10.1.0.0/24 as ranges of Service addresses: both are of IPv4",
    ],
    [
      ["10.0.0.0/24", "fd00::/108", "10.1.0.0/24"],
      "cannot use 10.1.0.0/24 as a third range of Service addresses: there are at most two",
    ],
  ])("%j are refused", async (serviceRanges, message) => {
    start({});
    expect(() => createEmbeddedCluster({ serviceRanges })).toThrow(
      expect.objectContaining({ code: "APISERVER_SERVICE_RANGE", message }),
    );
  });
});
