import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf } from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "state-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function started<T>(use: (cluster: EmbeddedCluster) => Promise<T>): Promise<T> {
  const cluster = createEmbeddedCluster({ persist: folder, workloadSimulation: true });
  try {
    cluster.server.start();
    return await use(cluster);
  } finally {
    await cluster.close();
  }
}

const DEPLOYMENT = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web" }] } },
  },
};

interface Lease {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec: { readonly holderIdentity: string };
}

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const PODS = "/api/v1/namespaces/default/pods";

const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "foos.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "foos", singular: "foo", kind: "Foo", listKind: "FooList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
const FOOS = "/apis/example.com/v1/namespaces/default/foos";

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly uid: string };
    readonly status: { readonly podIP: string };
  }[];
}

describe("a cluster with a state folder", () => {
  it("continues after a restart with its Pods, custom resources, and service accounts", async () => {
    const before = await started(async ({ config, server }) => {
      const requests = requestsOf(config);
      expect(await requests.post(DEPLOYMENTS, DEPLOYMENT)).toMatchObject({ status: 201 });
      expect(await requests.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", CRD)).toMatchObject({
        status: 201,
      });
      await server.idle();
      expect(
        await requests.post(FOOS, { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "a" } }),
      ).toMatchObject({
        status: 201,
      });
      const token = await requests.post("/api/v1/namespaces/default/serviceaccounts/default/token", {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: {},
      });
      await server.idle();
      return {
        pods: (await requests.get(PODS)).body as unknown as PodList,
        foos: (await requests.get(FOOS)).body["items"],
        deployments: (await requests.get(DEPLOYMENTS)).body["items"],
        token: (token.body["status"] as { readonly token: string }).token,
      };
    });
    expect(before.pods.items).toHaveLength(2);
    await started(async ({ config, server }) => {
      const requests = requestsOf(config);
      await server.idle();
      // The version of the lists grows with the Leases of Nodes.
      expect((await requests.get(FOOS)).body["items"]).toEqual(before.foos);
      expect((await requests.get(DEPLOYMENTS)).body["items"]).toEqual(before.deployments);
      expect((await requests.get(PODS)).body["items"]).toEqual(before.pods.items);
      const account = requestsOf({ ...config, credentials: { kind: "token", token: before.token } });
      expect(await account.get("/api")).toMatchObject({ status: 200 });
      expect(await requests.patch(`${DEPLOYMENTS}/web`, { spec: { replicas: 3 } })).toMatchObject({ status: 200 });
      await server.idle();
      const { items } = (await requests.get(PODS)).body as unknown as PodList;
      expect(new Set(items.map(({ status }) => status.podIP)).size).toBe(3);
    });
  });

  it("replaces the Lease of the server when it starts again", async () => {
    const lease = async (): Promise<Lease | undefined> =>
      await started(async ({ config }) => {
        const { body } = await requestsOf(config).get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases");
        const items = body["items"] as readonly Lease[];
        expect(items).toHaveLength(1);
        return items[0];
      });
    const [first, second] = [await lease(), await lease()];
    expect(second?.metadata.name).toBe(first?.metadata.name);
    expect(second?.metadata.uid).not.toBe(first?.metadata.uid);
    expect(second?.spec.holderIdentity).not.toBe(first?.spec.holderIdentity);
  });

  it("forgets what a reset removes", async () => {
    await started(async ({ config, server }) => {
      await requestsOf(config).post(DEPLOYMENTS, DEPLOYMENT);
      await server.reset();
    });
    await started(async ({ config }) => {
      expect((await requestsOf(config).get(DEPLOYMENTS)).body).toMatchObject({ items: [] });
    });
  });

  it.skipIf(process.platform === "win32")("lets only its user read the folder", async () => {
    await started(async () => {});
    const modes = ["log-1.jsonl", "service-account.key"].map((name) => statSync(path.join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });

  it("has every acknowledged write after its process was killed, again and again", { timeout: 120_000 }, async () => {
    const values = new Map<string, string>();
    for (const [run, lines] of [40, 1, 333, 120].entries()) {
      for (const line of await killedAfter(lines, String(run))) {
        const [status, name = "", value = "1"] = line.split(" ");
        expect(status).toMatch(/^20[01]$/u);
        values.set(name, value);
      }
      const stored = await started(async ({ config }) => {
        const { body } = await requestsOf(config).get("/api/v1/namespaces/default/configmaps");
        return body["items"] as readonly { metadata: { name: string }; data: { a: string } }[];
      });
      const found = new Map(stored.map(({ metadata, data }) => [metadata.name, data.a]));
      // Writes that were acknowledged but not printed may be there, too.
      const missing = [...values].filter(([name, value]) => Number(found.get(name) ?? -1) < Number(value));
      expect(missing).toEqual([]);
      for (const [name, value] of found) values.set(name, value);
    }
  });
});

// Runs the process until it has printed some lines, kills it, and returns all that it printed.
async function killedAfter(lines: number, run: string): Promise<readonly string[]> {
  const program = fileURLToPath(new URL("persisting-process.ts", import.meta.url));
  const args = ["--import", "tsx", "--conditions=@kubescaffold/source", program, folder, run];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.split("\n").length > lines) child.kill("SIGKILL");
  });
  const signal = await new Promise((resolve) => {
    child.on("close", (_code, name) => resolve(name));
  });
  expect(signal).toBe("SIGKILL");
  return output.split("\n").slice(0, -1);
}
