import { Environment } from "@kubescaffold/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createDiscoveryClient,
  type DiscoveredGroup,
  type DiscoveryClient,
} from "../../src/discovery/discovery-client.ts";
import {
  createCategoryExpander,
  createShortcutExpander,
  createSimpleCategoryExpander,
  createUnionCategoryExpander,
} from "../../src/discovery/expanders.ts";
import { createOpenApiClient } from "../../src/discovery/open-api.ts";
import { createRestMapper } from "../../src/discovery/rest-mapper.ts";
import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";

const environment = new Environment({ backend: "embedded" });
let rest: RestClient;
let discovery: DiscoveryClient;

beforeAll(async () => {
  rest = createRestClient(await environment.start());
  discovery = createDiscoveryClient(rest);
});

afterAll(() => environment.stop());

describe("createShortcutExpander", () => {
  it.each([
    ["deploy", undefined, "apps", "deployments"],
    ["po", undefined, "", "pods"],
    ["pods", undefined, "", "pods"],
    ["pod", undefined, "", "pods"],
    ["crd", undefined, "apiextensions.k8s.io", "customresourcedefinitions"],
    ["ing", "networking", "networking.k8s.io", "ingresses"],
    ["sts", "apps", "apps", "statefulsets"],
  ])("expands %s in %s", async (resource, group, expectedGroup, plural) => {
    const mapper = createShortcutExpander(createRestMapper(discovery), discovery);
    const wanted = group === undefined ? { resource } : { resource, group };
    expect(await mapper.resourceFor(wanted)).toMatchObject({ group: expectedGroup, resource: plural });
  });

  it("warns of lower groups, and does not expand names", async () => {
    const api = (name: string, shortName: string): ReturnType<DiscoveryClient["resources"]> =>
      Promise.resolve([
        {
          name,
          singularName: name.slice(0, -1),
          kind: name,
          namespaced: true,
          verbs: [],
          shortNames: [shortName],
          categories: [],
        },
      ]);
    const groupOf = (name: string): DiscoveredGroup => ({ name, versions: [{ version: "v1", resources: undefined }] });
    const client: DiscoveryClient = {
      ...discovery,
      group: async (name) => groupOf(name),
      groups: () => Promise.resolve(["a", "b", "c"].map((name) => groupOf(name))),
      resources: ({ group }) => api({ a: "apples", b: "bananas" }[group] ?? "fs", group === "c" ? "x" : "f"),
    };
    const warnings: string[] = [];
    const mapper = createShortcutExpander(createRestMapper(client), client, {
      onWarning: (message) => warnings.push(message),
    });
    expect(await mapper.singularOf("fs")).toBe("f");
    expect(await mapper.resourceFor({ resource: "f" })).toMatchObject({ group: "c" });
    expect(await mapper.resourceFor({ resource: "f", group: "b" })).toMatchObject({ resource: "bananas" });
    expect(warnings).toEqual([]);
    const withoutC: DiscoveryClient = { ...client, groups: async () => (await client.groups()).slice(0, 2) };
    const second = createShortcutExpander(createRestMapper(withoutC), withoutC, {
      onWarning: (message) => warnings.push(message),
    });
    expect(await second.resourceFor({ resource: "f" })).toMatchObject({ resource: "apples" });
    expect(warnings).toEqual(["the short name f also matches bananas.b, which has a lower priority"]);
  });
});

describe("category expanders", () => {
  const fixed = createSimpleCategoryExpander(
    new Map([
      ["all", [{ group: "", resource: "pods" }]],
      ["mine", [{ group: "demo", resource: "widgets" }]],
    ]),
  );

  it("expand categories of the server and fixed ones, without repetitions", async () => {
    const served = createCategoryExpander(discovery);
    const all = await served.expand("all");
    expect(all).toContainEqual({ group: "apps", resource: "deployments" });
    expect(await served.expand("mine")).toBeUndefined();
    const union = createUnionCategoryExpander([served, fixed]);
    expect(await union.expand("all")).toEqual(all);
    expect(await union.expand("mine")).toEqual([{ group: "demo", resource: "widgets" }]);
    expect(await union.expand("nothing")).toBeUndefined();
  });
});

describe("createOpenApiClient", () => {
  it("reads the document of a group version, once", async () => {
    const client = createOpenApiClient(rest);
    const document = (await client.paths()).get("apis/apps/v1");
    expect(document?.serverRelativeUrl).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=/u);
    const first = (await document?.schema()) ?? new Uint8Array();
    expect(JSON.parse(Buffer.from(first).toString())).toMatchObject({
      openapi: expect.stringMatching(/^3/u) as string,
    });
    expect(await (await client.paths()).get("apis/apps/v1")?.schema()).toBe(first);
  });

  it.each([{}, { paths: { x: {} } }, { paths: { x: { serverRelativeURL: "https://evil" } } }, { paths: { x: null } }])(
    "rejects the list %j",
    async (list) => {
      const transport = (): Promise<Response> => Promise.resolve(Response.json(list));
      const client = createOpenApiClient(createRestClient({ server: "http://fake", transport }));
      await expect(client.paths()).rejects.toMatchObject({ code: "CLIENT_OPENAPI" });
    },
  );
});
