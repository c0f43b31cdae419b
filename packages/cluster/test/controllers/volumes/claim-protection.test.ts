import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import { afterEach, describe, expect, it } from "vitest";

import { NodeCluster, PODS } from "../nodes/node-cluster.ts";

const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

let tools: NodeCluster;

afterEach(async () => tools.cluster.close());

async function createClaim(kubernetesVersion?: string): Promise<void> {
  tools = new NodeCluster(kubernetesVersion);
  const provisioner = "disk.example.com";
  await tools.done(tools.admin.post(CLASSES, { metadata: { name: "disks" }, provisioner }));
  const spec = {
    accessModes: ["ReadWriteOnce"],
    storageClassName: "disks",
    resources: { requests: { storage: "1Gi" } },
  };
  await tools.done(tools.admin.post(CLAIMS, { metadata: { name: "data" }, spec }));
}

async function conditions(): Promise<readonly string[] | undefined> {
  const { body } = await tools.admin.get(`${CLAIMS}/data`);
  const { status } = body as unknown as PersistentVolumeClaim;
  return status?.conditions?.map(
    (condition) =>
      `${condition.type} ${condition.status} ${condition.reason ?? ""} ${condition.lastTransitionTime ?? ""}`,
  );
}

describe("the condition of a claim", () => {
  it("states since when no Pod uses it", async () => {
    await createClaim();
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    await tools.createPod("first", { volumes });
    await tools.createPod("second", { volumes });
    const used = ["Unused False PodUsingPVC 2026-01-01T00:00:00Z"];
    expect(await conditions()).toEqual(used);
    await tools.advance(10);
    await tools.done(tools.admin.delete(`${PODS}/first`, { gracePeriodSeconds: 0 }));
    expect(await conditions()).toEqual(used);
    await tools.done(tools.admin.delete(`${PODS}/second`, { gracePeriodSeconds: 0 }));
    const [unused = ""] = (await conditions()) ?? [];
    expect(unused).toMatch(/^Unused True NoPodsUsingPVC 2026-01-01T00:00:1\dZ$/u);
  });

  it("is absent before 1.37", async () => {
    await createClaim("1.36");
    await tools.createPod("user", { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] });
    expect(await conditions()).toBeUndefined();
  });
});
