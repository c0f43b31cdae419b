import { createEmbeddedCluster, type EmbeddedCluster, type EmbeddedClusterOptions } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { afterEach, describe, expect, it } from "vitest";

import type { ApiObject } from "../../src/storage/api-object.ts";
import { CONFIG_MAPS, configMap } from "../support/test-server.ts";

const clusters: EmbeddedCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map(async (cluster) => await cluster.close()));
});

function started(options: EmbeddedClusterOptions = {}): EmbeddedCluster {
  const cluster = createEmbeddedCluster({ lifecycleControllers: false, recordHistory: true, ...options });
  clusters.push(cluster);
  return cluster;
}

interface Sent {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly userAgent?: string;
}

async function send(
  { transport, credentials }: RestConfig,
  method: string,
  path: string,
  { body, contentType = "application/json", userAgent = "kubectl/v1.35.4 (linux/amd64)" }: Sent = {},
): Promise<ApiObject> {
  const headers = new Headers({ "content-type": contentType, "user-agent": userAgent });
  if (credentials?.kind === "token") headers.set("authorization", `Bearer ${credentials.token}`);
  const request = new Request(`http://x${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await transport?.(request);
  return (await response?.json()) as ApiObject;
}

const merge = "application/merge-patch+json";

describe("the history of an object", () => {
  it("has who changed what, in order, also after the deletion", async () => {
    const cluster = started();
    const jane = cluster.addUser({ name: "jane", groups: ["system:masters"] });
    const created = await send(cluster.config, "POST", `${CONFIG_MAPS}?fieldManager=setup`, { body: configMap("a") });
    await send(jane, "PATCH", `${CONFIG_MAPS}/a`, { body: { data: { k: "v" } }, contentType: merge });
    await send(jane, "DELETE", `${CONFIG_MAPS}/a`, { userAgent: "manager" });
    const { versions, isTruncated } = cluster.history(created);
    const kubectl = { userAgent: "kubectl/v1.35.4 (linux/amd64)", subresource: "" };
    expect(versions).toMatchObject([
      { ...kubectl, change: "created", verb: "create", user: "kubernetes-admin", fieldManager: "setup" },
      {
        ...kubectl,
        change: "changed",
        verb: "patch",
        user: "jane",
        fieldManager: "kubectl",
        object: { data: { k: "v" } },
      },
      { change: "deleted", verb: "delete", user: "jane", userAgent: "manager", fieldManager: "manager" },
    ]);
    expect(isTruncated).toBe(false);
    expect(versions[0]?.resourceVersion).toBe(created.metadata.resourceVersion);
    expect(Math.abs((versions[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it("attributes concurrent requests to their users", async () => {
    const cluster = started();
    const users = ["a", "b", "c", "d"];
    const created = await Promise.all(
      users.map(async (name) => {
        const config = cluster.addUser({ name, groups: ["system:masters"] });
        const body = configMap(name);
        return await send(config, "POST", CONFIG_MAPS, { body });
      }),
    );
    expect(created.map((object) => cluster.history(object).versions.map(({ user }) => user))).toEqual(
      users.map((name) => [name]),
    );
  });

  it("names the subresource, and no author for writes of the server", async () => {
    const cluster = started();
    const namespace = await send(cluster.config, "POST", "/api/v1/namespaces", {
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } },
    });
    await send(cluster.config, "PATCH", "/api/v1/namespaces/team/status", {
      body: { status: { conditions: [] }, metadata: { labels: { a: "b" } } },
      contentType: merge,
    });
    cluster.server.context.changeStored(
      { group: "", resource: "namespaces" },
      { namespace: "", name: "team" },
      (object) => {
        object.metadata.annotations = { by: "server" };
      },
    );
    expect(cluster.history(namespace).versions).toMatchObject([
      { verb: "create", subresource: "" },
      { verb: "patch", subresource: "status" },
      { verb: "", user: "", change: "changed", object: { metadata: { annotations: { by: "server" } } } },
    ]);
  });

  it("begins with the state from before it was recorded", async () => {
    const cluster = started();
    const found = await send(cluster.config, "GET", "/api/v1/namespaces/default");
    expect(cluster.history(found).versions).toEqual([]);
    await send(cluster.config, "PATCH", "/api/v1/namespaces/default", {
      body: { metadata: { labels: { a: "b" } } },
      contentType: merge,
    });
    expect(cluster.history(found).versions).toMatchObject([{ change: "found", user: "" }, { change: "changed" }]);
  });

  it("has no version of a dry run or a refused write", async () => {
    const cluster = started();
    const created = await send(cluster.config, "POST", CONFIG_MAPS, { body: configMap("a") });
    await send(cluster.config, "DELETE", `${CONFIG_MAPS}/a?dryRun=All`);
    const stale = { ...configMap("a"), metadata: { name: "a", resourceVersion: "1" } };
    await send(cluster.config, "PUT", `${CONFIG_MAPS}/a`, { body: stale });
    expect(cluster.history(created).versions).toHaveLength(1);
  });

  it.each<[string, NonNullable<EmbeddedClusterOptions["recordHistory"]>, number]>([
    ["versions of all objects", { versions: 5 }, 5],
    ["versions of one object", { versionsPerObject: 3 }, 3],
    ["bytes", { bytes: 10_000 }, 9],
  ])("forgets the oldest beyond a number of %s", async (_, recordHistory, most) => {
    const cluster = started({ recordHistory });
    const created = await send(cluster.config, "POST", CONFIG_MAPS, { body: configMap("a") });
    for (let index = 0; index < 12; index += 1) {
      const body = { data: { index: String(index), filler: "x".repeat(1000) } };
      await send(cluster.config, "PATCH", `${CONFIG_MAPS}/a`, { body, contentType: merge });
    }
    const { versions, isTruncated } = cluster.history(created);
    expect(isTruncated).toBe(true);
    expect(versions.length).toBeLessThanOrEqual(most);
    expect(versions.at(-1)?.object["data"]).toMatchObject({ index: "11" });
  });

  it("keeps objects that rarely change from being forgotten because of one that often does", async () => {
    const cluster = started({ recordHistory: { versions: 20, versionsPerObject: 5 } });
    const rare = await send(cluster.config, "POST", CONFIG_MAPS, { body: configMap("rare") });
    await send(cluster.config, "POST", CONFIG_MAPS, { body: configMap("often") });
    for (let index = 0; index < 3000; index += 1) {
      const body = { data: { index: String(index) } };
      await send(cluster.config, "PATCH", `${CONFIG_MAPS}/often`, { body, contentType: merge });
    }
    expect(cluster.history(rare).versions).toHaveLength(1);
  });

  it("is forgotten by a reset", async () => {
    const cluster = started();
    const created = await send(cluster.config, "POST", CONFIG_MAPS, { body: configMap("a") });
    await cluster.server.reset();
    expect(cluster.history(created).versions).toEqual([]);
  });

  it("is an error unless it is recorded", () => {
    const cluster = started({ recordHistory: false });
    expect(() => cluster.history({ metadata: { uid: "u" } })).toThrow("it is not recorded");
  });
});
