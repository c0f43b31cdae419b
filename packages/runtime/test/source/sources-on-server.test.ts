import { defineKind, type Kind, objectKey } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import { enqueueRequestForObject, type EventHandler, funcs } from "../../src/handler/event-handler.ts";
import { enqueueRequestsFromMapFunc } from "../../src/handler/handler.ts";
import { createRecordingLogger, silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import * as predicate from "../../src/predicate/predicate.ts";
import { EventChannel } from "../../src/source/event-channel.ts";
import { channel } from "../../src/source/source.ts";
import { type ControllerOnServer, type ControllerOnServerSettings, EVENT } from "../support/controller-on-server.ts";
import { serverForTests } from "../support/server-for-tests.ts";

interface Comet extends KubernetesObject {
  spec?: { size?: number };
  status?: { ready?: boolean };
}

const Comet: Kind<Comet> = defineKind<Comet>({ group: "sources.demo", version: "v1" }, "Comet");

const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "comets.sources.demo" },
  spec: {
    group: "sources.demo",
    names: { kind: "Comet", listKind: "CometList", plural: "comets", singular: "comet" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

const server = serverForTests({ crds: [CRD] });
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(settings: ControllerOnServerSettings): Promise<ControllerOnServer & { readonly names: string[] }> {
  const names: string[] = [];
  const controller = await server.start(async ({ name }) => void names.push(name), settings);
  return { ...controller, names };
}

describe("events of a server", () => {
  interface ThrowingPart {
    readonly part: string;
    readonly settings: (
      fail: (object: { readonly metadata: KubernetesObject["metadata"] }) => void,
    ) => ControllerOnServerSettings;
  }
  const PARTS: readonly ThrowingPart[] = [
    {
      part: "predicate",
      settings: (fail) => ({
        predicates: [predicate.ofObject<ConfigMap>((object) => (fail(object as ConfigMap), true))],
      }),
    },
    {
      part: "map function",
      settings: (fail) => ({
        handler: enqueueRequestsFromMapFunc<ConfigMap>((object) => (fail(object as ConfigMap), [objectKey(object)])),
      }),
    },
    {
      part: "handler",
      settings: (fail) => ({
        handler: { ...enqueueRequestForObject<ConfigMap>(), create: ({ object }) => fail(object as ConfigMap) },
      }),
    },
  ];

  it.each(PARTS)("row 7: a $part that throws loses its event with a log, and nothing else", async ({ settings }) => {
    const { names, logger } = await start(
      settings(({ metadata }) => {
        if (metadata.name === "bad") throw new TypeError("on server");
      }),
    );
    await server.on.write("bad");
    await server.on.write("good");
    await server.on.live.delete(ConfigMap.create({ metadata: { namespace: server.on.namespace, name: "good" } }));
    await expect.poll(() => names, EVENT).toContain("good");
    expect(names).not.toContain("bad");
    const errors = logger.records.filter(({ severity }) => severity === "error");
    expect(errors.map(({ fields }) => [fields["event"], fields["name"]])).toEqual([["add", "bad"]]);
  });

  it("row 74: predicates see what the server changes of an object", async () => {
    const predicates = {
      generation: predicate.generationChanged,
      labels: predicate.labelChanged,
      annotations: predicate.annotationChanged,
      version: predicate.resourceVersionChanged,
      generationOrLabels: predicate.or(predicate.generationChanged, predicate.labelChanged),
      generationAndLabels: predicate.and(predicate.generationChanged, predicate.labelChanged),
      notGeneration: predicate.not(predicate.generationChanged),
    };
    const passed: (readonly string[])[] = [];
    const stopping = new AbortController();
    const cache = createCache(server.on.live, {
      logger: silentLogger,
      registry: createMetricsRegistry(),
      defaultNamespaces: { [server.on.namespace]: {} },
    });
    const running = cache.start(stopping.signal);
    stops.push(async () => {
      stopping.abort();
      await running;
    });
    const informer = await cache.getInformer(Comet);
    informer.addEventHandler({
      onAdd: () => undefined,
      onDelete: () => undefined,
      onUpdate: (objectOld, objectNew) => {
        passed.push(
          Object.entries(predicates)
            .filter(([, each]) => each.update({ objectOld, objectNew }))
            .map(([name]) => name),
        );
      },
    });
    const metadata = { namespace: server.on.namespace, name: "a" };
    const created = await server.on.live.create(Comet.create({ metadata, spec: { size: 1 } }));
    const withStatus = await server.on.live.status().update({ ...created, status: { ready: true } });
    const resized = await server.on.live.update({ ...withStatus, spec: { size: 2 } });
    const labels = { a: "b" };
    const labelled = await server.on.live.update({ ...resized, metadata: { ...resized.metadata, labels } });
    const annotations = { c: "d" };
    const annotated = await server.on.live.update({ ...labelled, metadata: { ...labelled.metadata, annotations } });
    await server.on.live.update({ ...annotated, spec: { size: 3 }, metadata: { ...annotated.metadata, labels: {} } });
    await expect.poll(() => passed.length, EVENT).toBe(5);
    expect(passed).toEqual([
      ["version", "notGeneration"],
      ["generation", "version", "generationOrLabels"],
      ["labels", "version", "generationOrLabels", "notGeneration"],
      ["annotations", "version", "notGeneration"],
      ["generation", "labels", "version", "generationOrLabels", "generationAndLabels"],
    ]);
  });

  it("row 75: a map function maps the old and the new object of a change, each request once", async () => {
    const { added, observed } = await start({
      handler: enqueueRequestsFromMapFunc<ConfigMap>(({ data }) =>
        ["both", data?.["value"] ?? ""].map((name) => ({ namespace: server.on.namespace, name })),
      ),
    });
    await server.on.write("a", "old");
    await observed("a", "old");
    await server.on.write("a", "new");
    await observed("a", "new");
    await settle();
    expect(added).toEqual(["both 0", "old 0", "both 0", "old 0", "new 0"]);
  });
});

describe("a channel of events of objects on a server", () => {
  it("row 73: reaches the reconciler despite the filters of other events, and its sender waits while the buffer is full", async () => {
    const manager = await createManager(server.config, {
      logger: createRecordingLogger(0),
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
      cache: { defaultNamespaces: { [server.on.namespace]: {} } },
    });
    const events = new EventChannel<ConfigMap>();
    const blocked: (() => void)[] = [];
    const blocking: EventHandler<ConfigMap> = funcs<ConfigMap>({
      generic: async () => {
        await new Promise<void>((resolve) => {
          blocked.push(resolve);
        });
      },
    });
    const reconciled: unknown[] = [];
    await newControllerManagedBy(manager)
      .named("row-73")
      .for(ConfigMap)
      .withEventFilter(predicate.not(predicate.funcs({})))
      .watchesRawSource(channel({ channel: events, handler: enqueueRequestForObject<ConfigMap>() }))
      .watchesRawSource(channel({ channel: events, bufferSize: 2, handler: blocking }))
      .complete(({ name }) => {
        reconciled.push(name);
        return Promise.resolve();
      });
    const stopping = new AbortController();
    const running = manager.start(stopping.signal);
    stops.push(async () => {
      stopping.abort();
      await running;
    });
    await manager.elected;
    await server.on.writeAll(["w0", "w1", "w2", "w3"]);
    const sent: string[] = [];
    for (const [index, name] of ["w0", "w1", "w2", "w3"].entries()) {
      const object = await server.on.write(name, String(index));
      void events.send({ object }).then(() => sent.push(name));
    }
    await expect.poll(() => reconciled.length, EVENT).toBe(3);
    expect([sent, blocked.length]).toEqual([["w0", "w1"], 1]);
    blocked[0]?.();
    await expect.poll(() => sent, EVENT).toEqual(["w0", "w1", "w2"]);
    await expect.poll(() => reconciled.length, EVENT).toBe(4);
    expect(reconciled).toEqual(["w0", "w1", "w2", "w3"]);
    events.close();
    await expect.poll(() => sent, EVENT).toEqual(["w0", "w1", "w2", "w3"]);
  });
});
