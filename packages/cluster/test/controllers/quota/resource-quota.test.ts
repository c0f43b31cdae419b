import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { configMapOf, requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const CORE = "/api/v1/namespaces/default";
const QUOTA = `${CORE}/resourcequotas/quota`;

let clock: FakeClock;
let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock });
  admin = requestsOf(cluster.config);
  cluster.server.start();
});

afterEach(async () => cluster.close());

async function createQuota(hard: object): Promise<void> {
  await admin.post(`${CORE}/resourcequotas`, { metadata: { name: "quota" }, spec: { hard } });
  await cluster.server.idle();
}

async function used(): Promise<unknown> {
  const { body } = await admin.get(QUOTA);
  return (body["status"] as { readonly used?: object }).used;
}

async function createConfigMap(name: string, query: string = ""): Promise<number> {
  return (await admin.post(`${CORE}/configmaps${query}`, configMapOf(name))).status;
}

describe("resource quotas", () => {
  it("count what exists, what is created at the same time, and what is deleted", async () => {
    await createConfigMap("a");
    await createQuota({ configmaps: "3" });
    expect(await used()).toEqual({ configmaps: "1" });
    const statuses = await Promise.all(["b", "c", "d", "e"].map(async (name) => createConfigMap(name)));
    expect(statuses.toSorted((left, right) => left - right)).toEqual([201, 201, 403, 403]);
    await admin.delete(`${CORE}/configmaps/a`);
    await cluster.server.idle();
    expect([await used(), await createConfigMap("f")]).toEqual([{ configmaps: "2" }, 201]);
  });

  it("are not charged for dry runs, which they refuse all the same", async () => {
    await createQuota({ configmaps: "1" });
    expect([await createConfigMap("a", "?dryRun=All"), await used()]).toEqual([201, { configmaps: "0" }]);
    await createConfigMap("a");
    expect(await createConfigMap("b", "?dryRun=All")).toBe(403);
  });

  it("charge nothing if one of several is exceeded", async () => {
    await createQuota({ configmaps: "5" });
    await admin.post(`${CORE}/resourcequotas`, {
      metadata: { name: "strict" },
      spec: { hard: { "count/configmaps": "0" } },
    });
    await cluster.server.idle();
    expect([await createConfigMap("a"), await used()]).toEqual([403, { configmaps: "0" }]);
  });

  it("correct what they charged for a create that failed, after five minutes", async () => {
    await createQuota({ configmaps: "5" });
    await createConfigMap("a");
    await cluster.server.idle();
    expect([await createConfigMap("a"), await used()]).toEqual([409, { configmaps: "2" }]);
    clock.step(5 * 60_000);
    await cluster.server.idle();
    expect(await used()).toEqual({ configmaps: "1" });
  });

  it("refuse objects while their usage is unknown", async () => {
    await createQuota({ configmaps: "1" });
    await admin.patch(`${QUOTA}/status`, { status: { used: null } });
    const { status, body } = await admin.post(`${CORE}/configmaps`, configMapOf("a"));
    expect([status, body["message"]]).toEqual([
      403,
      'configmaps "a" is forbidden: status unknown for quota: quota, resources: configmaps',
    ]);
  });

  it("are not enforced if the plugin is disabled, and count nevertheless", async () => {
    const other = createEmbeddedCluster({ clock, disableAdmissionPlugins: ["ResourceQuota"] });
    const requests = requestsOf(other.config);
    other.server.start();
    try {
      const quota = { metadata: { name: "quota" }, spec: { hard: { configmaps: "0" } } };
      await requests.post(`${CORE}/resourcequotas`, quota);
      await other.server.idle();
      expect((await requests.post(`${CORE}/configmaps`, configMapOf("a"))).status).toBe(201);
      await other.server.idle();
      expect((await requests.get(QUOTA)).body["status"]).toEqual({
        hard: { configmaps: "0" },
        used: { configmaps: "1" },
      });
    } finally {
      await other.close();
    }
  });
});
