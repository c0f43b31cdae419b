import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { deepFreeze, type DeepReadonly, objectKey } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { type Container, Node, Pod } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject, ListOf, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, expectTypeOf, it } from "vitest";

import { partialObject } from "../../src/client/partial-object.ts";
import {
  asReconciler,
  type Cache,
  type Client,
  controllerutil,
  createClient,
  createClientset,
  createFinalizers,
  createMetadataClient,
  editable,
  type EventRecorder,
  handler,
  type KindRef,
  type LiveClient,
  type Manager,
  newControllerManagedBy,
  newWebhookManagedBy,
  type PartialObjectMetadata,
  patch,
  predicate,
  type Reader,
  type RestClient,
  source,
  type Stored,
  type WatchingClient,
} from "../../src/index.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const KEY = { namespace: "default", name: "web" };

const UNTYPED = { group: "", version: "v1", kind: "Pod" };
const LIVENESS_MS = 120_000;
const TYPE_CHECK = {
  composite: false,
  incremental: false,
  noEmit: true,
  declaration: false,
  isolatedDeclarations: false,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: false,
};

// The compiler checks the following functions, which are never called.

export async function cachedReads(client: Client, cache: Cache): Promise<unknown> {
  const deployment = await client.get(Deployment, KEY);
  expectTypeOf(deployment).toEqualTypeOf<DeepReadonly<Stored<Deployment>>>();
  expectTypeOf(await client.list(Deployment)).toEqualTypeOf<ListOf<DeepReadonly<Stored<Deployment>>>>();
  expectTypeOf(await cache.get(Deployment, KEY)).toEqualTypeOf<DeepReadonly<Stored<Deployment>>>();
  expectTypeOf((await client.get(Deployment, KEY, { metadataOnly: true })).metadata).toEqualTypeOf<
    DeepReadonly<Stored<Deployment>["metadata"]>
  >();
  // @ts-expect-error -- a field
  deployment.metadata.labels = {};
  // @ts-expect-error -- an entry of a map
  deployment.metadata.labels["app"] = "web";
  // @ts-expect-error -- an item of a list
  deployment.metadata.finalizers?.push("demo/finalizer");
  // @ts-expect-error -- a field of an item
  if (deployment.spec !== undefined) deployment.spec.template.spec.containers[0].image = "web:2";
  // @ts-expect-error -- the order of a list
  deployment.spec?.template.spec?.containers.sort();
  // @ts-expect-error -- an untyped object
  (await client.get({ group: "", version: "v1", kind: "Pod" }, KEY)).metadata.name = "other";
  // @ts-expect-error -- an argument that may be changed
  return ((changed: Deployment) => changed)(deployment);
}

export async function editableCopies(client: Client): Promise<void> {
  const deployment = await client.get(Deployment, KEY);
  const copy = editable(deployment);
  expectTypeOf(copy).toEqualTypeOf<Stored<Deployment>>();
  expectTypeOf(editable(copy)).toExtend<Stored<Deployment>>();
  const [item] = (await client.list(Deployment)).items;
  if (item !== undefined) expectTypeOf(editable(item)).toEqualTypeOf<Stored<Deployment>>();
  if (deployment.spec !== undefined) expectTypeOf(editable(deployment.spec.template)).toHaveProperty("spec");
  for (const container of deployment.spec?.template.spec?.containers ?? []) {
    expectTypeOf(editable(container)).toEqualTypeOf<Container>();
  }
  copy.metadata.finalizers?.push("demo/finalizer");
  await client.update(copy);
}

export async function liveReads(live: LiveClient, manager: Manager): Promise<unknown> {
  expectTypeOf(await live.get(Deployment, KEY)).toEqualTypeOf<Stored<Deployment>>();
  expectTypeOf(await live.list(Deployment)).toEqualTypeOf<ListOf<Stored<Deployment>>>();
  expectTypeOf(await manager.getApiReader().get(Deployment, KEY)).toEqualTypeOf<Stored<Deployment>>();
  expectTypeOf(createClient({ server: "" })).toEqualTypeOf<LiveClient>();
  expectTypeOf(createClient({ server: "" }, { cache: { reader: live } })).toEqualTypeOf<WatchingClient>();
  expectTypeOf(manager.getClient()).toEqualTypeOf<Client>();
  // Code that reads only works with both.
  const clients: readonly Client[] = [live, manager.getClient()];
  const readers: readonly Reader[] = [live, manager.getApiReader(), manager.getCache()];
  // @ts-expect-error -- a cached client is no live one
  const wrong: LiveClient = manager.getClient();
  return [clients, readers, wrong];
}

export async function writes(client: Client, recorder: EventRecorder): Promise<void> {
  const deployment = await client.get(Deployment, KEY);
  const spec = { ...deployment.spec, replicas: 3 };
  await client.update({ ...deployment, spec });
  await client.patch({ ...deployment, spec }, patch.mergeFrom(deployment, { optimisticLock: true }));
  await client.status().patch({ ...deployment, status: { replicas: 1 } }, patch.strategicMergeFrom(deployment));
  await client.status().update({ ...deployment, status: { replicas: 1 } });
  await client.patch(controllerutil.addFinalizer(deployment, "demo/finalizer"), patch.mergeFrom(deployment));
  await client.delete(deployment);
  recorder.event(deployment, { type: "Normal", reason: "Read", action: "Read", note: "", related: deployment });
  expectTypeOf(objectKey(deployment).name).toEqualTypeOf<string>();
  const pod = Pod.create({ metadata: KEY, spec: { containers: [] } });
  expectTypeOf(controllerutil.setControllerReference(deployment, pod)).toEqualTypeOf<Pod>();
  expectTypeOf(await client.create(pod)).toEqualTypeOf<Stored<Pod>>();
  expectTypeOf(await client.update(pod)).toEqualTypeOf<Stored<Pod>>();
  const { object } = await controllerutil.createOrUpdate(client, pod, (current) => {
    expectTypeOf(current).toEqualTypeOf<Pod>();
    current.metadata.labels = { app: "web" };
  });
  expectTypeOf(object).toEqualTypeOf<DeepReadonly<Stored<Pod>>>();
  const metadata = await client.get(Deployment, KEY, { metadataOnly: true });
  // @ts-expect-error -- metadata only, also as a copy
  await client.update(editable(metadata));
  await client.delete(metadata);
}

export async function namespaces(client: Client): Promise<void> {
  expectTypeOf((await client.get(Deployment, KEY)).metadata.namespace).toEqualTypeOf<string>();
  expectTypeOf((await client.get(Pod, KEY, { metadataOnly: true })).metadata.namespace).toEqualTypeOf<string>();
  for (const { metadata } of (await client.list(Pod)).items) expectTypeOf(metadata.namespace).toEqualTypeOf<string>();
  const created = await client.create(Pod.create({ metadata: { generateName: "web-" }, spec: { containers: [] } }));
  expectTypeOf(created.metadata.namespace).toEqualTypeOf<string>();
  // Other kinds are cluster-scoped, or their scope is unknown.
  expectTypeOf((await client.get(Node, { name: "a" })).metadata.namespace).toEqualTypeOf<string | undefined>();
  expectTypeOf((await client.get(UNTYPED, KEY)).metadata.namespace).toEqualTypeOf<string | undefined>();
  expectTypeOf((await client.get<KubernetesObject>(UNTYPED, KEY)).metadata.namespace).toEqualTypeOf<
    string | undefined
  >();
  // Objects to write, also those of a kind, need no namespace.
  expectTypeOf<Pod["metadata"]["namespace"]>().toEqualTypeOf<string | undefined>();
}

export async function watches(manager: Manager, cache: Cache): Promise<void> {
  type Received = DeepReadonly<Stored<Pod>>;
  type Metadata = DeepReadonly<Stored<PartialObjectMetadata<Pod>>>;
  await newControllerManagedBy(manager)
    .for(Pod, { predicates: [predicate.ofObject((pod) => (expectTypeOf(pod).toEqualTypeOf<Received>(), true))] })
    .ownsMetadata(Pod, {
      predicates: [predicate.ofObject((pod) => (expectTypeOf(pod).toEqualTypeOf<Metadata>(), true))],
    })
    .watches(
      Pod,
      handler.enqueueRequestsFromMapFunc((pod) => {
        expectTypeOf(pod).toEqualTypeOf<Received>();
        return [objectKey(pod)];
      }),
      { predicates: [predicate.generationChanged, predicate.funcs({ create: ({ object }) => object.kind === "Pod" })] },
    )
    .watchesMetadata(
      Pod,
      handler.enqueueRequestsFromMapFunc((pod) => {
        expectTypeOf(pod).toEqualTypeOf<Metadata>();
        return [objectKey(pod)];
      }),
      { predicates: [predicate.ofObject((pod) => (expectTypeOf(pod).toEqualTypeOf<Metadata>(), true))] },
    )
    .complete(
      asReconciler({
        client: manager.getClient(),
        kind: Pod,
        reconcile: async (pod) => void expectTypeOf(pod).toEqualTypeOf<DeepReadonly<Stored<Pod>>>(),
      }),
    );
  source.kindMetadata<Pod>({
    cache,
    kind: Pod,
    handler: handler.funcs({ create: ({ object }) => expectTypeOf(object).toEqualTypeOf<Metadata>() && undefined }),
  });
  const informer = await cache.getInformer(Pod);
  informer.addEventHandler({
    onAdd: (pod) => expectTypeOf(pod).toEqualTypeOf<Received>() && undefined,
    // @ts-expect-error -- a handler that may change its argument
    onUpdate: (_: Pod, pod: Pod) => void pod.metadata,
    onDelete: () => undefined,
  });
  informer.addIndexers({ node: (pod) => (expectTypeOf(pod).toEqualTypeOf<Received>(), []) });
  const metadata = await cache.getInformer(Pod, { metadataOnly: true });
  metadata.addEventHandler({
    onAdd: (pod) => expectTypeOf(pod).toEqualTypeOf<Metadata>() && undefined,
    onUpdate: () => undefined,
    onDelete: () => undefined,
  });
  await cache.indexField(Pod, "spec.nodeName", (pod) => (expectTypeOf(pod).toEqualTypeOf<Received>(), []));
  newWebhookManagedBy(manager)
    .for(Pod)
    .withValidator({
      validateCreate: (pod) => expectTypeOf(pod).toEqualTypeOf<Pod>() && undefined,
      validateUpdate: (old, pod) =>
        expectTypeOf(old).toEqualTypeOf<Stored<Pod>>() && expectTypeOf(pod).toEqualTypeOf<Pod>() && undefined,
      validateDelete: (pod) => expectTypeOf(pod).toEqualTypeOf<Stored<Pod>>() && undefined,
    })
    .complete();
}

export async function receivedObjects(live: LiveClient, rest: RestClient): Promise<void> {
  predicate.funcs<Pod>({
    update: ({ objectOld, objectNew }) => objectOld.metadata.uid.length === objectNew.metadata.uid.length,
    delete: ({ object }) => object.metadata.namespace.length > 0,
    // @ts-expect-error -- a program may send an object that no server has stored
    generic: ({ object }) => object.metadata.uid.length > 0,
  });
  const finalizers = createFinalizers<Pod>();
  finalizers.register("demo/a", async (pod) => void expectTypeOf(pod).toEqualTypeOf<DeepReadonly<Stored<Pod>>>());
  for await (const event of live.watch(Pod)) {
    if (event.type === "ADDED") expectTypeOf(event.object).toEqualTypeOf<Stored<Pod>>();
  }
  const pods = createClientset(live).kind(Pod).namespace("default");
  expectTypeOf(await pods.get("web")).toEqualTypeOf<Stored<Pod>>();
  const { items } = await createMetadataClient(rest).resource({ group: "", version: "v1", resource: "pods" }).list();
  expectTypeOf(items.map(({ metadata }) => metadata.name)).toEqualTypeOf<string[]>();
}

export async function genericCode<T extends KubernetesObject>(client: Client, kind: KindRef<T>): Promise<T> {
  const object = await client.get(kind, KEY);
  expectTypeOf(object.metadata.name).toEqualTypeOf<string>();
  const read: ReadonlyObject = object;
  await client.delete(read);
  return editable(object);
}

describe("the types of cached objects", () => {
  it.each([true, false])(
    "guarantee 22: the compiler rejects changes of objects that may be from a cache, with exactOptionalPropertyTypes %s",
    async (exactOptionalPropertyTypes) => {
      const folder = mkdtempSync(path.join(ROOT, "packages/runtime/test/client/types-"));
      try {
        const config = path.join(folder, "tsconfig.json");
        const compilerOptions = { ...TYPE_CHECK, exactOptionalPropertyTypes };
        const files = [fileURLToPath(import.meta.url)];
        writeFileSync(
          config,
          JSON.stringify({ extends: path.join(ROOT, "tsconfig.base.json"), compilerOptions, files }),
        );
        const compiler = path.join(ROOT, "node_modules/typescript/bin/tsc");
        const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", config]).catch(
          (error: unknown) => error as { readonly stdout: string },
        );
        expect(stdout).toBe("");
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    LIVENESS_MS,
  );

  it("guarantee 22: editable() copies all levels, and the mark of metadata", async () => {
    const object = deepFreeze({ apiVersion: "v1", kind: "Pod", metadata: { name: "a", finalizers: ["x"] } });
    const copy = editable(object);
    copy.metadata.finalizers.push("y");
    expect([object.metadata.finalizers, copy.metadata.finalizers]).toEqual([["x"], ["x", "y"]]);
    const metadata = editable(partialObject(object, { group: "", version: "v1", kind: "Pod" }));
    const live = createClient({ server: "http://localhost" });
    // @ts-expect-error -- metadata only
    await expect(live.update(metadata)).rejects.toMatchObject({ code: "CLIENT_PARTIAL_OBJECT" });
  });
});
