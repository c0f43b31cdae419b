import { reconcileContext } from "@kubescaffold/envtest";
import { createFakeClient } from "@kubescaffold/envtest/fake-client";
import { findCondition, isConflict, isNotFound, StatusError } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Namespace, Secret } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import type { KindRef, ObjectKey } from "../../src/client/client.ts";
import type { ListOptions } from "../../src/client/options.ts";
import { dependent, type DependentObjects, type Dependents } from "../../src/dependents/dependent.ts";
import { type DependentsOptions, dependentsReconciler } from "../../src/dependents/dependents-reconciler.ts";
import type { DependentStates } from "../../src/dependents/owner-status.ts";
import { Site, site, siteDefinition, siteDependents } from "./sample-owner.ts";

const KEY = { namespace: "default", name: "one" };
const CONFIG = { namespace: "default", name: "one-config" };

interface SetUp {
  readonly objects?: readonly (Site | ConfigMap)[];
  readonly hasConditions?: boolean;
  readonly options?: Pick<DependentsOptions<Site, DependentObjects>, "readyCondition" | "status">;
}

function setUp(
  dependents: Dependents<Site> = siteDependents(),
  { objects = [site("one")], hasConditions = true, options = {} }: SetUp = {},
) {
  const writes: string[] = [];
  const failing = new Map<string, Error>();
  const write = async <T>(text: string, send: () => Promise<T>): Promise<T> => {
    writes.push(text);
    const error = failing.get(text);
    if (error !== undefined) throw error;
    return await send();
  };
  const client = createFakeClient({
    crds: [siteDefinition(hasConditions)],
    objects,
    interceptors: {
      client: (inner) => ({
        apply: async (object, settings) => await write(`apply ${object.kind}`, () => inner.apply(object, settings)),
        delete: async (object, settings) => await write(`delete ${object.kind}`, () => inner.delete(object, settings)),
      }),
      subResource: (inner, name) => ({
        patch: async (object, patch, settings) =>
          await write(`patch ${name}`, () => inner.patch(object, patch, settings)),
      }),
    },
  });
  const reconciler = dependentsReconciler({ client, kind: Site, dependents, fieldOwner: "site", ...options });
  const reconcile = async (): Promise<readonly string[]> => {
    writes.length = 0;
    await reconciler.reconcile(KEY, reconcileContext());
    return [...writes];
  };
  const ready = async () => findCondition((await client.get(Site, KEY)).status?.conditions, "Ready");
  const change = async (spec: Site["spec"]): Promise<void> => {
    await client.underlying.update({ ...(await client.get(Site, KEY)), spec });
  };
  const makeAvailable = async (): Promise<void> => {
    const deployment = await client.get(Deployment, KEY);
    const { generation = 1 } = deployment.metadata;
    const status = { observedGeneration: generation, replicas: 2, readyReplicas: 2, availableReplicas: 2 };
    await client.underlying.status().update({ ...deployment, status });
  };
  return { client, failing, reconcile, ready, change, makeAvailable };
}

const missing = async (promise: Promise<unknown>): Promise<boolean> =>
  await promise.then(
    () => false,
    (error: unknown) => isNotFound(error),
  );

describe("the reconciler of dependents", () => {
  it("applies the dependents in order, with the owner as their controller, and reports their state", async () => {
    const { client, reconcile, ready, makeAvailable } = setUp();
    expect(await reconcile()).toEqual(["apply ConfigMap", "apply Deployment", "patch status"]);
    const owner = await client.get(Site, KEY);
    const config = await client.get(ConfigMap, CONFIG);
    const reference = {
      kind: "Site",
      name: "one",
      uid: owner.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    expect(config.metadata.ownerReferences).toMatchObject([reference]);
    expect(config.metadata.managedFields).toMatchObject([{ manager: "site", operation: "Apply" }]);
    const deployment = await client.get(Deployment, KEY);
    expect(deployment.spec?.template.metadata?.annotations).toEqual({ config: "one-config" });
    expect(await ready()).toMatchObject({
      status: "False",
      reason: "DependentsNotReady",
      message: "deployment is not ready",
      observedGeneration: 1,
    });
    await makeAvailable();
    expect(await reconcile()).toEqual(["patch status"]);
    expect(await ready()).toMatchObject({ status: "True", reason: "DependentsReady" });
  });

  it("writes nothing when nothing changed, not even after a restart", async () => {
    const { client, reconcile } = setUp();
    await reconcile();
    expect(await reconcile()).toEqual([]);
    const refusing = { ...client, apply: async () => await Promise.reject(new Error("a repeated apply")) };
    const restarted = dependentsReconciler({
      client: refusing,
      kind: Site,
      dependents: siteDependents(),
      fieldOwner: "site",
    });
    await restarted.reconcile(KEY, reconcileContext());
  });

  it("writes nothing when nothing changed in fields that the server converts", async () => {
    const { client, reconcile } = setUp({
      secret: dependent(Secret, { desired: () => ({ stringData: { password: "secret" } }) }),
    });
    await reconcile();
    expect(await reconcile()).toEqual([]);
    await client.underlying.update({ ...(await client.get(Secret, KEY)), data: { password: btoa("other") } });
    expect(await reconcile()).toEqual(["apply Secret"]);
    expect((await client.get(Secret, KEY)).data).toEqual({ password: btoa("secret") });
  });

  it("writes only the dependent that changed", async () => {
    const { client, reconcile, change } = setUp();
    await reconcile();
    await change({ color: "blue", replicas: 2 });
    expect(await reconcile()).toEqual(["apply ConfigMap", "patch status"]);
    expect((await client.get(ConfigMap, CONFIG)).data).toEqual({ color: "blue" });
  });

  it("restores fields that others change or remove, and leaves other fields alone", async () => {
    const { client, reconcile } = setUp();
    await reconcile();
    const config = await client.get(ConfigMap, CONFIG);
    await client.underlying.update({ ...config, data: { ...config.data, other: "theirs" } });
    expect(await reconcile()).toEqual([]);
    const changed = await client.get(ConfigMap, CONFIG);
    await client.underlying.update({ ...changed, data: { color: "green", other: "theirs" } });
    expect(await reconcile()).toEqual(["apply ConfigMap"]);
    expect((await client.get(ConfigMap, CONFIG)).data).toEqual({ color: "red", other: "theirs" });
  });

  it("removes fields that it no longer returns", async () => {
    let data: Record<string, string> = { a: "1", b: "2" };
    const { client, reconcile } = setUp({ config: dependent(ConfigMap, { desired: () => ({ data }) }) });
    await reconcile();
    data = { a: "1" };
    expect(await reconcile()).toEqual(["apply ConfigMap"]);
    expect((await client.get(ConfigMap, KEY)).data).toEqual({ a: "1" });
    expect(await reconcile()).toEqual([]);
  });

  it("applies a dependent once those that it depends on are ready", async () => {
    let isReady = false;
    const { client, reconcile, ready } = setUp({
      last: dependent(Secret, { dependsOn: ["second"], desired: () => ({}) }),
      first: dependent(ConfigMap, { ready: () => isReady, desired: () => ({}) }),
      second: dependent(Deployment, { dependsOn: ["first"], reconcileWhen: () => false, desired: () => ({}) }),
      third: dependent(Secret, {
        dependsOn: ["first"],
        desired: () => ({ metadata: { name: "third" }, stringData: { a: "b" } }),
      }),
    });
    expect(await reconcile()).toEqual(["apply ConfigMap", "apply Secret", "patch status"]);
    expect(await ready()).toMatchObject({
      status: "False",
      message: "first is not ready; third waits for first",
    });
    expect(await missing(client.get(Secret, { ...KEY, name: "third" }))).toBe(true);
    isReady = true;
    expect(await reconcile()).toEqual(["apply Secret", "patch status"]);
    expect(await ready()).toMatchObject({ status: "True" });
  });

  it("does not take an object as ready whose controller has not observed its last change", async () => {
    const { reconcile, ready, change, makeAvailable } = setUp();
    await reconcile();
    await makeAvailable();
    await change({ color: "red", replicas: 5 });
    await reconcile();
    expect(await ready()).toMatchObject({ status: "False", message: "deployment is not ready" });
  });

  it("deletes an object when desired returns undefined, reconcileWhen returns false, or its name changes", async () => {
    const { client, reconcile, change } = setUp();
    await reconcile();
    await change({ color: "red", replicas: 2, configName: "renamed" });
    expect(await reconcile()).toEqual(["apply ConfigMap", "apply Deployment", "delete ConfigMap", "patch status"]);
    expect(await missing(client.get(ConfigMap, CONFIG))).toBe(true);
    await change({ color: "red", configName: "renamed" });
    expect(await reconcile()).toEqual(["delete Deployment", "patch status"]);
    expect(await missing(client.get(Deployment, KEY))).toBe(true);
    await change({});
    expect(await reconcile()).toEqual(["delete ConfigMap", "patch status"]);
    expect((await client.list(ConfigMap)).items).toEqual([]);
    expect(await reconcile()).toEqual([]);
  });

  it("deletes in reverse order, each object after those that depend on it", async () => {
    const { client, reconcile, change } = setUp();
    await reconcile();
    await client.underlying.update({
      ...(await client.get(Deployment, KEY)),
      metadata: { ...(await client.get(Deployment, KEY)).metadata, finalizers: ["example.com/wait"] },
    });
    await change({});
    expect(await reconcile()).toEqual(["delete Deployment", "patch status"]);
    expect(await reconcile()).toEqual([]);
    const deployment = await client.get(Deployment, KEY);
    await client.underlying.update({ ...deployment, metadata: { ...deployment.metadata, finalizers: [] } });
    expect(await reconcile()).toEqual(["delete ConfigMap"]);
  });

  it("keeps the former object while a dependent that uses it waits", async () => {
    let [name, isReady] = ["old", true];
    const { client, reconcile } = setUp({
      config: dependent(ConfigMap, { ready: () => isReady, desired: () => ({ metadata: { name } }) }),
      secret: dependent(Secret, {
        dependsOn: ["config"],
        desired: (_, context) => ({ stringData: { config: context.get(ConfigMap, "config")?.metadata.name ?? "" } }),
      }),
    });
    await reconcile();
    [name, isReady] = ["new", false];
    expect(await reconcile()).toEqual(["apply ConfigMap", "patch status"]);
    expect((await client.list(ConfigMap)).items.map(({ metadata }) => metadata.name)).toEqual(["new", "old"]);
    isReady = true;
    expect(await reconcile()).toEqual(["apply Secret", "delete ConfigMap", "patch status"]);
    expect((await client.list(ConfigMap)).items.map(({ metadata }) => metadata.name)).toEqual(["new"]);
  });

  it("deletes objects of its own field manager, whose name may have slashes", async () => {
    const { client } = setUp();
    let isDesired = true;
    const dependents = { config: dependent(ConfigMap, { desired: () => (isDesired ? {} : undefined) }) };
    const reconcilers = ["example.com/a", "example.com/b"].map((fieldOwner) =>
      dependentsReconciler({ client, kind: Site, dependents, fieldOwner }),
    );
    await reconcilers[0]?.reconcile(KEY, reconcileContext());
    isDesired = false;
    await reconcilers[1]?.reconcile(KEY, reconcileContext());
    expect(await missing(client.get(ConfigMap, KEY))).toBe(false);
    await reconcilers[0]?.reconcile(KEY, reconcileContext());
    expect(await missing(client.get(ConfigMap, KEY))).toBe(true);
  });

  it("writes dependents of a cluster-scoped owner to the namespaces that it returns", async () => {
    const metadata = { name: "owner" };
    const client = createFakeClient({ objects: [Namespace.create({ metadata })] });
    let namespaces = ["default", "kube-system"];
    const dependents = Object.fromEntries(
      ["first", "second"].map((name, index) => [
        name,
        dependent(ConfigMap, { desired: () => ({ metadata: { name, namespace: namespaces[index] ?? "" } }) }),
      ]),
    );
    const options = { client, dependents, fieldOwner: "spaces", readyCondition: false };
    const reconciler = dependentsReconciler({ ...options, kind: Namespace });
    const placed = async () =>
      (await client.list(ConfigMap)).items.map((each) => `${each.metadata.namespace ?? ""}/${each.metadata.name}`);
    await reconciler.reconcile({ namespace: "", name: "owner" }, reconcileContext());
    expect(await placed()).toEqual(["default/first", "kube-system/second"]);
    namespaces = ["kube-system", "kube-system"];
    await reconciler.reconcile({ namespace: "", name: "owner" }, reconcileContext());
    expect(await placed()).toEqual(["kube-system/first", "kube-system/second"]);
    namespaces = [];
    await expect(reconciler.reconcile({ namespace: "", name: "owner" }, reconcileContext())).rejects.toThrow(
      "it has no namespace, and its owner Namespace is cluster-scoped",
    );
  });

  it("deletes the object of a dependent that the controller no longer has", async () => {
    const { client, reconcile } = setUp();
    await reconcile();
    const dependents = { settings: dependent(ConfigMap, { desired: () => ({ data: {} }) }) };
    const reconciler = dependentsReconciler({ client, kind: Site, dependents, fieldOwner: "site" });
    await reconciler.reconcile(KEY, reconcileContext());
    expect((await client.list(ConfigMap)).items.map(({ metadata }) => metadata.name)).toEqual(["one"]);
  });
});

describe("objects that others control", () => {
  const marked = { "kubescaffold.dev/dependent": "site/config" };

  it("are never deleted", async () => {
    const { client, reconcile, change } = setUp();
    await reconcile();
    const config = await client.get(ConfigMap, CONFIG);
    const { ownerReferences: _ownerReferences, ...metadata } = config.metadata;
    await client.underlying.update({ ...config, metadata: { ...metadata, ownerReferences: [] } });
    const other = { apiVersion: "v1", kind: "Node", name: "n", uid: "u", controller: true };
    await client.underlying.create(
      ConfigMap.create({ metadata: { ...KEY, name: "theirs", annotations: marked, ownerReferences: [other] } }),
    );
    await change({});
    expect(await reconcile()).toEqual(["delete Deployment", "patch status"]);
    expect((await client.list(ConfigMap)).items.map(({ metadata: { name } }) => name)).toEqual([
      "one-config",
      "theirs",
    ]);
  });

  it("are not deleted if the cache is stale: the deletion conflicts", async () => {
    const { client, reconcile, change } = setUp();
    await reconcile();
    await change({ replicas: 2 });
    const [stale, staleList] = [await client.get(ConfigMap, CONFIG), await client.list(ConfigMap)];
    await client.underlying.update({ ...stale, metadata: { ...stale.metadata, ownerReferences: [] } });
    const isStale = ({ kind }: { readonly kind: string }) => kind === "ConfigMap";
    const reconciler = dependentsReconciler({
      client: {
        ...client,
        get: (async (kind: KindRef, key: ObjectKey) => (isStale(kind) ? stale : await client.get(kind, key))) as never,
        list: (async (kind: KindRef, options: ListOptions) =>
          isStale(kind) ? staleList : await client.list(kind, options)) as never,
      },
      kind: Site,
      dependents: siteDependents(),
      fieldOwner: "site",
    });
    const error: unknown = await reconciler.reconcile(KEY, reconcileContext()).catch((thrown: unknown) => thrown);
    expect(isConflict(error)).toBe(true);
    expect(await missing(client.get(ConfigMap, CONFIG))).toBe(false);
  });

  it("are not taken over", async () => {
    const other = { apiVersion: "v1", kind: "Node", name: "n", uid: "u", controller: true };
    const theirs = ConfigMap.create({ metadata: { ...CONFIG, ownerReferences: [other] }, data: { color: "theirs" } });
    const { client, reconcile, ready } = setUp(siteDependents(), { objects: [site("one"), theirs] });
    await expect(reconcile()).rejects.toMatchObject({ code: "CONTROLLER_ALREADY_OWNED" });
    expect((await client.get(ConfigMap, CONFIG)).data).toEqual({ color: "theirs" });
    expect(await ready()).toMatchObject({ status: "False", reason: "ReconcileFailed" });
  });

  it("without a controller are taken over", async () => {
    const theirs = ConfigMap.create({ metadata: { ...CONFIG }, data: { color: "theirs", other: "kept" } });
    const { client, reconcile } = setUp(siteDependents(), { objects: [site("one"), theirs] });
    await reconcile();
    expect(await client.get(ConfigMap, CONFIG)).toMatchObject({
      metadata: { ownerReferences: [{ kind: "Site" }] },
      data: { color: "red", other: "kept" },
    });
  });
});

function refusal(code: number, reason: string, message: string): StatusError {
  return new StatusError({ status: "Failure", code, reason, message });
}

describe("failures of dependents", () => {
  it("reject the reconcile and are reported once in the condition", async () => {
    const { failing, reconcile, ready } = setUp();
    failing.set("apply Deployment", refusal(403, "Forbidden", "no quota"));
    await expect(reconcile()).rejects.toThrow("no quota");
    expect(await ready()).toMatchObject({ status: "False", reason: "ReconcileFailed", message: "no quota" });
    await expect(reconcile()).rejects.toThrow("no quota");
    failing.clear();
    expect(await reconcile()).toEqual(["apply Deployment", "patch status"]);
    expect(await ready()).toMatchObject({ reason: "DependentsNotReady" });
  });

  it("are not reported for conflicts, which the next reconcile solves", async () => {
    const { failing, reconcile, ready } = setUp();
    failing.set("apply ConfigMap", refusal(409, "Conflict", "changed"));
    await expect(reconcile()).rejects.toThrow("changed");
    expect(await ready()).toBeUndefined();
  });

  it("of the status reject the reconcile: another writer wins", async () => {
    const { client, reconcile } = setUp();
    const stale = await client.get(Site, KEY);
    await client.underlying.status().update({ ...stale, status: { available: 7 } });
    const get = async (kind: { readonly kind: string }, key: never) =>
      kind.kind === "Site" ? stale : await client.get(kind as never, key);
    const reconciler = dependentsReconciler({
      client: { ...client, get: get as never },
      kind: Site,
      dependents: siteDependents(),
      fieldOwner: "site",
    });
    const error: unknown = await reconciler.reconcile(KEY, reconcileContext()).catch((thrown: unknown) => thrown);
    expect(isConflict(error)).toBe(true);
    await reconcile();
    expect((await client.get(Site, KEY)).status).toMatchObject({ available: 7, conditions: [{ type: "Ready" }] });
  });

  it("are reported for a status without conditions", async () => {
    const { reconcile } = setUp(siteDependents(), { hasConditions: false });
    await expect(reconcile()).rejects.toMatchObject({ code: "CONTROLLER_OWNER_WITHOUT_CONDITIONS" });
    const silent = setUp(siteDependents(), { hasConditions: false, options: { readyCondition: false } });
    expect(await silent.reconcile()).toEqual(["apply ConfigMap", "apply Deployment"]);
  });

  it.each([
    [
      "cluster-scoped kinds of namespaced owners",
      { space: dependent(Namespace, { desired: () => ({}) }) },
      "Namespace is cluster-scoped, and its owner Site is namespaced",
    ],
    [
      "another kind",
      { config: dependent(ConfigMap, { desired: () => ({ kind: "Secret" }) }) },
      "it describes a Secret of v1",
    ],
    [
      "another namespace",
      { config: dependent(ConfigMap, { desired: () => ({ metadata: { namespace: "other" } }) }) },
      "the owner must be in the same namespace",
    ],
    [
      "two dependents with the same object",
      {
        a: dependent(ConfigMap, { desired: () => ({}) }),
        b: dependent(ConfigMap, { desired: () => ({}) }),
      },
      "the dependent a describes the same object, /ConfigMap default/one",
    ],
    [
      "reads of a dependent that is not in dependsOn",
      {
        a: dependent(ConfigMap, { desired: () => ({}) }),
        b: dependent(Secret, { desired: (_, context) => void context.get(ConfigMap, "a") }),
      },
      "the dependent b reads the ConfigMap of a, on which it does not depend",
    ],
  ])("refuse %s", async (_, dependents: Dependents<Site>, message) => {
    const { reconcile, ready } = setUp(dependents);
    await expect(reconcile()).rejects.toThrow(message);
    expect((await ready())?.message).toContain(message);
  });
});

describe("the status of an owner with dependents", () => {
  it("has the returned fields, and is written only when it changed", async () => {
    const status = (_: unknown, states: object) => ({ available: Object.keys(states).length });
    const { client, reconcile } = setUp(siteDependents(), { options: { status } });
    await reconcile();
    expect((await client.get(Site, KEY)).status).toMatchObject({ available: 2, conditions: [{ type: "Ready" }] });
    expect(await reconcile()).toEqual([]);
  });

  it("receives the object of a dependent that waits again", async () => {
    let isReady = true;
    const dependents = {
      config: dependent(ConfigMap, { ready: () => isReady, desired: () => ({}) }),
      secret: dependent(Secret, { dependsOn: ["config"], desired: () => ({}) }),
    };
    const seen: string[] = [];
    const status = (_: unknown, { secret }: DependentStates<DependentObjects>) => {
      seen.push(`${secret?.state ?? ""} ${secret?.object?.metadata.name ?? ""}`);
      return {};
    };
    const { reconcile } = setUp(dependents, { options: { status } });
    await reconcile();
    isReady = false;
    expect(await reconcile()).toEqual(["patch status"]);
    expect(seen).toEqual(["ready one", "waiting one"]);
  });

  it("is not written for an owner that is deleted or does not exist", async () => {
    const { client, reconcile } = setUp(siteDependents(), {
      objects: [{ ...site("one"), metadata: { ...KEY, finalizers: ["example.com/wait"] } }],
    });
    await client.underlying.delete(await client.get(Site, KEY));
    expect(await reconcile()).toEqual([]);
    const owner = await client.get(Site, KEY);
    await client.underlying.update({ ...owner, metadata: { ...owner.metadata, finalizers: [] } });
    expect(await reconcile()).toEqual([]);
  });
});
