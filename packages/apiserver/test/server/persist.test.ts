import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { createApiServer } from "../../src/server/create-api-server.ts";
import type { JsonObject } from "../../src/storage/api-object.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "state-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const role = (rules: readonly JsonObject[]): JsonObject => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "system:example", labels: { "kubernetes.io/bootstrapping": "rbac-defaults" } },
  rules: [...rules],
});

interface Answer {
  readonly metadata: { readonly resourceVersion: string; readonly uid?: string };
  readonly items?: readonly unknown[];
  readonly rules?: readonly unknown[];
}

type Get = (where: string) => Promise<Answer>;

async function started<T>(options: Parameters<typeof createApiServer>[0], use: (get: Get) => Promise<T>): Promise<T> {
  const server = createApiServer({ persist: folder, ...options });
  try {
    return await use(
      async (where) => (await (await server.handle(new Request(`http://server${where}`))).json()) as Answer,
    );
  } finally {
    await server.close();
  }
}

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

describe("a server with a state folder", () => {
  it("has the same namespaces, with their UIDs, after a restart", async () => {
    const first = await started({}, async (get) => await get("/api/v1/namespaces"));
    const second = await started({}, async (get) => await get("/api/v1/namespaces"));
    expect(second).toEqual(first);
    expect(first.items).toHaveLength(4);
  });

  it("keeps changed initial objects, but not roles of the cluster that a newer version changes", async () => {
    const config = (value: string): JsonObject => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name: "a" },
      data: { value },
    });
    const get = async (request: Get): Promise<readonly Answer[]> => [
      await request("/api/v1/namespaces/default/configmaps/a"),
      await request(`${ROLES}/system:example`),
    ];
    const rule = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
    const wider = { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] };
    const older = await started({ initialObjects: () => [config("old"), role([rule])] }, get);
    const newer = await started({ initialObjects: () => [config("new"), role([wider])] }, get);
    expect(newer[0]).toEqual(older[0]);
    expect(newer[1]?.rules).toEqual([wider]);
    expect(newer[1]?.metadata.uid).toBe(older[1]?.metadata.uid);
    const same = await started({ initialObjects: () => [config("new"), role([wider])] }, get);
    expect(same).toEqual(newer);
  });

  it("continues watches from the last resourceVersion, and ends those from before with 410", async () => {
    const version = await started({}, async (get) => (await get("/api/v1/namespaces")).metadata.resourceVersion);
    const after = createApiServer({ persist: folder, bookmarkIntervalMs: 60_000 });
    const watch = async (from: number): Promise<string> => {
      const url = `http://server/api/v1/namespaces?watch=1&timeoutSeconds=1&resourceVersion=${String(from)}`;
      return await (await after.handle(new Request(url))).text();
    };
    expect(await watch(Number(version))).toBe("");
    expect(await watch(Number(version) - 1)).toContain('"code":410');
    await after.close();
  });

  it("releases the folder when an option fails", async () => {
    const failing = (): never => {
      throw new Error("no authorizer");
    };
    expect(() => createApiServer({ persist: folder, authorizer: failing })).toThrow("no authorizer");
    await createApiServer({ persist: folder }).close();
  });
});
