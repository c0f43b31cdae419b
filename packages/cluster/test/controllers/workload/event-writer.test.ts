import type { Event } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster } from "../nodes/node-cluster.ts";

const AUTOSCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const EVENTS = "/api/v1/namespaces/default/events";

let tools: NodeCluster;

beforeEach(async () => {
  // Newer autoscalers look at their targets when they are created, too.
  tools = new NodeCluster("1.36");
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "missing" };
  const body = { metadata: { name: "web" }, spec: { scaleTargetRef, maxReplicas: 2 } };
  await tools.done(tools.admin.post(AUTOSCALERS, body));
});

afterEach(async () => tools.cluster.close());

async function events(): Promise<readonly Event[]> {
  return ((await tools.admin.get(EVENTS)).body as { readonly items: readonly Event[] }).items;
}

describe("the events of controllers", () => {
  it("are counted when they occur again", async () => {
    await tools.advance(15);
    const [first] = await events();
    expect(first).toMatchObject({ reason: "FailedGetScale", count: 1 });
    for (let look = 2; look <= 3; look += 1) await tools.advance(15);
    expect(await events()).toMatchObject([
      {
        metadata: { uid: first?.metadata.uid },
        message: first?.message,
        count: 3,
        firstTimestamp: "2026-01-01T00:00:15Z",
        lastTimestamp: "2026-01-01T00:00:45Z",
      },
    ]);
  });

  it("are created again with their count when they were deleted", async () => {
    await tools.advance(15);
    const [first] = await events();
    await tools.done(tools.admin.delete(`${EVENTS}/${first?.metadata.name ?? ""}`));
    await tools.advance(15);
    const [second] = await events();
    expect(second).toMatchObject({ metadata: { name: first?.metadata.name }, count: 2 });
    expect(second?.metadata.uid).not.toBe(first?.metadata.uid);
  });

  it("are counted from 1 after an earlier state was restored", async () => {
    const snapshot = tools.cluster.server.snapshot();
    await tools.advance(15);
    await tools.cluster.server.restore(snapshot);
    await tools.cluster.server.idle();
    await tools.advance(15);
    expect(await events()).toMatchObject([{ reason: "FailedGetScale", count: 1 }]);
  });
});
