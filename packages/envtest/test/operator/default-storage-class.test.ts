import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";
import { StorageClass } from "@kubescaffold/k8s/storage/v1";
import { createClient } from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { Environment } from "../../src/environment/environment.ts";
import { ensureDefaultStorageClass } from "../../src/operator/default-storage-class.ts";
import { startDevelopmentCluster } from "../../src/operator/development-cluster.ts";

const PROJECT = path.resolve(import.meta.dirname, "../../../../examples/guestbook");

describe("the default StorageClass of a development cluster", () => {
  let stateDirectory: string;

  beforeEach(() => {
    stateDirectory = mkdtempSync(path.join(tmpdir(), "kubescaffold-classes-"));
  });

  afterEach(() => rmSync(stateDirectory, { recursive: true, force: true }));

  it("gives volumes to Pods whose claims name no class", async () => {
    const cluster = await startDevelopmentCluster({ projectDirectory: PROJECT, stateDirectory });
    const { client } = cluster;
    try {
      const key = { name: "data", namespace: "default" };
      const resources = { requests: { storage: "1Gi" } };
      await client.create(
        PersistentVolumeClaim.create({ metadata: key, spec: { accessModes: ["ReadWriteOnce"], resources } }),
      );
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
      const spec = { containers: [{ name: "app", image: "app:1" }], volumes };
      // A controller creates the ServiceAccount of Pods.
      await expect
        .poll(async () => await client.create(Pod.create({ metadata: key, spec })).then(() => "created", String))
        .toBe("created");
      const state = async (): Promise<readonly unknown[]> => {
        const claim = await client.get(PersistentVolumeClaim, key);
        return [(await client.get(Pod, key)).status?.phase, claim.status?.phase, claim.spec?.storageClassName];
      };
      await expect.poll(state, { timeout: 30_000 }).toEqual(["Running", "Bound", "standard"]);
    } finally {
      await cluster.stop();
    }
  });

  it("is left out where another class exists, or no Pods are simulated", async () => {
    const cluster = await startDevelopmentCluster({ projectDirectory: PROJECT, stateDirectory, workloads: false });
    try {
      expect((await cluster.client.list(StorageClass)).items).toEqual([]);
    } finally {
      await cluster.stop();
    }
    const environment = new Environment({ backend: "embedded" });
    try {
      const client = createClient(await environment.start());
      await client.create(StorageClass.create({ metadata: { name: "fast" }, provisioner: "example.com/disks" }));
      await ensureDefaultStorageClass(client);
      expect((await client.list(StorageClass)).items.map(({ metadata }) => metadata.name)).toEqual(["fast"]);
    } finally {
      await environment.stop();
    }
  });
});
