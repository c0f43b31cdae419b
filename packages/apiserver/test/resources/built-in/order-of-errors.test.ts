import { describe, expect, it } from "vitest";

import { TestServer } from "../../support/test-server.ts";

const CORE = "/api/v1/namespaces/default";
const SPACES = { "b b": "1", "a a": "2", "c c": "3" };
const container = { name: "c", image: "i" };
const pod = (fields: object, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a", ...metadata },
  spec: { containers: [container], ...fields },
});
const amounts = { "b b": "1", "a a": "1", "c c": "x1" };

/** Objects whose maps have several wrong members, by what is wrong. */
const OBJECTS: Readonly<Record<string, { readonly path: string; readonly object: object }>> = {
  "keys of a ConfigMap": {
    path: `${CORE}/configmaps`,
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: SPACES, binaryData: { "d d": "" } },
  },
  "keys of a Secret": {
    path: `${CORE}/secrets`,
    object: { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, stringData: SPACES },
  },
  labels: { path: `${CORE}/pods`, object: pod({}, { labels: SPACES }) },
  annotations: { path: `${CORE}/pods`, object: pod({}, { annotations: SPACES }) },
  "a node selector": { path: `${CORE}/pods`, object: pod({ nodeSelector: SPACES }) },
  limits: {
    path: `${CORE}/pods`,
    object: pod({ containers: [{ ...container, resources: { limits: { ...amounts, "c c": "1" } } }] }),
  },
  "a selector of a Service": {
    path: `${CORE}/services`,
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "a" },
      spec: { ports: [{ port: 1 }], selector: SPACES },
    },
  },
  "a quota": {
    path: `${CORE}/resourcequotas`,
    object: {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "a" },
      spec: { hard: { ...amounts, "c c": "1" } },
    },
  },
  "labels of a template": {
    path: "/apis/apps/v1/namespaces/default/deployments",
    object: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "a" },
      spec: {
        selector: { matchLabels: SPACES },
        template: { metadata: { labels: SPACES }, spec: { containers: [container] } },
      },
    },
  },
};

describe("errors of maps", () => {
  it.each(Object.entries(OBJECTS))("have the same order for each order of the keys: %s", async (_name, given) => {
    const { path, object } = given;
    const test = new TestServer();
    const [first, second] = [await test.post(path, object), await test.post(path, reversed(object))];
    expect(first.code).toBe(422);
    expect(first.body.details.causes.length).toBeGreaterThan(2);
    expect(second.body).toEqual(first.body);
  });
});

describe("errors of one object", () => {
  it("are all told, also the one of a list that the request states empty", async () => {
    const spec = {
      driver: "gpu.example.com",
      nodeName: "n",
      pool: { generation: 1, name: "p", resourceSliceCount: 1 },
      sharedCounters: [],
      devices: [{ name: "a", attributes: { model: { int: 1, string: "x" } } }],
    };
    const slice = { apiVersion: "resource.k8s.io/v1", kind: "ResourceSlice", metadata: { name: "a" }, spec };
    const answer = await new TestServer().post("/apis/resource.k8s.io/v1/resourceslices", slice);
    expect(answer.body.details.causes.map(({ field }: { readonly field: string }) => field)).toEqual([
      "spec",
      "spec.devices[0].attributes[model]",
    ]);
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, each]) => [key, reversed(each)]),
  );
}
