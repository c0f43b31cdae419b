import { afterEach, beforeEach, describe, expect, it } from "vitest";

import {
  configMapOf,
  namespaceOf,
  requestsOf,
  type Requests,
} from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

const NAMESPACE = "/api/v1/namespaces/n";

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(async () => {
  cluster = createEmbeddedCluster();
  admin = requestsOf(cluster.config);
  cluster.server.start();
  await admin.post("/api/v1/namespaces", namespaceOf("n"));
  await cluster.server.idle();
});

afterEach(async () => cluster.close());

async function conditions(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { status } = (await admin.get(NAMESPACE)).body as {
    readonly status: {
      readonly conditions?: readonly {
        readonly type: string;
        readonly status: string;
        readonly reason: string;
        readonly message: string;
      }[];
    };
  };
  return Object.fromEntries(
    (status.conditions ?? []).map(({ type, ...rest }) => [type, [rest.status, rest.reason, rest.message]]),
  );
}

describe("the namespace controller", () => {
  it("empties a namespace that is being deleted, then lets it go", async () => {
    await admin.post(`${NAMESPACE}/configmaps`, configMapOf("c"));
    expect(await admin.delete(NAMESPACE)).toMatchObject({ status: 200, body: { status: { phase: "Terminating" } } });
    await cluster.server.idle();
    expect(await admin.get(NAMESPACE)).toMatchObject({ status: 404 });
    await admin.post("/api/v1/namespaces", namespaceOf("n"));
    expect(await admin.get(`${NAMESPACE}/configmaps/c`)).toMatchObject({ status: 404 });
  });

  it("says which finalizers hold what is left, and goes on as soon as they are gone", async () => {
    await admin.post(`${NAMESPACE}/configmaps`, configMapOf("one", { finalizers: ["example.com/hold"] }));
    await admin.post(
      `${NAMESPACE}/configmaps`,
      configMapOf("two", { finalizers: ["example.com/hold", "example.com/b"] }),
    );
    await admin.delete(NAMESPACE);
    await cluster.server.idle();
    const found = await conditions();
    expect(found["NamespaceContentRemaining"]).toEqual([
      "True",
      "SomeResourcesRemain",
      "Some resources are remaining: configmaps. has 2 resource instances",
    ]);
    expect(found["NamespaceFinalizersRemaining"]).toEqual([
      "True",
      "SomeFinalizersRemain",
      "Some content in the namespace has finalizers remaining: example.com/b in 1 resource instances, example.com/hold in 2 resource instances",
    ]);
    expect(found["NamespaceDeletionContentFailure"]?.slice(0, 2)).toEqual(["False", "ContentDeleted"]);
    for (const name of ["one", "two"]) {
      expect(await admin.get(NAMESPACE)).toMatchObject({ status: 200 });
      await admin.patch(`${NAMESPACE}/configmaps/${name}`, { metadata: { finalizers: null } });
      await cluster.server.idle();
    }
    expect(await admin.get(NAMESPACE)).toMatchObject({ status: 404 });
  });

  it("deletes Pods first, and keeps everything else until they are gone", async () => {
    await admin.post(`${NAMESPACE}/configmaps`, configMapOf("c"));
    await admin.post(`${NAMESPACE}/pods`, {
      metadata: { name: "p", finalizers: ["example.com/hold"] },
      spec: { containers: [{ name: "c", image: "busybox:1" }] },
    });
    await admin.delete(NAMESPACE);
    await cluster.server.idle();
    expect((await admin.get(`${NAMESPACE}/configmaps/c`)).status).toBe(200);
    expect((await conditions())["NamespaceContentRemaining"]).toEqual([
      "False",
      "ContentRemoved",
      "All content successfully removed",
    ]);
    await admin.patch(`${NAMESPACE}/pods/p`, { metadata: { finalizers: null } });
    await cluster.server.idle();
    expect((await admin.get(NAMESPACE)).status).toBe(404);
  });

  it("does not touch namespaces that another finalizer holds", async () => {
    await admin.post("/api/v1/namespaces", { ...namespaceOf("m"), spec: { finalizers: ["example.com/mine"] } });
    await admin.delete("/api/v1/namespaces/m");
    await cluster.server.idle();
    expect(await admin.get("/api/v1/namespaces/m")).toMatchObject({
      status: 200,
      body: { spec: { finalizers: ["example.com/mine"] } },
    });
  });
});
