import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";
const RANGES = "/apis/networking.k8s.io/v1/servicecidrs";

let clock: FakeClock;
let cluster: EmbeddedCluster;
let admin: Requests;
beforeEach(() => {
  clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock });
  admin = requestsOf(cluster.config);
  cluster.server.start();
});
afterEach(async () => {
  await cluster.close();
});

async function createService(name: string, spec: object = {}): Promise<string> {
  const { status, body } = await admin.post(SERVICES, { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
  await cluster.server.idle();
  if (status !== 201) return String(body["message"]);
  return (body["spec"] as { readonly clusterIP?: string }).clusterIP ?? "";
}

async function addresses(): Promise<readonly string[]> {
  await cluster.server.idle();
  const { items } = (await admin.get(ADDRESSES)).body as {
    readonly items: readonly {
      readonly metadata: { readonly name: string };
      readonly spec: { readonly parentRef: { readonly name: string } };
    }[];
  };
  return items.map(({ metadata, spec }) => `${metadata.name} ${spec.parentRef.name}`);
}

async function createRange(name: string, cidr: string): Promise<void> {
  await admin.post(RANGES, { metadata: { name }, spec: { cidrs: [cidr] } });
  await cluster.server.idle();
}

async function readiness(name: string): Promise<string> {
  await cluster.server.idle();
  const { status, body } = await admin.get(`${RANGES}/${name}`);
  if (status !== 200) return String(status);
  const { conditions = [] } = body["status"] as { readonly conditions?: readonly { readonly status: string }[] };
  return conditions.map((condition) => condition.status).join();
}

describe("addresses of Services", () => {
  it("are IPAddresses until their Service is gone", async () => {
    const web = await createService("web");
    await createService("headless", { clusterIP: "None" });
    await createService("external", { type: "ExternalName", externalName: "example.com" });
    expect(web).toBe("10.0.0.17");
    expect(await addresses()).toEqual(["10.0.0.1 kubernetes", "10.0.0.17 web"]);
    await admin.delete(`${SERVICES}/web`);
    expect(await addresses()).toEqual(["10.0.0.1 kubernetes"]);
    await createService("other", { clusterIP: web });
    expect(await addresses()).toEqual(["10.0.0.1 kubernetes", "10.0.0.17 other"]);
  });

  it("get their IPAddress back, and leave those of users alone", async () => {
    await createService("web");
    await admin.post(ADDRESSES, {
      metadata: { name: "10.0.0.99" },
      spec: { parentRef: { resource: "routers", name: "lab" } },
    });
    await admin.delete(`${ADDRESSES}/10.0.0.17`);
    expect(await addresses()).toEqual(["10.0.0.1 kubernetes", "10.0.0.17 web", "10.0.0.99 lab"]);
  });

  it("come from further ranges, too", async () => {
    const problem = "failed to allocate IP 10.7.0.3: the provided network does not match the current range";
    expect(await createService("early", { clusterIP: "10.7.0.3" })).toContain(problem);
    await createRange("more", "10.7.0.0/29");
    expect(await createService("late", { clusterIP: "10.7.0.3" })).toBe("10.7.0.3");
    for (const outside of ["10.7.0.0", "10.7.0.7", "10.7.0.8"]) {
      expect(await createService("outside", { clusterIP: outside })).toContain(`failed to allocate IP ${outside}`);
    }
  });

  it("come from further ranges when the first one is used up", async () => {
    await createRange("more", "10.7.0.0/29");
    const given = [];
    for (let number = 0; number < 254; number++) given.push(await createService(`web-${String(number)}`));
    expect(given.slice(0, 2)).toEqual(["10.0.0.17", "10.0.0.18"]);
    // The first addresses are given last, and one of them is that of the server.
    expect(given.slice(236, 240)).toEqual(["10.0.0.253", "10.0.0.254", "10.0.0.2", "10.0.0.3"]);
    expect(given.slice(252)).toEqual(["10.0.0.16", "10.7.0.1"]);
  });
});

describe("a ServiceCIDR", () => {
  it("stays until its addresses are free, and ten seconds more", async () => {
    await createRange("more", "10.7.0.0/29");
    expect(await readiness("more")).toBe("True");
    await createService("late", { clusterIP: "10.7.0.3" });
    await admin.delete(`${RANGES}/more`);
    expect(await readiness("more")).toBe("False");
    clock.step(60_000);
    await admin.delete(`${SERVICES}/late`);
    expect(await readiness("more")).toBe("404");
  });

  it("that another one contains goes after ten seconds", async () => {
    await createRange("large", "10.7.0.0/24");
    await createRange("small", "10.7.0.0/29");
    await createService("late", { clusterIP: "10.7.0.3" });
    await admin.delete(`${RANGES}/small`);
    expect(await readiness("small")).toBe("True");
    clock.step(10_000);
    expect(await readiness("small")).toBe("404");
  });
});
