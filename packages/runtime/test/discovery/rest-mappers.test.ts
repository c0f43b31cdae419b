import { describe, expect, it } from "vitest";

import {
  ANY,
  createFirstHitRestMapper,
  createMultiRestMapper,
  createPriorityRestMapper,
} from "../../src/discovery/composed-rest-mappers.ts";
import { createDefaultRestMapper, type MappedKind } from "../../src/discovery/default-rest-mapper.ts";
import { createDiscoveryClient } from "../../src/discovery/discovery-client.ts";
import { isAmbiguousError, isNoMatch } from "../../src/discovery/errors.ts";
import type { PartialResource } from "../../src/discovery/partial-resource.ts";
import { createRestMapper } from "../../src/discovery/rest-mapper.ts";
import type { RestMapper } from "../../src/discovery/rest-mapping.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { createFakeApi } from "../client/fake-api.ts";

function kind(group: string, version: string, name: string, more: Partial<MappedKind> = {}): MappedKind {
  return { gvk: { group, version, kind: name }, scope: "namespaced", ...more };
}

const STORAGE = kind("storage.k8s.io", "v1", "StorageClass", { scope: "cluster" });
const KINDS = [
  kind("", "v1", "Pod"),
  kind("", "v1", "Endpoints"),
  kind("apps", "v1", "Deployment"),
  kind("apps", "v1beta1", "Deployment"),
  kind("old.apps", "v1", "Deployment"),
  kind("networking.k8s.io", "v1", "NetworkPolicy"),
  STORAGE,
];
const MAPPER = createDefaultRestMapper(KINDS, {
  groupVersions: [
    { group: "apps", version: "v1beta1" },
    { group: "apps", version: "v1" },
  ],
});

async function names(mapper: RestMapper, resource: PartialResource): Promise<readonly string[]> {
  const found = await mapper.resourcesFor(resource);
  return found.map(({ group, version, resource: plural }) => `${group}/${version}/${plural}`);
}

const AMBIGUOUS = "CLIENT_AMBIGUOUS_RESOURCE";

/** Returns the value of a promise, or the code of its error. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => (error as { readonly code?: unknown }).code);
}

describe("createDefaultRestMapper", () => {
  it.each<[PartialResource, readonly string[]]>([
    [{ resource: "pods" }, ["/v1/pods"]],
    [{ resource: "pod" }, ["/v1/pods"]],
    [{ resource: "PODS" }, ["/v1/pods"]],
    [{ resource: "pods", group: "" }, ["/v1/pods"]],
    [{ resource: "endpoints" }, ["/v1/endpoints"]],
    [{ resource: "networkpolicies" }, ["networking.k8s.io/v1/networkpolicies"]],
    [{ resource: "storageclasses", group: "storage" }, ["storage.k8s.io/v1/storageclasses"]],
    [{ resource: "deployments", group: "apps" }, ["apps/v1beta1/deployments", "apps/v1/deployments"]],
    [{ resource: "deployments", version: "v1" }, ["apps/v1/deployments", "old.apps/v1/deployments"]],
    [{ resource: "deployments", version: "__internal", group: "old" }, ["old.apps/v1/deployments"]],
    [{ resource: "deployments", version: "v1", group: "apps" }, ["apps/v1/deployments"]],
  ])("finds %o", async (resource, expected) => {
    expect(await names(MAPPER, resource)).toEqual(expected);
    const kinds = await MAPPER.kindsFor(resource);
    expect(kinds).toHaveLength(expected.length);
    const resources = await MAPPER.resourcesFor(resource);
    expect(await outcome(MAPPER.kindFor(resource))).toEqual(expected.length === 1 ? kinds[0] : AMBIGUOUS);
    expect(await outcome(MAPPER.resourceFor(resource))).toEqual(expected.length === 1 ? resources[0] : AMBIGUOUS);
  });

  it.each<PartialResource>([
    { resource: "" },
    { resource: "nothings" },
    { resource: "deployments", group: "" },
    { resource: "deployments", group: "app", version: "v1" },
    { resource: "deployments", version: "v2" },
  ])("has no match for %o", async (resource) => {
    await expect(MAPPER.resourcesFor(resource)).rejects.toSatisfy(isNoMatch);
    await expect(MAPPER.kindFor(resource)).rejects.toSatisfy(isNoMatch);
  });

  it("maps kinds to resources, in the order of the group versions", async () => {
    expect(await MAPPER.restMapping(STORAGE.gvk)).toEqual({
      gvk: STORAGE.gvk,
      gvr: { group: "storage.k8s.io", version: "v1", resource: "storageclasses" },
      scope: "cluster",
    });
    const mappings = await MAPPER.restMappings({ group: "apps", kind: "Deployment" });
    expect(mappings.map(({ gvk }) => gvk.version)).toEqual(["v1beta1", "v1"]);
    await expect(MAPPER.restMapping({ ...STORAGE.gvk, version: "v2" })).rejects.toSatisfy(isNoMatch);
    await expect(MAPPER.restMappings({ group: "", kind: "Deployment" })).rejects.toSatisfy(isNoMatch);
  });

  it("returns singular names", async () => {
    const mapper = createDefaultRestMapper([
      kind("", "v1", "Fish", { plural: "fish", singular: "fish" }),
      kind("a", "v1", "Child", { plural: "children" }),
      kind("b", "v1", "Kid", { plural: "children" }),
    ]);
    expect(await mapper.singularOf("fish")).toBe("fish");
    await expect(mapper.singularOf("children")).rejects.toSatisfy(isAmbiguousError);
  });
});

describe("composed mappers", () => {
  const core = createDefaultRestMapper([kind("", "v1", "Event"), kind("", "v1", "Pod")]);
  const events = createDefaultRestMapper([kind("events.k8s.io", "v1", "Event"), kind("", "v1", "Pod")]);
  const failing = createRestMapper(
    createDiscoveryClient(
      createRestClient({ server: "http://fake", transport: async () => new Response("down", { status: 500 }) }),
    ),
  );

  it("lists the matches of all mappers once", async () => {
    const mapper = createMultiRestMapper([core, events]);
    expect(await names(mapper, { resource: "events" })).toEqual(["/v1/events", "events.k8s.io/v1/events"]);
    expect(await names(mapper, { resource: "pods" })).toEqual(["/v1/pods"]);
    expect(await mapper.resourceFor({ resource: "pods" })).toMatchObject({ resource: "pods" });
    expect(await mapper.restMapping({ group: "", version: "v1", kind: "Pod" })).toMatchObject({ scope: "namespaced" });
    expect(await mapper.singularOf("pods")).toBe("pod");
    await expect(mapper.kindFor({ resource: "events" })).rejects.toMatchObject({
      code: "CLIENT_AMBIGUOUS_RESOURCE",
      matches: [{ group: "" }, { group: "events.k8s.io" }],
    });
    await expect(mapper.kindFor({ resource: "nothings" })).rejects.toSatisfy(isNoMatch);
    await expect(mapper.restMappings({ group: "", kind: "Nothing" })).rejects.toSatisfy(isNoMatch);
  });

  it("reports a kind with several resources", async () => {
    const other = createDefaultRestMapper([kind("", "v1", "Pod", { plural: "containers" })]);
    const pod = { group: "", version: "v1", kind: "Pod" };
    await expect(createMultiRestMapper([core, other]).restMapping(pod)).rejects.toMatchObject({
      code: "CLIENT_AMBIGUOUS_KIND",
    });
    expect(await createFirstHitRestMapper([core, other]).restMapping(pod)).toMatchObject({ gvr: { resource: "pods" } });
  });

  it("reports failures that are not missing matches", async () => {
    await expect(createMultiRestMapper([core, failing]).kindFor({ resource: "pods" })).rejects.toMatchObject({
      status: { code: 500 },
    });
    expect(await createFirstHitRestMapper([core, failing]).kindFor({ resource: "pods" })).toMatchObject({
      kind: "Pod",
    });
    await expect(createFirstHitRestMapper([core, failing]).kindFor({ resource: "x" })).rejects.toMatchObject({
      status: { code: 500 },
    });
    await expect(createFirstHitRestMapper([core, events]).kindFor({ resource: "x" })).rejects.toSatisfy(isNoMatch);
  });

  it.each([
    { patterns: ["events.k8s.io/*/*"], expected: { group: "events.k8s.io" } },
    { patterns: ["nothing/*/*", "/v1/*"], expected: { group: "" } },
    { patterns: ["*/v1/events", "*/*/*", "/*/*"], expected: { group: "" } },
    { patterns: ["*/v1/*"], expected: AMBIGUOUS },
    { patterns: [], expected: AMBIGUOUS },
  ])("selects by the priorities $patterns", async ({ patterns, expected }) => {
    const parts = patterns.map((pattern) => pattern.split("/"));
    const mapper = createPriorityRestMapper(createMultiRestMapper([core, events]), {
      resources: parts.map(([group = "", version = "", resource = ""]) => ({ group, version, resource })),
      kinds: parts.map(([group = "", version = ""]) => ({ group, version, kind: ANY })),
    });
    const resource = await outcome(mapper.resourceFor({ resource: "events" }));
    const found = await outcome(mapper.kindFor({ resource: "events" }));
    expect([resource, found]).toMatchObject([expected, expected]);
  });

  it("puts the preferred version of a kind first", async () => {
    const mapper = createPriorityRestMapper(MAPPER, {
      resources: [],
      kinds: [{ group: "apps", version: "v1", kind: ANY }],
    });
    const mappings = await mapper.restMappings({ group: "apps", kind: "Deployment" });
    expect(mappings.map(({ gvk }) => gvk.version)).toEqual(["v1", "v1beta1"]);
  });
});

describe.each([true, false])("the mapper of a server (aggregated discovery: %s)", (aggregated) => {
  const mapper = (): RestMapper =>
    createRestMapper(createDiscoveryClient(createRestClient(createFakeApi({ aggregated }).config)));

  it("finds resources without a group, in all groups", async () => {
    expect(await names(mapper(), { resource: "guestbooks" })).toEqual([
      "webapp.demo/v1/guestbooks",
      "webapp.demo/v1beta1/guestbooks",
    ]);
    expect(await mapper().resourceFor({ resource: "pods" })).toMatchObject({ group: "", resource: "pods" });
    expect(await names(mapper(), { resource: "guestbooks", group: "webapp", version: "" })).toHaveLength(2);
    await expect(mapper().kindsFor({ resource: "nothings" })).rejects.toSatisfy(isNoMatch);
    await expect(mapper().kindFor({ resource: "pods", group: "web" })).rejects.toSatisfy(isNoMatch);
  });

  it("finds a resource that was installed later", async () => {
    const api = createFakeApi({ aggregated });
    const late = createRestMapper(createDiscoveryClient(createRestClient(api.config)));
    await expect(late.kindFor({ resource: "lates" })).rejects.toSatisfy(isNoMatch);
    api.resources.push({ group: "late.demo", version: "v1", kind: "Late", resource: "lates", namespaced: false });
    expect(await late.kindFor({ resource: "lates" })).toMatchObject({ group: "late.demo" });
  });
});
