import { beforeEach, describe, expect, it } from "vitest";

import { type Answer, type Body, TestServer } from "../../../support/test-server.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const MERGE = { "Content-Type": "application/merge-patch+json" };
const PORTS = [{ port: 80 }];

describe("a Service", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  const create = async (spec: Body, query = ""): Promise<Answer> =>
    await server.post(`${SERVICES}${query}`, { metadata: { name: "a" }, spec });
  const patch = async (spec: Body): Promise<Answer> => await server.call("PATCH", `${SERVICES}/a`, { spec }, MERGE);
  const messageOf = ({ body }: Answer): string => body.message;

  it("has one port of the nodes for two protocols of one port", async () => {
    const ports = [
      { name: "tcp", port: 53 },
      { name: "udp", port: 53, protocol: "UDP" },
      { name: "web", port: 80 },
    ];
    const { body } = await create({ type: "NodePort", ports });
    const [tcp, udp, web] = body.spec.ports.map(({ nodePort }: Body) => nodePort);
    expect([udp, web === tcp]).toEqual([tcp, false]);
  });

  it("cannot have a port of the nodes twice", async () => {
    const ports = [
      { name: "a", port: 80, nodePort: 30_000 },
      { name: "b", port: 81, nodePort: 30_000 },
    ];
    expect(messageOf(await create({ type: "NodePort", ports }))).toContain(
      "spec.ports[1].nodePort: Invalid value: 30000: provided port is already allocated",
    );
    await create({ type: "NodePort", ports: ports.slice(0, 1) });
    const answer = await patch({ ports: [ports[0], { ...ports[1], port: 80 }] });
    expect([answer.code, messageOf(answer)]).toEqual([500, "duplicate nodePort: {TCP 30000}"]);
  });

  it.each([["TCP"], ["UDP"]])(
    "keeps its port of the nodes, and gets another one for a new port of %s",
    async (protocol) => {
      const { body } = await create({ type: "NodePort", ports: [{ name: "a", port: 80 }] });
      const [{ nodePort: kept }] = body.spec.ports;
      const { code, body: changed } = await patch({
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 81, protocol },
        ],
      });
      const [first, second] = changed.spec?.ports ?? [];
      expect([code, first?.nodePort]).toEqual([200, kept]);
      expect(second.nodePort).toBeGreaterThan(kept);
    },
  );

  it("has a port for checks of its health that none of its ports has", async () => {
    await create({ type: "LoadBalancer", ports: PORTS });
    const { body } = await patch({ externalTrafficPolicy: "Local" });
    expect(body.spec.healthCheckNodePort).toBeGreaterThan(body.spec.ports[0].nodePort);
  });

  it("cannot be created twice with a stated port or address", async () => {
    await create({ type: "NodePort", clusterIP: "10.0.0.77", ports: [{ port: 80, nodePort: 30_100 }] });
    expect(messageOf(await create({ type: "NodePort", ports: [{ port: 80, nodePort: 30_100 }] }))).toContain(
      "spec.ports[0].nodePort: Invalid value: 30100: provided port is already allocated",
    );
    expect(messageOf(await create({ clusterIP: "10.0.0.77", ports: PORTS }))).toContain(
      "failed to allocate IP 10.0.0.77: provided IP is already allocated",
    );
  });

  it("loses its addresses when it becomes a name, unless they are changed as well", async () => {
    await create({ ports: PORTS });
    const name = { type: "ExternalName", externalName: "example.com" };
    expect(messageOf(await patch({ ...name, clusterIP: "::1" }))).toContain(
      "spec.clusterIPs: Forbidden: may not be set for ExternalName services",
    );
    const { body } = await patch(name);
    expect(body.spec).toEqual({
      ...name,
      ports: [{ ...PORTS[0], protocol: "TCP", targetPort: 80 }],
      sessionAffinity: "None",
    });
  });

  it("keeps the port for checks of its health when a client omits it, and loses it with its policy", async () => {
    const { body } = await create({ type: "LoadBalancer", ports: PORTS, externalTrafficPolicy: "Local" });
    const port = body.spec.healthCheckNodePort;
    expect(port).toBeGreaterThan(30_000);
    expect((await patch({ healthCheckNodePort: null })).body.spec.healthCheckNodePort).toBe(port);
    expect((await patch({ externalTrafficPolicy: "Cluster" })).body.spec.healthCheckNodePort).toBeUndefined();
  });

  it("needs a policy for addresses of two families before anything else is checked", async () => {
    const spec = { ports: [], clusterIP: "10.0.0.50", clusterIPs: ["10.0.0.50", "fd00::1"] };
    const { body } = await create(spec);
    expect(body.details.causes.map(({ field }: Body) => field)).toEqual(["spec.ipFamilyPolicy", "spec.clusterIPs[1]"]);
  });
});
