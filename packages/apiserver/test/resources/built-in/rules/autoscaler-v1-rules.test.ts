import { beforeEach, describe, expect, it } from "vitest";

import { TestServer, type Body } from "../../../support/test-server.ts";

const path = (version: string): string => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const autoscaler = (version: string, spec: Body): Body => ({
  apiVersion: `autoscaling/${version}`,
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "a" },
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, ...spec },
});

describe("autoscalerV1Rules", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  it("stores what v1 says in the form of v2", async () => {
    const created = await server.post(path("v1"), autoscaler("v1", { targetCPUUtilizationPercentage: 60 }));
    expect([created.code, created.body.apiVersion, created.body.spec.targetCPUUtilizationPercentage]).toEqual([
      201,
      "autoscaling/v1",
      60,
    ]);
    const { body } = await server.get(`${path("v2")}/a`);
    expect([body.apiVersion, body.spec.metrics]).toEqual([
      "autoscaling/v2",
      [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } }],
    ]);
  });

  it("keeps in v1 what it has no fields for", async () => {
    const memory = {
      type: "Resource",
      resource: { name: "memory", target: { type: "Utilization", averageUtilization: 70 } },
    };
    await server.post(path("v2"), autoscaler("v2", { metrics: [memory] }));
    const changed = await server.change(`${path("v1")}/a`, (object) => {
      object.spec.maxReplicas = 9;
    });
    expect(changed.body.metadata.annotations["autoscaling.alpha.kubernetes.io/metrics"]).toContain("memory");
    const { body } = await server.get(`${path("v2")}/a`);
    expect([body.spec.maxReplicas, body.spec.metrics, body.metadata.annotations]).toEqual([9, [memory], undefined]);
  });
});
