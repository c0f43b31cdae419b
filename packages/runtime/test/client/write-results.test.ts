import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import * as patch from "../../src/client/patch.ts";
import { createOrPatch, createOrUpdate, type Mutate } from "../../src/controllerutil/controllerutil.ts";
import { withCallScope, withLogger } from "../../src/log/call-scope.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { Observer } from "../../src/observe/observer.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { serverForTests } from "../support/server-for-tests.ts";

const server = serverForTests();
const labels = { app: "web" };
// The server adds defaults to what replaces its own: the most frequent fault of operators.
const replaceSpec: Mutate<Deployment> = (current) => ({
  ...current,
  spec: {
    replicas: 0,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "web:1" }] } },
  },
});

function wanted(name: string): Deployment {
  return Deployment.create({ metadata: { namespace: server.on.namespace, name } });
}

describe("a write after which the server stores what it stored before", () => {
  it.each([
    ["createOrUpdate", createOrUpdate],
    ["createOrPatch", createOrPatch],
  ] as const)("%s reports it as unchanged, and logs once which fields differ", async (name, run) => {
    const logger = createRecordingLogger();
    const apply = async (mutate: Mutate<Deployment>): Promise<string> =>
      await withLogger(logger, async () => (await run(server.on.live, wanted(name.toLowerCase()), mutate)).result);
    expect(await apply(replaceSpec)).toBe("created");
    expect([await apply(replaceSpec), await apply(replaceSpec)]).toEqual(["unchanged", "unchanged"]);
    expect(logger.records).toHaveLength(1);
    const fields = logger.records[0]?.fields?.["fields"];
    expect(fields).toContain("spec.template.spec.containers[0].imagePullPolicy");
    expect(fields).toContain("spec.progressDeadlineSeconds");
    expect(fields).not.toContain("spec.replicas");
  });

  it.each([
    ["createOrUpdate", createOrUpdate],
    ["createOrPatch", createOrPatch],
  ] as const)("%s reports a write that changed something as updated, and logs nothing", async (name, run) => {
    const logger = createRecordingLogger();
    const results: string[] = [];
    for (const replicas of [0, 0, 1]) {
      const { result } = await withLogger(
        logger,
        async () =>
          await run(server.on.live, wanted(`changed-${name.toLowerCase()}`), async (current) => {
            const { spec } = (await replaceSpec(current)) ?? current;
            current.spec = { ...spec, ...current.spec, replicas } as Deployment["spec"] & object;
          }),
      );
      results.push(result);
    }
    expect(results).toEqual(["created", "unchanged", "updated"]);
    expect(logger.records).toEqual([]);
  });
});

describe("the metric of writes", () => {
  const metadata = (name: string) => ({ namespace: server.on.namespace, name });

  async function results(run: (client: LiveClient) => Promise<void>): Promise<Readonly<Record<string, number>>> {
    const registry = createMetricsRegistry();
    const client = createClient(server.config, { registry });
    await withCallScope({ controller: "web" }, async () => await run(client));
    const { values = [] } = (await registry.getSingleMetric("kubescaffold_client_writes_total")?.get()) ?? {};
    return Object.fromEntries(
      values.map(({ labels, value }) => [`${labels["controller"]} ${labels["kind"]} ${labels["result"]}`, value]),
    );
  }

  it("counts an apply that changed nothing as unchanged", async () => {
    const counted = await results(async (client) => {
      for (const value of ["1", "1", "1", "2"]) {
        await client.apply(ConfigMap.create({ metadata: metadata("applied"), data: { value } }), { fieldOwner: "web" });
      }
    });
    expect(counted).toEqual({ "web ConfigMap created": 1, "web ConfigMap unchanged": 2, "web ConfigMap updated": 1 });
  });

  it("counts creations, updates, patches, and writes of the status, and no dry runs, failures, and evictions", async () => {
    const counted = await results(async (client) => {
      const created = await client.create(ConfigMap.create({ metadata: metadata("map"), data: { a: "1" } }));
      const same = await client.update(created);
      const updated = await client.update({ ...same, data: { a: "2" } });
      await client.patch({ ...updated, data: { a: "2" } }, patch.mergeFrom(updated));
      await client.update({ ...updated, data: { a: "3" } }, { dryRun: true });
      await expect(client.create(ConfigMap.create({ metadata: metadata("map") }))).rejects.toThrow("already exists");
      await client.delete(updated);
      const deployment = await client.create((await replaceSpec(wanted("status"))) as Deployment);
      const status = { ...deployment.status, observedGeneration: 1 };
      const written = await client.status().update({ ...deployment, status });
      await client.status().update({ ...written, status });
    });
    expect(counted).toEqual({
      "web ConfigMap created": 1,
      "web ConfigMap unchanged": 2,
      "web ConfigMap updated": 1,
      "web Deployment created": 1,
      "web Deployment updated": 1,
      "web Deployment unchanged": 1,
    });
  });

  it("and the observer of the client report the same, also for a first write that changes nothing", async () => {
    const { live } = server.on;
    const map = await live.create(ConfigMap.create({ metadata: metadata("observed"), data: { a: "1" } }));
    const observed: string[] = [];
    const registry = createMetricsRegistry();
    const observer: Observer = {
      observe: (each) => {
        if (each.kind === "request" && each.verb !== "get" && each.resource === "configmaps")
          observed.push(`${each.verb} ${each.isUnchanged === true ? "unchanged" : "updated"}`);
      },
    };
    const restClient = createRestClient(server.config, { registry, observer });
    const client = createClient(server.config, { registry, restClient });
    // The process has started again: no version is one of an earlier write.
    await client.patch({ ...map, data: { a: "1" } }, patch.mergeFrom(map));
    const changed = await client.update({ ...map, data: { a: "2" } });
    await client.update(changed);
    await client.update({ ...changed, data: { a: "3" } }, { dryRun: true });
    await client.delete(changed);
    expect(observed).toEqual([
      "patch unchanged",
      "update updated",
      "update unchanged",
      "update updated",
      "delete updated",
    ]);
    const { values = [] } = (await registry.getSingleMetric("kubescaffold_client_writes_total")?.get()) ?? {};
    expect(values.map(({ labels, value }) => `${String(labels["result"])} ${String(value)}`).toSorted()).toEqual([
      "unchanged 2",
      "updated 1",
    ]);
  });

  it("logs the fields of a plain update that the server stores otherwise, once for each kind and fields", async () => {
    const logger = createRecordingLogger();
    const { live } = server.on;
    const names = ["one", "two"];
    for (const name of names) await live.create((await replaceSpec(wanted(name))) as Deployment);
    for (const name of [...names, ...names]) {
      const current = await live.get(Deployment, { namespace: server.on.namespace, name });
      await withLogger(logger, async () => await live.update((await replaceSpec(current as Deployment)) as Deployment));
    }
    expect(logger.records).toHaveLength(1);
    expect(logger.records[0]?.fields).toMatchObject({
      fields: expect.arrayContaining(["spec.progressDeadlineSeconds"]) as unknown,
      hint: expect.stringContaining("defaults") as unknown,
    });
    expect(logger.records[0]?.fields?.["fields"]).not.toContain("metadata.resourceVersion");
  });

  it("logs nothing for an apply, which each reconcile may repeat", async () => {
    const logger = createRecordingLogger();
    await withLogger(logger, async () => {
      for (let index = 0; index < 3; index += 1) {
        await server.on.live.apply(ConfigMap.create({ metadata: metadata("quiet"), data: { a: "1" } }), {
          fieldOwner: "web",
        });
      }
      const name = "quiet-version";
      const labeled = await server.on.live.create(
        ConfigMap.create({ metadata: { ...metadata(name), labels: { a: "b" } }, data: { a: "1" } }),
      );
      const applied = { ...metadata(name), resourceVersion: labeled.metadata.resourceVersion };
      const first = await server.on.live.apply(ConfigMap.create({ metadata: applied }), { fieldOwner: "web" });
      const { resourceVersion } = first.metadata;
      const again = { ...applied, resourceVersion };
      await server.on.live.apply(ConfigMap.create({ metadata: again }), { fieldOwner: "web" });
    });
    expect(logger.records).toEqual([]);
  });
});
