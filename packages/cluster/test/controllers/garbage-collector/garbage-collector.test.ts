import { afterEach, beforeEach, describe, expect, it } from "vitest";

import {
  configMapOf,
  namespaceOf,
  requestsOf,
  type Requests,
} from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const FOLDER = "/api/v1/namespaces/default/configmaps";
const OTHER_UID = "11111111-1111-4111-8111-111111111111";

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion?: boolean;
}

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  cluster = createEmbeddedCluster();
  admin = requestsOf(cluster.config);
  cluster.server.start();
});

afterEach(async () => cluster.close());

async function create(name: string, ownerReferences: readonly Owner[] = [], more: object = {}): Promise<Owner> {
  const answer = await admin.post(FOLDER, configMapOf(name, { ownerReferences, ...more }));
  expect(answer.status).toBe(201);
  await cluster.server.idle();
  const { uid } = answer.body["metadata"] as { readonly uid: string };
  return { apiVersion: "v1", kind: "ConfigMap", name, uid };
}

async function remove(name: string, propagationPolicy: string): Promise<void> {
  expect(await admin.delete(`${FOLDER}/${name}`, { propagationPolicy })).toMatchObject({ status: 200 });
  await cluster.server.idle();
}

async function names(): Promise<readonly string[]> {
  const { items } = (await admin.get(FOLDER)).body as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  return items.map(({ metadata }) => metadata.name);
}

async function metadata(name: string): Promise<Readonly<Record<string, unknown>>> {
  return (await admin.get(`${FOLDER}/${name}`)).body["metadata"] as Readonly<Record<string, unknown>>;
}

describe("the garbage collector in the background", () => {
  it("deletes what the owner owned, and what that owned", async () => {
    const owner = await create("owner");
    const child = await create("child", [owner]);
    await create("grandchild", [child]);
    await create("stranger");
    await remove("owner", "Background");
    expect(await names()).toEqual(["stranger"]);
  });

  it("keeps what has another owner, less the reference to the one that is gone", async () => {
    const [one, two] = [await create("one"), await create("two")];
    await create("both", [one, two]);
    await remove("one", "Background");
    expect(await names()).toEqual(["both", "two"]);
    expect(await metadata("both")).toMatchObject({ ownerReferences: [two] });
    await remove("two", "Background");
    expect(await names()).toEqual([]);
  });

  it("deletes what names an owner of another uid or of another namespace", async () => {
    const owner = await create("owner");
    await create("impostor", [{ ...owner, uid: OTHER_UID }]);
    expect(await names()).toEqual(["owner"]);
    await admin.post("/api/v1/namespaces", namespaceOf("n"));
    await admin.post("/api/v1/namespaces/n/configmaps", configMapOf("far", { ownerReferences: [owner] }));
    await cluster.server.idle();
    expect(await admin.get("/api/v1/namespaces/n/configmaps/far")).toMatchObject({ status: 404 });
  });

  it("leaves alone what names an owner of a kind that is not served, or a namespaced owner from outside", async () => {
    const unknown = { apiVersion: "example.com/v1", kind: "Widget", name: "w", uid: OTHER_UID };
    await create("child", [unknown]);
    expect(await names()).toEqual(["child"]);
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "none", uid: OTHER_UID };
    await admin.post("/api/v1/namespaces", { ...namespaceOf("n"), metadata: { name: "n", ownerReferences: [owner] } });
    await cluster.server.idle();
    expect(await admin.get("/api/v1/namespaces/n")).toMatchObject({
      status: 200,
      body: { status: { phase: "Active" } },
    });
  });

  it("finds at its start what lost its owner while it did not run", async () => {
    const quiet = createEmbeddedCluster();
    const requests = requestsOf(quiet.config);
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "gone", uid: OTHER_UID };
    await requests.post(FOLDER, configMapOf("child", { ownerReferences: [owner] }));
    expect(await requests.get(`${FOLDER}/child`)).toMatchObject({ status: 200 });
    quiet.server.start();
    await quiet.server.idle();
    expect(await requests.get(`${FOLDER}/child`)).toMatchObject({ status: 404 });
    await quiet.close();
  });
});

describe("the garbage collector in the foreground", () => {
  it("lets the owner wait for those that block it, not for others", async () => {
    const owner = await create("owner");
    await create("blocking", [{ ...owner, blockOwnerDeletion: true }], { finalizers: ["example.com/hold"] });
    await create("loose", [owner], { finalizers: ["example.com/hold"] });
    await remove("owner", "Foreground");
    expect(await metadata("owner")).toMatchObject({ finalizers: ["foregroundDeletion"] });
    for (const name of ["blocking", "loose"]) expect(await metadata(name)).toHaveProperty("deletionTimestamp");
    await admin.patch(`${FOLDER}/blocking`, { metadata: { finalizers: null } });
    await cluster.server.idle();
    expect(await names()).toEqual(["loose"]);
  });

  it("goes down the whole tree, children before parents", async () => {
    const owner = await create("owner");
    const child = await create("child", [{ ...owner, blockOwnerDeletion: true }]);
    await create("grandchild", [{ ...child, blockOwnerDeletion: true }], { finalizers: ["example.com/hold"] });
    await remove("owner", "Foreground");
    expect(await names()).toEqual(["child", "grandchild", "owner"]);
    expect(await metadata("child")).toMatchObject({ finalizers: ["foregroundDeletion"] });
    await admin.patch(`${FOLDER}/grandchild`, { metadata: { finalizers: null } });
    await cluster.server.idle();
    expect(await names()).toEqual([]);
  });

  it.each(["Foreground", "Background"] as const)("deletes a circle of owners: %s", async (policy) => {
    const first = await create("first");
    const second = await create("second", [{ ...first, blockOwnerDeletion: true }]);
    const third = await create("third", [{ ...second, blockOwnerDeletion: true }]);
    const ownerReferences = [{ ...third, blockOwnerDeletion: true }];
    await admin.patch(`${FOLDER}/first`, { metadata: { ownerReferences } });
    await cluster.server.idle();
    expect(await names()).toEqual(["first", "second", "third"]);
    await remove("first", policy);
    await cluster.server.idle();
    expect(await names()).toEqual([]);
  });
});

describe("the garbage collector when it orphans", () => {
  it("takes the reference from the dependents and lets them live", async () => {
    const [owner, other] = [await create("owner"), await create("other")];
    await create("child", [owner]);
    await create("shared", [owner, other]);
    await remove("owner", "Orphan");
    expect(await names()).toEqual(["child", "other", "shared"]);
    expect(await metadata("child")).not.toHaveProperty("ownerReferences");
    expect(await metadata("shared")).toMatchObject({ ownerReferences: [other] });
  });
});
