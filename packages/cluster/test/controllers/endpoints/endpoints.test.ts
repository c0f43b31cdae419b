import { KUBERNETES_MINOR } from "@kubescaffold/k8s";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type Answer, requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const CORE = "/api/v1/namespaces/default";
const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const TIME = "endpoints.kubernetes.io/last-change-trigger-time";

let clock: FakeClock;
let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  start();
});

afterEach(async () => cluster.close());

function start(kubernetesVersion: string = KUBERNETES_MINOR): void {
  clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock, workloadSimulation: true, kubernetesVersion });
  admin = requestsOf(cluster.config);
  cluster.server.start();
}

interface Listed {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>>; readonly name: string };
  readonly endpoints: readonly { readonly addresses: readonly string[] }[] | null;
}

async function slices(): Promise<readonly Listed[]> {
  await cluster.server.idle();
  return itemsOf(await admin.get(SLICES));
}

function itemsOf({ body }: Answer): readonly Listed[] {
  return body["items"] as readonly Listed[];
}

async function createService(): Promise<void> {
  await admin.post(`${CORE}/services`, {
    metadata: { name: "web" },
    spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
  });
}

async function createPod(name: string): Promise<void> {
  await admin.post(`${CORE}/pods`, {
    metadata: { name, labels: { app: "web" } },
    spec: { restartPolicy: "Never", containers: [{ name: "c", image: "web:1" }] },
  });
}

describe("the endpoints of Services", () => {
  it("are the simulated Pods that run, and not those that have finished", async () => {
    let finish: (() => void) | undefined;
    cluster.images.define("web:*", async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return 0;
    });
    await createService();
    await createPod("one");
    expect((await slices()).flatMap(({ endpoints }) => endpoints ?? [])).toHaveLength(1);
    finish?.();
    await new Promise((resolve) => void setImmediate(resolve));
    expect((await slices()).map(({ endpoints }) => endpoints)).toEqual([null]);
  });

  it("have the time of the change that they follow", async () => {
    await createService();
    clock.step(5000);
    expect((await slices()).map(({ metadata }) => metadata.annotations?.[TIME])).toEqual(["2026-01-01T00:00:00Z"]);
    await createPod("one");
    expect((await slices()).map(({ metadata }) => metadata.annotations?.[TIME])).toEqual(["2026-01-01T00:00:05Z"]);
  });

  it("are written again if someone changes or deletes them", async () => {
    await createService();
    await createPod("one");
    const [slice] = await slices();
    await admin.patch(`${SLICES}/${slice?.metadata.name ?? ""}`, { endpoints: [] });
    expect((await slices()).map(({ endpoints }) => endpoints?.length)).toEqual([1]);
    await admin.delete(`${SLICES}/${slice?.metadata.name ?? ""}`);
    await admin.delete(`${CORE}/endpoints/web`);
    expect((await slices()).map(({ endpoints }) => endpoints?.length)).toEqual([1]);
    expect((await admin.get(`${CORE}/endpoints/web`)).status).toBe(200);
  });

  it.each(["kubernetes.io/service-name", "endpointslice.kubernetes.io/managed-by"])(
    "are written again if someone changes the label %s of a slice",
    async (label) => {
      await createService();
      await createPod("one");
      await admin.post(`${CORE}/services`, { metadata: { name: "outside" }, spec: { ports: [{ port: 80 }] } });
      const subsets = [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }];
      await admin.post(`${CORE}/endpoints`, { metadata: { name: "outside" }, subsets });
      const before = await slices();
      for (const { metadata } of before)
        await admin.patch(`${SLICES}/${metadata.name}`, { metadata: { labels: { [label]: "other" } } });
      const isNew = ({ metadata }: Listed): boolean => before.every((each) => each.metadata.name !== metadata.name);
      const addresses = (await slices()).filter(isNew).map(({ endpoints }) => endpoints?.length);
      expect(addresses).toEqual([1, 1]);
    },
  );

  it("wait for the node of a Pod if there are nodes at all", async () => {
    await admin.post("/api/v1/nodes", { metadata: { name: "other" } });
    await createService();
    await admin.post(`${CORE}/pods`, {
      metadata: { name: "placed", labels: { app: "web" } },
      spec: { nodeName: "late", containers: [{ name: "c", image: "web:1" }] },
    });
    expect((await slices()).map(({ endpoints }) => endpoints)).toEqual([null]);
    await admin.post("/api/v1/nodes", { metadata: { name: "late" } });
    expect((await slices()).map(({ endpoints }) => endpoints?.length)).toEqual([1]);
  });

  it("of Services without a selector are mirrored, with events about addresses that are none", async () => {
    // Newer servers refuse such addresses.
    await cluster.close();
    start("1.35");
    await admin.post(`${CORE}/services`, { metadata: { name: "outside" }, spec: { ports: [{ port: 80 }] } });
    await admin.post(`${CORE}/endpoints`, {
      metadata: { name: "outside" },
      subsets: [{ addresses: [{ ip: "192.0.2.1" }, { ip: "192.0.2.010" }], ports: [{ port: 80 }] }],
    });
    expect((await slices()).map(({ endpoints }) => endpoints?.map(({ addresses }) => addresses))).toEqual([
      [["192.0.2.1"]],
    ]);
    const events = (await admin.get(`${CORE}/events`)).body["items"] as readonly { readonly message: string }[];
    expect(events.map(({ message }) => message)).toEqual([
      "Skipped 1 invalid IP addresses when mirroring to EndpointSlices",
    ]);
    await admin.delete(`${CORE}/endpoints/outside`);
    expect(await slices()).toEqual([]);
  });
});
