import { describe, expect, it, onTestFinished } from "vitest";

import { PublishedValue } from "../../src/controllers/published-value.ts";
import type { ApiServer } from "../../src/server/api-server.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";
import { SERVER_ENDPOINTS, type ServerAddress } from "../../src/service-network/server-endpoints.ts";
import { type Requests, requestsOf } from "../support/cluster-requests.ts";

const ENDPOINTS = "/api/v1/namespaces/default/endpoints/kubernetes";
const SLICE = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";

interface Started {
  readonly server: ApiServer;
  readonly admin: Requests;
  readonly advertised: PublishedValue<ServerAddress>;
}

function start(): Started {
  const advertised = new PublishedValue<ServerAddress>();
  const server = createApiServer({ controllers: [(context) => SERVER_ENDPOINTS.create(context, { advertised })] });
  onTestFinished(async () => await server.close());
  server.start();
  return { server, admin: requestsOf(server.restConfig()), advertised };
}

describe("the endpoints of the Service kubernetes", () => {
  it("do not exist before the server advertises an address", async () => {
    const { server, admin } = start();
    await server.idle();
    expect((await admin.get(ENDPOINTS)).status).toBe(404);
    expect((await admin.get(SLICE)).status).toBe(404);
  });

  it.each([
    ["10.1.2.3", "IPv4"],
    ["fd00::1", "IPv6"],
  ])("have the address that the server advertises: %s", async (address, addressType) => {
    const { server, admin, advertised } = start();
    advertised.publish({ address, port: 6443 });
    await server.idle();
    const ports = [{ name: "https", port: 6443, protocol: "TCP" }];
    expect((await admin.get(ENDPOINTS)).body["subsets"]).toEqual([{ addresses: [{ ip: address }], ports }]);
    expect((await admin.get(SLICE)).body).toMatchObject({ addressType, endpoints: [{ addresses: [address] }], ports });
  });

  it("follow another address, and are restored after a change and a deletion", async () => {
    const { server, admin, advertised } = start();
    advertised.publish({ address: "10.1.2.3", port: 6443 });
    await server.idle();
    advertised.publish({ address: "10.1.2.4", port: 6443 });
    await server.idle();
    await admin.patch(ENDPOINTS, { subsets: [] });
    await admin.delete(SLICE);
    await server.idle();
    expect((await admin.get(ENDPOINTS)).body["subsets"]).toMatchObject([{ addresses: [{ ip: "10.1.2.4" }] }]);
    expect((await admin.get(SLICE)).body["endpoints"]).toMatchObject([{ addresses: ["10.1.2.4"] }]);
  });
});
