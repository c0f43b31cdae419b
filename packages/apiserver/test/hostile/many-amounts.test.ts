import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../support/cluster-requests.ts";

const amounts = (count: number, prefix = "example.com/r"): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [prefix + String(index), "1"]));

const podOf = (containers: readonly object[]): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p" },
  spec: { containers },
});

const containersOf = (count: number, resources?: (index: number) => object): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `c${String(index)}`,
    image: "x",
    ...(resources === undefined ? {} : { resources: resources(index) }),
  }));

// What a LimitRange names is multiplied by the containers of a Pod.
describe("a LimitRange of many amounts and a Pod of many containers", () => {
  let cluster: EmbeddedCluster;
  let test: Requests;

  beforeAll(() => {
    cluster = createEmbeddedCluster();
    test = requestsOf(cluster.config);
  });

  afterAll(async () => cluster.close());

  const limited = async (namespace: string, item: object, pod: object): ReturnType<Requests["post"]> => {
    await test.post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const range = { metadata: { name: "l" }, spec: { limits: [{ type: "Container", ...item }] } };
    const created = await test.post(`/api/v1/namespaces/${namespace}/limitranges`, {
      apiVersion: "v1",
      kind: "LimitRange",
      ...range,
    });
    expect(created.status).toBe(201);
    return await test.post(`/api/v1/namespaces/${namespace}/pods`, pod);
  };

  it("are refused as too large for etcd before the defaults are made", async () => {
    const defaults = { defaultRequest: amounts(15_000), default: amounts(15_000) };
    const { status, body } = await limited("defaults", defaults, podOf(containersOf(500)));
    expect(status).toBe(500);
    expect(body["message"]).toBe("etcdserver: request is too large");
  });

  it("are added up in place", async () => {
    const own = (index: number): object => ({ limits: amounts(2, `example.com/r${String(index)}-`) });
    const item = { type: "Pod", max: { "example.com/r0-0": "0" } };
    const { status, body } = await limited("sums", item, podOf(containersOf(1500, own)));
    expect(status).toBe(403);
    expect(body["message"]).toContain("maximum example.com/r0-0 usage per Pod is 0, but limit is 1");
  });
});
