import { beforeEach, describe, expect, it } from "vitest";

import { type Body, deployment, TestServer } from "../../../support/test-server.ts";

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const PODS = "/api/v1/namespaces/default/pods";
const SERVICES = "/api/v1/namespaces/default/services";
const REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const MERGE = { "Content-Type": "application/merge-patch+json" };

describe("the status endpoint", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  const write = async (path: string, status: Body): Promise<Body> =>
    (await server.call("PATCH", `${path}/status`, { status }, MERGE)).body;

  async function causesOf(path: string, status: Body): Promise<readonly string[]> {
    const { details } = await write(path, status);
    return details.causes.map(({ field, message }: Body) => `${field}: ${message}`);
  }

  it("refuses more ready replicas than there are, and a collision count that shrinks", async () => {
    await server.post(DEPLOYMENTS, deployment("a"));
    const path = `${DEPLOYMENTS}/a`;
    await write(path, { collisionCount: 2 });
    expect(await causesOf(path, { replicas: 1, readyReplicas: 2, collisionCount: 1 })).toEqual([
      "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.collisionCount: Invalid value: 1: cannot be decremented",
    ]);
  });

  it.each([
    ["x", 'parsing "x": invalid syntax'],
    ["9223372036854775808", 'parsing "9223372036854775808": value out of range'],
  ])("cannot read a DaemonSet whose template has the generation %s", async (generation, problem) => {
    const annotations = { "deprecated.daemonset.template.generation": generation };
    const { body } = await server.post("/apis/apps/v1/namespaces/default/daemonsets", {
      metadata: { name: "a", annotations },
      spec: deployment("a").spec,
    });
    expect([body.code, body.message]).toEqual([400, expect.stringContaining(`strconv.ParseInt: ${problem}`)]);
  });

  it("keeps the labels of a Deployment", async () => {
    await server.post(DEPLOYMENTS, deployment("a"));
    const patch = { metadata: { labels: { added: "x" } }, status: { replicas: 1 } };
    const { body } = await server.call("PATCH", `${DEPLOYMENTS}/a/status`, patch, MERGE);
    expect([body.metadata.labels, body.status.replicas]).toEqual([undefined, 1]);
  });

  describe("of a Pod", () => {
    const path = `${PODS}/a`;

    async function createPod(container: Body): Promise<void> {
      const spec = { restartPolicy: "Never", containers: [{ name: "a", image: "a:1", ...container }] };
      await server.post(PODS, { metadata: { name: "a" }, spec });
    }

    const terminated = (exitCode: number): Body => ({
      containerStatuses: [status({ terminated: { exitCode, finishedAt: "2026-01-01T00:00:00Z" } })],
    });
    const status = (state: Body): Body => ({
      name: "a",
      image: "a",
      imageID: "a",
      ready: false,
      restartCount: 0,
      state,
    });
    const running = { containerStatuses: [status({ running: { startedAt: "2026-01-01T00:00:00Z" } })] };

    it("does not restart a container that must not restart", async () => {
      await createPod({});
      await write(path, terminated(1));
      expect(await causesOf(path, running)).toEqual([
        "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state",
      ]);
    });

    it("restarts a container whose rules allow it", async () => {
      const exitCodes = { operator: "In", values: [42] };
      await createPod({ restartPolicy: "Never", restartPolicyRules: [{ action: "Restart", exitCodes }] });
      await write(path, terminated(42));
      expect((await write(path, running)).status.containerStatuses[0].state.running).toBeDefined();
    });

    it("prints times that are unknown, and keeps its addresses in step", async () => {
      await createPod({});
      const { status: next } = await write(path, {
        podIP: "192.0.2.1",
        conditions: [{ type: "Ready", status: "True" }],
        containerStatuses: [status({ running: {} })],
      });
      expect(next.podIPs).toEqual([{ ip: "192.0.2.1" }]);
      expect(next.containerStatuses[0].state).toEqual({ running: { startedAt: null } });
      expect(next.conditions).toEqual([
        { type: "Ready", status: "True", lastProbeTime: null, lastTransitionTime: null },
      ]);
    });

    it("keeps the generation that was observed, and the quality of service", async () => {
      await createPod({});
      const condition = { type: "Ready", status: "True", observedGeneration: 3 };
      await write(path, { observedGeneration: 2, conditions: [condition] });
      const { status: next } = await write(path, {
        observedGeneration: 0,
        qosClass: "",
        conditions: [{ type: "Ready", status: "False" }],
      });
      expect([next.observedGeneration, next.conditions[0].observedGeneration, next.qosClass]).toEqual([
        2,
        3,
        "BestEffort",
      ]);
    });
  });

  it("refuses addresses of a load balancer for a Service that is none, and gives them a mode where it is one", async () => {
    const ports = [{ port: 80 }];
    await server.post(SERVICES, { metadata: { name: "a" }, spec: { ports } });
    await server.post(SERVICES, { metadata: { name: "b" }, spec: { ports, type: "LoadBalancer" } });
    const loadBalancer = { ingress: [{ ip: "192.0.2.1" }] };
    expect(await causesOf(`${SERVICES}/a`, { loadBalancer })).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ]);
    const { status } = await write(`${SERVICES}/b`, { loadBalancer });
    expect(status.loadBalancer.ingress).toEqual([{ ip: "192.0.2.1", ipMode: "VIP" }]);
    const { body } = await server.call("PATCH", `${SERVICES}/b`, { spec: { type: "ClusterIP" } }, MERGE);
    expect(body.status).toEqual({ loadBalancer: {} });
  });

  it.each([
    ["a Namespace", "/api/v1/namespaces/default", "Active"],
    ["a PersistentVolumeClaim", "/api/v1/namespaces/default/persistentvolumeclaims/a", "Pending"],
  ])("gives %s without a phase one", async (_kind, path, phase) => {
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    await server.post(path.replace(/\/[^/]*$/u, ""), { metadata: { name: "a" }, spec });
    expect((await write(path, { phase: null })).status.phase).toBe(phase);
  });

  it("does not decide on a CertificateSigningRequest", async () => {
    const request = btoa("-----BEGIN CERTIFICATE REQUEST-----\nAA==\n-----END CERTIFICATE REQUEST-----\n");
    const spec = { request, signerName: "example.com/a", usages: ["client auth"] };
    await server.post(REQUESTS, { metadata: { name: "a" }, spec });
    expect(await causesOf(`${REQUESTS}/a`, { conditions: [{ type: "Approved", status: "True" }] })).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
  });
});
