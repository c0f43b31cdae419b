import { Environment } from "@kubescaffold/envtest";
import { isBadRequest, isNotFound } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Namespace } from "@kubescaffold/k8s/core/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { namespacedClient } from "../../src/client/namespaced-client.ts";
import * as patch from "../../src/client/patches.ts";
import { dryRunClient, withFieldOwner, withFieldValidation } from "../../src/client/wrapped-clients.ts";

const environment = new Environment();
let client: LiveClient;
let namespace = "";

beforeAll(async () => {
  client = createClient(await environment.start());
  const created = await client.create(Namespace.create({ metadata: { generateName: "wrappers-" } }));
  namespace = created.metadata.name ?? "";
});

afterAll(() => environment.stop());

const configMap = (name: string, data: Record<string, string> = {}): ConfigMap =>
  ConfigMap.create({ metadata: { namespace, name, labels: { test: "wrappers" } }, data });

function deployment(name: string): Deployment {
  const labels = { app: name };
  return Deployment.create({
    metadata: { namespace, name },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "run", image: "busybox" }] } },
    },
  });
}

describe("wrapped clients on a server", () => {
  it("row 84: a dry-run client persists nothing, whatever it writes", async () => {
    const dry = dryRunClient(client);
    const before = await client.create(configMap("dry", { a: "1" }));
    const workload = await client.create(deployment("dry"));
    expect(await dry.create(configMap("created"))).toMatchObject({ metadata: { uid: expect.any(String) } });
    expect(await dry.update({ ...before, data: { a: "2" } })).toMatchObject({ data: { a: "2" } });
    expect(await dry.patch({ ...before, data: { a: "3" } }, patch.mergeFrom(before))).toMatchObject({
      data: { a: "3" },
    });
    const applied = configMap("applied", { a: "4" });
    expect(await dry.apply(applied, { fieldOwner: "dry" })).toMatchObject({ data: { a: "4" } });
    const status = { observedGeneration: 7, replicas: 1 };
    expect(await dry.status().update({ ...workload, status })).toMatchObject({ status });
    expect(await dry.status().patch({ ...workload, status }, patch.mergeFrom(workload))).toMatchObject({ status });
    await dry.delete(before);
    await dry.deleteAllOf(ConfigMap, { namespace, labels: { test: "wrappers" } });
    for (const name of ["created", "applied"])
      await expect(client.get(ConfigMap, { namespace, name })).rejects.toSatisfy(isNotFound);
    expect(await client.get(ConfigMap, { namespace, name: "dry" })).toEqual(before);
    // The Deployment controller of a real control plane writes another status.
    expect((await client.get(Deployment, { namespace, name: "dry" })).status?.observedGeneration).not.toBe(7);
  });

  it("row 84: a field owner owns the fields of every write, unless the call states another", async () => {
    const owned = withFieldOwner(client, "wrapper");
    const managers = async (write: Promise<ConfigMap>): Promise<ReadonlySet<unknown>> =>
      new Set(((await write).metadata.managedFields ?? []).map(({ manager }) => manager));
    expect(await managers(owned.apply(configMap("owned", { a: "1" })))).toEqual(new Set(["wrapper"]));
    expect(await managers(owned.apply(configMap("other"), { fieldOwner: "call" }))).toEqual(new Set(["call"]));
    const applied = await client.get(ConfigMap, { namespace, name: "owned" });
    const change = patch.mergeFrom(applied);
    expect(await managers(owned.patch({ ...applied, data: { b: "2" } }, change))).toEqual(new Set(["wrapper"]));
    const updated = { ...configMap("owned", { c: "3" }) };
    expect(await managers(owned.update(updated))).toEqual(new Set(["wrapper"]));
    expect(await managers(owned.update(updated, { fieldOwner: "call" }))).toEqual(new Set(["wrapper"]));
    const changed = { ...updated, data: { d: "4" } };
    expect(await managers(owned.update(changed, { fieldOwner: "call" }))).toContain("call");
  });

  it("row 84: a strict client refuses unknown fields of every write, and a default one does not", async () => {
    const strict = withFieldValidation(client, "Strict");
    const unknown = (name: string): ConfigMap => ({ ...configMap(name), size: 1 }) as ConfigMap;
    const known = await client.create(configMap("known"));
    await expect(strict.create(unknown("strict"))).rejects.toSatisfy(isBadRequest);
    await expect(strict.update(unknown("known"))).rejects.toSatisfy(isBadRequest);
    await expect(strict.patch(unknown("known"), patch.mergeFrom(known))).rejects.toThrow(/unknown field "size"/u);
    await expect(client.update(unknown("known"))).resolves.not.toHaveProperty("size");
    await expect(strict.update(known, { fieldValidation: "Ignore" })).resolves.toMatchObject({ kind: "ConfigMap" });
  });

  it("row 84: a namespaced client adds its namespace, refuses others, and accepts cluster-scoped objects", async () => {
    const scoped = namespacedClient(client, namespace);
    const created = await scoped.create(ConfigMap.create({ metadata: { name: "scoped" } }));
    expect(created.metadata.namespace).toBe(namespace);
    expect(await scoped.get(ConfigMap, { name: "scoped" })).toEqual(created);
    const { items } = await scoped.list(ConfigMap);
    expect(new Set(items.map(({ metadata }) => metadata.namespace))).toEqual(new Set([namespace]));
    const foreign = ConfigMap.create({ metadata: { namespace: "default", name: "foreign" } });
    await expect(scoped.create(foreign)).rejects.toMatchObject({ code: "CLIENT_NAMESPACE_MISMATCH" });
    await expect(client.get(ConfigMap, { namespace: "default", name: "foreign" })).rejects.toSatisfy(isNotFound);
    expect(await scoped.get(Namespace, { name: namespace })).toMatchObject({ kind: "Namespace" });
  });
});
