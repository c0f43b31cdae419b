import { describe, expect, it } from "vitest";

import { createDiscoveryClient, type DiscoveryClient } from "../../src/discovery/discovery-client.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

function clientOf(answers: Readonly<Record<string, unknown>>, contentType = "application/json"): DiscoveryClient {
  const transport = async (request: Request): Promise<Response> => {
    const answer = answers[new URL(request.url).pathname];
    return new Response(JSON.stringify(answer), { headers: { "content-type": contentType } });
  };
  return createDiscoveryClient(createRestClient({ server: "http://fake", transport }));
}

describe("discovery", () => {
  it("reads lists that are null as empty ones", async () => {
    const core = { name: "", versions: [] };
    expect(await clientOf({ "/api": { versions: null }, "/apis": { groups: null } }).groups()).toEqual([core]);
    const groups = [{ name: "g", versions: null, preferredVersion: null }];
    expect(await clientOf({ "/api": {}, "/apis": { groups } }).groups()).toEqual([core, { name: "g", versions: [] }]);
    expect(await clientOf({ "/apis/g/v1": { resources: null } }).resources({ group: "g", version: "v1" })).toEqual([]);
    const items = [
      { metadata: null, versions: null },
      { metadata: { name: "g" }, versions: [{ version: "v1", resources: null }] },
      { metadata: { name: "h" }, versions: [{ version: "v1", resources: [{ resource: "a", subresources: null }] }] },
    ];
    const aggregated = await clientOf({ "/api": { items: null }, "/apis": { items } }, AGGREGATED).groups();
    expect(aggregated).toMatchObject([
      { name: "", versions: [] },
      { name: "g", versions: [{ version: "v1", resources: [] }] },
      { name: "h", versions: [{ version: "v1", resources: [{ name: "a", kind: "" }] }] },
    ]);
  });

  it.each([
    [null, "it is not an object"],
    [5, "it is not an object"],
    [{ groups: 5 }, "groups is not a list"],
    [{ groups: [null] }, "groups is not a list of objects"],
    [{ groups: [{ name: "g", versions: [null] }] }, "versions is not a list of objects"],
  ])("refuses %j", async (groups, message) => {
    await expect(clientOf({ "/api": {}, "/apis": groups }).groups()).rejects.toMatchObject({
      code: "CLIENT_UNEXPECTED_ANSWER",
      message: `cannot use the response to GET /apis: ${message}`,
    });
  });

  it.each([
    [{ items: [null] }, "items is not a list of objects"],
    [{ items: [{ versions: {} }] }, "versions is not a list"],
    [{ items: [{ versions: [{ resources: ["pods"] }] }] }, "resources is not a list of objects"],
  ])("refuses the aggregated %j", async (groups, message) => {
    await expect(clientOf({ "/api": {}, "/apis": groups }, AGGREGATED).groups()).rejects.toMatchObject({
      code: "CLIENT_UNEXPECTED_ANSWER",
      message: `cannot use the response to GET /apis: ${message}`,
    });
  });
});
