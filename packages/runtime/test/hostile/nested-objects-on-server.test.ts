import { Environment } from "@kubescaffold/envtest";
import { defineKind, type Kind, parseLosslessJson, printLosslessJson } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { afterAll, expect, it } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import { createClient } from "../../src/client/create-client.ts";
import { editable } from "../../src/client/editable.ts";
import { mergeFrom } from "../../src/client/patch.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { EVENT } from "../support/controller-on-server.ts";

interface Widget extends KubernetesObject {
  spec?: unknown;
}
const Widget: Kind<Widget> = defineKind<Widget>({ group: "nested.demo", version: "v1" }, "Widget");

// kube-apiserver stores 10,000 levels, which the field owners have more of than the object; the embedded server stores 1,000.
const LEVELS = (process.env["KUBEBUILDER_ASSETS"] ?? "") === "" ? 900 : 9900;

const environment = new Environment();
const stop = new AbortController();
afterAll(async () => {
  stop.abort();
  await environment.stop();
});

it("an object of nearly as many levels as the server stores is created, cached, patched, applied, and deleted", async () => {
  const client = createClient(await environment.start());
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  await client.create(
    CustomResourceDefinition.create({
      metadata: { name: "widgets.nested.demo" },
      spec: {
        group: "nested.demo",
        names: { kind: "Widget", plural: "widgets" },
        scope: "Namespaced",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    }),
  );
  const text = `${'[{"a":'.repeat(LEVELS / 2)}9007199254740993${"}]".repeat(LEVELS / 2)}`;
  const named = (name: string): Widget =>
    Widget.create({ metadata: { namespace: "default", name }, spec: { value: parseLosslessJson(text) } });
  await expect
    .poll(
      async () =>
        await client.create(named("listed")).then(
          () => true,
          () => false,
        ),
      EVENT,
    )
    .toBe(true);
  const cache = createCache(client, { logger: silentLogger, registry: createMetricsRegistry() });
  void cache.start(stop.signal);
  expect((await cache.list(Widget)).items).toHaveLength(1);
  await client.create(named("watched"));
  const names = async (): Promise<unknown> => (await cache.list(Widget)).items.map(({ metadata }) => metadata.name);
  await expect
    .poll(async () => ((await names()) as readonly string[]).toSorted(), EVENT)
    .toEqual(["listed", "watched"]);
  const cached = await cache.get(Widget, { namespace: "default", name: "watched" });
  expect(printLosslessJson(cached.spec) === `{"value":${text}}`).toBe(true);
  const labeled = editable(cached);
  labeled.metadata.labels = { a: "b" };
  expect((await client.patch(labeled, mergeFrom(cached))).metadata.labels).toEqual({ a: "b" });
  const applied = { apiVersion: "nested.demo/v1", kind: "Widget", metadata: { namespace: "default", name: "listed" } };
  const spec = cached.spec;
  await client.apply({ ...applied, spec }, { fieldOwner: "test" });
  for (const name of ["listed", "watched"]) await client.delete(named(name));
  await expect.poll(names, EVENT).toEqual([]);
});
