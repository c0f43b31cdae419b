import { beforeEach, describe, expect, it } from "vitest";

import { CONFIG_MAPS, configMap, deployment, TestServer, type Body } from "../../support/test-server.ts";

const CORE = "/api/v1/namespaces/default";
const SERVICES = `${CORE}/services`;
const service = (name: string, spec: object): object => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec,
});

describe("built-in kinds", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  it("refuse addresses and ports of services that are taken or outside the range", async () => {
    const ports = [{ port: 80, nodePort: 30_080 }];
    await server.post(SERVICES, service("one", { type: "NodePort", ports }));
    const causes = async (name: string, spec: object): Promise<unknown> =>
      (await server.post(SERVICES, service(name, spec))).body.details?.causes;
    expect(await causes("two", { type: "NodePort", ports })).toMatchObject([
      { field: "spec.ports[0].nodePort", message: "Invalid value: 30080: provided port is already allocated" },
    ]);
    expect(await causes("two", { type: "NodePort", ports: [{ port: 80, nodePort: 1234 }] })).toMatchObject([
      {
        field: "spec.ports[0].nodePort",
        message:
          "Invalid value: 1234: provided port is not in the valid range. The range of valid ports is 30000-32767",
      },
    ]);
    expect(await causes("two", { clusterIP: "192.168.0.5", ports: [{ port: 80 }] })).toMatchObject([
      {
        field: "spec.clusterIPs",
        message:
          'Invalid value: ["192.168.0.5"]: failed to allocate IP 192.168.0.5: the provided network does not match the current range',
      },
    ]);
    const dryRun = await server.post(`${SERVICES}?dryRun=All`, service("two", { ports: [{ port: 80 }] }));
    expect(dryRun.body.spec.clusterIP).toBe("10.0.0.0");
  });

  it("drop what the old type of a service needed when its type changes", async () => {
    await server.post(SERVICES, service("one", { type: "LoadBalancer", ports: [{ port: 80 }] }));
    const { body } = await server.patch(`${SERVICES}/one`, { spec: { type: "ClusterIP" } });
    expect(body.spec.ports).toEqual([{ port: 80, protocol: "TCP", targetPort: 80 }]);
    expect(Object.keys(body.spec)).not.toContain("externalTrafficPolicy");
    expect(Object.keys(body.spec)).not.toContain("allocateLoadBalancerNodePorts");
    expect(body.spec.clusterIP).toBe("10.0.0.17");
    const outer = await server.patch(`${SERVICES}/one`, { spec: { type: "ExternalName", externalName: "db.example" } });
    expect([outer.code, Object.keys(outer.body.spec).includes("clusterIP")]).toEqual([200, false]);
  });

  it("count a change of a deployment's annotations as a new generation", async () => {
    const deployments = "/apis/apps/v1/namespaces/default/deployments";
    await server.post(deployments, deployment("web"));
    const note = async (path: string, text: string): Promise<unknown> =>
      (await server.patch(path, { metadata: { annotations: { note: text } } })).body.metadata.generation;
    expect(await note(`${deployments}/web`, "one")).toBe(2);
    expect(await note(`${deployments}/web`, "one")).toBe(2);
    expect(await note(`${deployments}/web/status`, "two")).toBe(2);
  });

  it("keep the highest priorities, and the names that begin with system-, for the system", async () => {
    const create = async (name: string, value: number): Promise<Body> =>
      (
        await server.post("/apis/scheduling.k8s.io/v1/priorityclasses", {
          apiVersion: "scheduling.k8s.io/v1",
          kind: "PriorityClass",
          metadata: { name },
          value,
        })
      ).body;
    expect((await create("high", 1_000_000_001)).message).toContain(
      "value: Forbidden: maximum allowed value of a user defined priority is 1000000000",
    );
    expect((await create("system-mine", 1)).message).toContain(
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only",
    );
    expect((await create("system-node-critical", 2_000_001_000)).kind).toBe("PriorityClass");
  });

  it("refuse a CertificateSigningRequest without a request in PEM", async () => {
    const { body } = await server.post("/apis/certificates.k8s.io/v1/certificatesigningrequests", {
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: { name: "one" },
      spec: { request: "Kg==", signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"] },
    });
    expect(body.message).toContain('spec.request: Invalid value: "Kg==": PEM block type must be CERTIFICATE REQUEST');
  });

  it("give a node the list of its ranges of addresses", async () => {
    const { body } = await server.post("/api/v1/nodes", {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "one" },
      spec: { podCIDR: "192.168.1.0/24" },
    });
    expect(body.spec.podCIDRs).toEqual(["192.168.1.0/24"]);
  });

  it("row 118: give services addresses that stay and that nobody else has", async () => {
    const one = await server.post(SERVICES, service("one", { ports: [{ port: 80 }] }));
    const two = await server.post(SERVICES, service("two", { ports: [{ port: 80 }] }));
    expect(one.body.spec).toMatchObject({
      clusterIP: "10.0.0.17",
      clusterIPs: ["10.0.0.17"],
      type: "ClusterIP",
      sessionAffinity: "None",
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
    });
    expect(two.body.spec.clusterIP).toBe("10.0.0.18");
    const taken = await server.post(SERVICES, service("three", { clusterIP: "10.0.0.17", ports: [{ port: 80 }] }));
    expect(taken.body.message).toContain(
      'spec.clusterIPs: Invalid value: ["10.0.0.17"]: failed to allocate IP 10.0.0.17: provided IP is already allocated',
    );
    const moved = await server.patch(`${SERVICES}/one`, { spec: { clusterIP: "10.0.0.9" } });
    expect(moved.body.details.causes[0]).toMatchObject({
      field: "spec.clusterIPs[0]",
      message: expect.stringContaining("may not change once set"),
    });
    const replaced = await server.put(`${SERVICES}/one`, service("one", { ports: [{ port: 81 }] }));
    expect([replaced.code, replaced.body.spec.clusterIP]).toEqual([200, "10.0.0.17"]);
  });

  it("give node ports to services that need them", async () => {
    const { body } = await server.post(SERVICES, service("np", { type: "NodePort", ports: [{ port: 80 }] }));
    expect(body.spec.ports[0].nodePort).toBeGreaterThanOrEqual(30_000);
    expect(body.spec.externalTrafficPolicy).toBe("Cluster");
  });

  it("row 121: write the text of secrets as base64 and keep immutable ones", async () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s" },
      stringData: { a: "x" },
      immutable: true,
    };
    const { body } = await server.post(`${CORE}/secrets`, secret);
    expect([body.data, body.stringData, body.type]).toEqual([{ a: "eA==" }, undefined, "Opaque"]);
    const changed = await server.patch(`${CORE}/secrets/s`, { data: { a: "eQ==" } });
    expect([changed.code, changed.body.details.causes[0]]).toEqual([
      422,
      {
        reason: "FieldValueForbidden",
        message: "Forbidden: field is immutable when `immutable` is set",
        field: "data",
      },
    ]);
    const bad = await server.post(`${CORE}/secrets`, { ...secret, metadata: { name: "t" }, data: { a: "*" } });
    expect([bad.code, bad.body.message]).toEqual([400, expect.stringContaining("illegal base64 data at input byte 0")]);
  });

  it("row 122: complete deployments and their pods", async () => {
    const { body } = await server.post("/apis/apps/v1/namespaces/default/deployments", deployment("d"));
    expect(body.spec).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
    });
    expect(body.spec.template.spec).toMatchObject({
      restartPolicy: "Always",
      dnsPolicy: "ClusterFirst",
      schedulerName: "default-scheduler",
      terminationGracePeriodSeconds: 30,
      securityContext: {},
    });
    expect(body.spec.template.spec.containers[0]).toMatchObject({
      imagePullPolicy: "IfNotPresent",
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "File",
    });
    expect([body.metadata.generation, body.status]).toEqual([1, {}]);
  });

  it("want the selector of a deployment to fit its pods, and to stay", async () => {
    const path = "/apis/apps/v1/namespaces/default/deployments";
    const wrong = deployment("d");
    wrong.spec.selector = { matchLabels: { other: "x" } };
    const { code, body } = await server.post(path, wrong);
    expect([code, body.message]).toEqual([
      422,
      'Deployment.apps "d" is invalid: spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ]);
    await server.post(path, deployment("d"));
    const moved = await server.patch(`${path}/d`, {
      spec: { selector: { matchLabels: { app: "web", b: "c" } }, template: { metadata: { labels: { b: "c" } } } },
    });
    expect(moved.body.details.causes[0]).toMatchObject({
      field: "spec.selector",
      message: expect.stringContaining("field is immutable"),
    });
  });

  it("bring quantities to their canonical form", async () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i", resources: { limits: { cpu: "0.5", memory: "1024Mi" } } }] },
    };
    const { body } = await server.post(`${CORE}/pods`, pod);
    expect(body.spec.containers[0].resources).toEqual({
      limits: { cpu: "500m", memory: "1Gi" },
      requests: { cpu: "500m", memory: "1Gi" },
    });
    expect([body.status.phase, body.status.qosClass]).toEqual(["Pending", "Guaranteed"]);
  });

  it("bring times to whole seconds in UTC", async () => {
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e" },
      involvedObject: { namespace: "default" },
      firstTimestamp: "2026-01-31T10:00:00Z",
      lastTimestamp: "2026-01-31T23:00:00.5-02:00",
    };
    expect((await server.post(`${CORE}/events`, event)).body).toMatchObject({
      firstTimestamp: "2026-01-31T10:00:00Z",
      lastTimestamp: "2026-02-01T01:00:00Z",
    });
    const { body } = await server.post(`${CORE}/events`, { ...event, firstTimestamp: "2026-01-01T24:00:01Z" });
    expect(body.message).toContain('parsing time "2026-01-01T24:00:01Z"');
  });

  it("check the keys of ConfigMaps", async () => {
    const { body } = await server.post(CONFIG_MAPS, configMap("a", { "a b": "c" }));
    expect(body.details.causes[0].field).toBe("data[a b]");
  });

  it("share the storage of events between their two groups", async () => {
    const event = {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "e" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "example.com/c",
      reportingInstance: "c-1",
      action: "Test",
      reason: "Tested",
      note: "it works",
      type: "Normal",
      regarding: { kind: "Pod", name: "p", namespace: "default" },
    };
    expect((await server.post("/apis/events.k8s.io/v1/namespaces/default/events", event)).code).toBe(201);
    const { body } = await server.get(`${CORE}/events?fieldSelector=involvedObject.name%3Dp`);
    expect(body.items[0]).toMatchObject({
      message: "it works",
      involvedObject: { name: "p" },
      reportingComponent: "example.com/c",
    });
    const watch = await server.watch("/apis/events.k8s.io/v1/events?watch=1");
    expect((await watch.take(1))[0]?.object).toMatchObject({ apiVersion: "events.k8s.io/v1", note: "it works" });
    watch.stop();
  });

  it("keep every kind that they default the same when it is written back", async () => {
    const created: Body[] = [];
    created.push((await server.post("/apis/apps/v1/namespaces/default/deployments", deployment("d"))).body);
    for (const object of created) {
      const path = `/apis/${object.apiVersion as string}/namespaces/default/deployments/${object.metadata.name as string}`;
      expect((await server.put(path, object)).body).toEqual(object);
    }
  });
});
