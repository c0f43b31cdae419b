import { describe, expect, it } from "vitest";

import { createDiscoveryClient } from "../../src/discovery/discovery-client.ts";
import { isNoMatch } from "../../src/discovery/errors.ts";
import { createRestMapper } from "../../src/discovery/rest-mapper.ts";
import type { RestMapper } from "../../src/discovery/rest-mapping.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { createFakeApi, type FakeApi } from "../client/fake-api.ts";

function setUp(aggregated: boolean): { readonly api: FakeApi; readonly mapper: RestMapper } {
  const api = createFakeApi({ aggregated });
  return { api, mapper: createRestMapper(createDiscoveryClient(createRestClient(api.config))) };
}

const DEPLOYMENT = { group: "apps", version: "v1", kind: "Deployment" };
const GUESTBOOK = { group: "webapp.demo", version: "v1", kind: "Guestbook" };

describe.each([
  ["a server that tells everything at once", true],
  ["a server that tells one group version at a time", false],
])("with %s", (_title, aggregated) => {
  it("kinds map to resource and scope", async () => {
    const { mapper } = setUp(aggregated);
    expect(await mapper.restMapping(DEPLOYMENT)).toEqual({
      gvk: DEPLOYMENT,
      gvr: { group: "apps", version: "v1", resource: "deployments" },
      scope: "namespaced",
    });
    expect(await mapper.restMapping({ group: "", version: "v1", kind: "Namespace" })).toMatchObject({
      gvr: { resource: "namespaces" },
      scope: "cluster",
    });
  });

  it("no request is sent before the first call, and none twice", async () => {
    const { api, mapper } = setUp(aggregated);
    expect(api.discovery).toEqual([]);
    await Promise.all([mapper.restMapping(DEPLOYMENT), mapper.restMapping(DEPLOYMENT)]);
    await mapper.restMapping(DEPLOYMENT);
    const expected = aggregated ? ["/api", "/apis"] : ["/api", "/apis", "/apis/apps/v1"];
    expect(api.discovery.toSorted()).toEqual(expected);
  });

  it("a kind installed later is found by one additional request", async () => {
    const { api, mapper } = setUp(aggregated);
    await mapper.restMapping(DEPLOYMENT);
    const late = { group: "late.demo", version: "v1", kind: "Late" };
    await expect(mapper.restMapping(late)).rejects.toSatisfy(isNoMatch);
    api.resources.push({ ...late, resource: "lates", namespaced: false });
    const before = api.discovery.length;
    expect(await mapper.restMapping(late)).toMatchObject({ gvr: { resource: "lates" }, scope: "cluster" });
    expect(api.discovery.slice(before)).toEqual(["/apis/late.demo/v1"]);
  });

  it("an unknown kind is an error that names it, and costs one request each time", async () => {
    const { api, mapper } = setUp(aggregated);
    await mapper.restMapping(DEPLOYMENT);
    const before = api.discovery.length;
    await expect(mapper.restMapping({ ...DEPLOYMENT, kind: "Deploymint" })).rejects.toMatchObject({
      code: "CLIENT_NO_MATCH",
      message: "the server does not serve kind Deploymint in apps/v1",
    });
    expect(api.discovery.slice(before)).toEqual(["/apis/apps/v1"]);
  });

  it("a kind has mappings in all versions, the preferred one first", async () => {
    const { mapper } = setUp(aggregated);
    const mappings = await mapper.restMappings(GUESTBOOK);
    expect(mappings.map(({ gvk }) => gvk.version)).toEqual(["v1", "v1beta1"]);
    await expect(mapper.restMappings({ group: "webapp.demo", kind: "Nothing" })).rejects.toSatisfy(isNoMatch);
    await expect(mapper.restMappings({ group: "nowhere", kind: "Nothing" })).rejects.toSatisfy(isNoMatch);
  });

  it("a resource leads to its kind", async () => {
    const { mapper } = setUp(aggregated);
    expect(await mapper.kindFor({ group: "webapp.demo", resource: "guestbooks" })).toEqual(GUESTBOOK);
    expect(await mapper.kindFor({ group: "webapp.demo", version: "v1beta1", resource: "guestbooks" })).toEqual({
      ...GUESTBOOK,
      version: "v1beta1",
    });
    expect(await mapper.kindFor({ group: "", resource: "pods" })).toMatchObject({ kind: "Pod" });
    await expect(mapper.kindFor({ group: "", resource: "pots" })).rejects.toThrow("resource pots");
  });

  it("after a reset discovery runs again", async () => {
    const { api, mapper } = setUp(aggregated);
    await mapper.restMapping(DEPLOYMENT);
    api.resources.splice(0);
    expect(await mapper.restMapping(DEPLOYMENT)).toBeDefined();
    mapper.reset();
    await expect(mapper.restMapping(DEPLOYMENT)).rejects.toSatisfy(isNoMatch);
  });
});

describe("stale groups", () => {
  it("a stale group version is requested separately, and its failure is not a missing kind", async () => {
    const groups = [{ metadata: { name: "apps" }, versions: [{ version: "v1", freshness: "Stale" }] }];
    const transport = (request: Request): Promise<Response> =>
      Promise.resolve(
        new URL(request.url).pathname === "/apis/apps/v1"
          ? new Response("down", { status: 503 })
          : new Response(JSON.stringify({ items: groups }), {
              headers: { "content-type": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" },
            }),
      );
    const mapper = createRestMapper(createDiscoveryClient(createRestClient({ server: "http://fake", transport })));
    await expect(mapper.restMapping(DEPLOYMENT)).rejects.toMatchObject({
      code: "CLIENT_DISCOVERY",
      message: expect.stringContaining("apps/v1"),
    });
  });
});

describe("a kind that is installed while discovery is under way", () => {
  const late = { group: "late.demo", version: "v1", kind: "Late" };
  const installed = { ...late, resource: "lates", namespaced: false };

  // The fake API answers at once, as the server does; the mapper receives the answers when they are released.
  function setUpHeld(aggregated: boolean) {
    const api = createFakeApi({ aggregated });
    const held: (() => void)[] = [];
    let isHolding = false;
    const transport = async (request: Request): Promise<Response> => {
      const response = await api.config.transport?.(request);
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
      return response as Response;
    };
    const mapper = createRestMapper(createDiscoveryClient(createRestClient({ ...api.config, transport })));
    const hold = (): void => {
      isHolding = true;
    };
    const release = (): void => {
      isHolding = false;
      for (const resolve of held.splice(0)) resolve();
    };
    return { api, mapper, held, hold, release };
  }

  it.each([
    ["a kind", (mapper: RestMapper) => mapper.restMapping(late)],
    ["all versions of a kind", async (mapper: RestMapper) => (await mapper.restMappings(late))[0]],
    ["a resource of a group", (mapper: RestMapper) => mapper.resourceFor({ group: "late.demo", resource: "lates" })],
    ["a resource of any group", (mapper: RestMapper) => mapper.resourceFor({ resource: "lates" })],
  ])("is found by calls that share a request from before: %s", async (_, find) => {
    const { api, mapper, held, hold, release } = setUpHeld(true);
    await mapper.restMapping(DEPLOYMENT);
    hold();
    const before = find(mapper).catch((error: unknown) => error);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    api.resources.push(installed);
    const after = Promise.all([find(mapper), find(mapper), find(mapper)]);
    release();
    await before;
    const [first, ...others] = await after;
    expect(JSON.stringify(first)).toContain('"resource":"lates"');
    expect(others).toEqual([first, first]);
  });

  it("costs one additional request for all calls that waited", async () => {
    const { api, mapper, held, hold, release } = setUpHeld(true);
    await mapper.restMapping(DEPLOYMENT);
    hold();
    const requests = api.discovery.length;
    const before = mapper.restMapping(late).catch((error: unknown) => error);
    await expect.poll(() => held.length).toBe(1);
    api.resources.push(installed);
    const after = Promise.all(Array.from({ length: 10 }, () => mapper.restMapping(late)));
    release();
    await Promise.all([before, after]);
    expect(api.discovery.slice(requests)).toEqual(["/apis/late.demo/v1", "/apis/late.demo/v1"]);
  });
});
