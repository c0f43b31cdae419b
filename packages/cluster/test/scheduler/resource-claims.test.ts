import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, NODES } from "../controllers/nodes/node-cluster.ts";

const DEVICES = "/apis/resource.k8s.io/v1";
const CLAIMS = `${DEVICES}/namespaces/default/resourceclaims`;
const TEMPLATES = `${DEVICES}/namespaces/default/resourceclaimtemplates`;
const CLASSES = `${DEVICES}/deviceclasses`;
const NO_CLASS = "0/1 nodes are available: request device: device class gpu does not exist. preemption: ";
const SPEC = { devices: { requests: [{ name: "device", exactly: { deviceClassName: "gpu" } }] } };

let tools: NodeCluster;

beforeEach(async () => {
  tools = new NodeCluster();
  await tools.done(tools.admin.delete(`${NODES}/node-0`));
  await tools.createNode("n");
});

afterEach(async () => tools.cluster.close());

async function createPod(name: string, source: object): Promise<void> {
  const containers = [{ name: "c", image: "c:1", resources: { claims: [{ name: "device" }] } }];
  await tools.createPod(name, { containers, resourceClaims: [{ name: "device", ...source }] });
}

async function createClass(): Promise<void> {
  await tools.done(tools.admin.post(CLASSES, { metadata: { name: "gpu" }, spec: {} }));
}

describe("a pod that claims devices", () => {
  it("is not tried before its claim exists, and runs when the class of the claim does", async () => {
    await createPod("p", { resourceClaimName: "late" });
    expect(await tools.conditionOf("p", "PodScheduled")).toBeUndefined();
    await tools.createNode("other");
    expect(await tools.nodeOf("p")).toBeUndefined();
    await tools.done(tools.admin.delete(`${NODES}/other`));
    await tools.done(tools.admin.post(CLAIMS, { metadata: { name: "late" }, spec: SPEC }));
    expect(await tools.conditionOf("p", "PodScheduled")).toContain(NO_CLASS);
    await createClass();
    expect(await tools.nodeOf("p")).toBe("n");
  });

  it("waits for the template of its claim, which an event names", async () => {
    await createPod("p", { resourceClaimTemplateName: "late" });
    expect(await tools.events("p")).toEqual([
      'FailedResourceClaimCreation: PodResourceClaim device: resource claim template "late": resourceclaimtemplate.resource.k8s.io "late" not found',
    ]);
    await tools.done(tools.admin.post(TEMPLATES, { metadata: { name: "late" }, spec: { spec: SPEC } }));
    expect(await tools.conditionOf("p", "PodScheduled")).toContain(NO_CLASS);
    await createClass();
    expect(await tools.nodeOf("p")).toBe("n");
  });

  it("runs with a claim that is allocated already", async () => {
    await tools.done(tools.admin.post(CLAIMS, { metadata: { name: "ready" }, spec: SPEC }));
    const results = [{ request: "device", driver: "gpu.example.com", pool: "pool", device: "gpu-0" }];
    const status = { allocation: { devices: { results } } };
    await tools.done(tools.admin.patch(`${CLAIMS}/ready/status`, { status }));
    await createPod("p", { resourceClaimName: "ready" });
    expect(await tools.nodeOf("p")).toBe("n");
  });
});
