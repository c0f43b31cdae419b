import { isAlreadyExists, isConflict, isInvalid, isNotFound } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Namespace, Pod } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { createManager, isNoMatch, newControllerManagedBy, patch } from "@kubescaffold/runtime";
import { describe, expect, it } from "vitest";

import { createFakeClient } from "../../src/fake-client/fake-client.ts";
import { Widget, widget, widgetDefinition } from "./sample-kinds.ts";

const KEY = { namespace: "default", name: "a" };
const configMap = (name: string, labels: Record<string, string> = {}): ConfigMap =>
  ConfigMap.create({ metadata: { namespace: "default", name, labels } });

describe("createFakeClient", () => {
  it("creates a client whose objects exist", async () => {
    const client = createFakeClient({ objects: [configMap("a"), widget("a", { spec: { size: 1 } })] });
    expect(await client.get(ConfigMap, KEY)).toMatchObject({ metadata: { name: "a" } });
    expect(await client.get(Widget, KEY)).toMatchObject({ spec: { size: 1 }, metadata: { generation: 1 } });
  });

  it("creates clients that share nothing", async () => {
    const [first, second] = [createFakeClient(), createFakeClient()];
    await first.create(configMap("a"));
    await expect(second.get(ConfigMap, KEY)).rejects.toSatisfy(isNotFound);
  });

  it("fails as a server does", async () => {
    const client = createFakeClient({ objects: [configMap("a")] });
    await expect(client.create(configMap("a"))).rejects.toSatisfy(isAlreadyExists);
    const old = await client.get(ConfigMap, KEY);
    await client.update({ ...old, data: { a: "1" } });
    await expect(client.update({ ...old, data: { a: "2" } })).rejects.toSatisfy(isConflict);
    await expect(client.create(Pod.create({ metadata: { ...KEY } }))).rejects.toSatisfy(isInvalid);
    await expect(client.create(ConfigMap.create({ metadata: { namespace: "missing", name: "a" } }))).rejects.toThrow(
      'namespaces "missing" not found',
    );
  });

  it("deletes an object with finalizers only after the last one was removed", async () => {
    const client = createFakeClient({ objects: [widget("a", { metadata: { finalizers: ["example.com/a"] } })] });
    await client.delete(widget("a"));
    const marked = await client.get(Widget, KEY);
    expect(marked.metadata.deletionTimestamp).toBeDefined();
    await client.update({ ...marked, metadata: { ...marked.metadata, finalizers: [] } });
    await expect(client.get(Widget, KEY)).rejects.toSatisfy(isNotFound);
  });

  it("selects objects by labels, namespace, and the fields of the server", async () => {
    const pod = Pod.create({ metadata: KEY, spec: { containers: [], nodeName: "n1" } });
    const client = createFakeClient({ objects: [configMap("a", { tier: "web" }), configMap("b"), pod] });
    expect((await client.list(ConfigMap, { labels: { tier: "web" } })).items).toHaveLength(1);
    expect((await client.list(ConfigMap, { namespace: "kube-system" })).items).toHaveLength(0);
    expect((await client.list(Pod, { fields: { "spec.nodeName": "n1" } })).items).toHaveLength(1);
    await expect(client.list(ConfigMap, { fields: { "data.a": "1" } })).rejects.toThrow(
      "is not a known field selector",
    );
  });

  it("applies fields, and reports conflicts between field owners", async () => {
    const client = createFakeClient({ kinds: [Widget] });
    await client.apply(widget("a", { spec: { size: 1 } }), { fieldOwner: "one" });
    const other = client.apply(widget("a", { spec: { size: 2 } }), { fieldOwner: "two" });
    await expect(other).rejects.toSatisfy(isConflict);
    await client.apply(widget("a", { spec: { size: 2 } }), { fieldOwner: "two", forceOwnership: true });
    expect((await client.get(Widget, KEY)).spec).toEqual({ size: 2 });
  });

  it("watches", async () => {
    const client = createFakeClient({ objects: [configMap("a")] });
    const types: string[] = [];
    for await (const { type, object } of client.watch(ConfigMap, {
      namespace: "default",
      allowWatchBookmarks: false,
    })) {
      types.push(`${type} ${(object as ConfigMap).metadata.name ?? ""}`);
      if (types.length === 1) await client.create(configMap("b"));
      if (types.length === 2) await client.delete(configMap("a"));
      if (types.length === 3) break;
    }
    expect(types).toEqual(["ADDED a", "ADDED b", "DELETED a"]);
  });

  it("takes the time from the clock", async () => {
    const clock = new FakeClock(Date.UTC(2030, 0, 1));
    const client = createFakeClient({ clock, objects: [configMap("a")] });
    await clock.advance(60_000);
    await client.create(configMap("b"));
    const { items } = await client.list(ConfigMap, { namespace: "default" });
    const created = items.map(({ metadata }) => metadata.creationTimestamp);
    expect(created).toEqual(["2030-01-01T00:00:00Z", "2030-01-01T00:01:00Z"]);
  });

  it("maps kinds and resources without a request", async () => {
    const client = createFakeClient({ kinds: [Widget, { ...Widget, version: "v1beta1" }] });
    const gvr = { group: Widget.group, version: "v1", resource: "widgets" };
    expect(await client.restMapper.kindFor({ group: Widget.group, resource: "widgets" })).toMatchObject({
      version: "v1",
    });
    expect((await client.restMapper.restMapping(Widget)).gvr).toEqual(gvr);
    expect((await client.restMapper.restMappings(Widget)).map(({ gvk }) => gvk.version)).toEqual(["v1", "v1beta1"]);
    expect([await client.isNamespaced(Widget), await client.isNamespaced(Namespace)]).toEqual([true, false]);
    const unknown = { group: "example.com", version: "v1", kind: "Missing", resource: "missing" };
    await expect(client.restMapper.restMapping(unknown)).rejects.toSatisfy(isNoMatch);
    await expect(client.restMapper.restMappings(unknown)).rejects.toSatisfy(isNoMatch);
    await expect(client.restMapper.kindFor(unknown)).rejects.toSatisfy(isNoMatch);
    client.restMapper.reset();
    expect(client.server.audit.entries()).toEqual([]);
  });

  it("has a server for managers, with faults and an audit log", async () => {
    const client = createFakeClient({ objects: [configMap("a")] });
    const mgr = await createManager(client.server.restConfig(), { metrics: { bindAddress: "0" } });
    const reconciled: string[] = [];
    await newControllerManagedBy(mgr)
      .for(ConfigMap)
      .named("fake-client")
      .complete(async ({ name }) => {
        reconciled.push(name);
      });
    const stopping = new AbortController();
    const running = mgr.start(stopping.signal);
    await expect.poll(() => reconciled).toEqual(["a"]);
    stopping.abort();
    await running;
    client.server.faults.add({ kind: "error", code: 503, match: { verb: "get" }, times: 1 });
    await expect(client.get(ConfigMap, KEY)).rejects.toThrow("503");
    await client.server.close();
  });
});

describe("kinds of a fake client without a definition", () => {
  it("accept any field, and patches of any kind but strategic ones", async () => {
    const client = createFakeClient({ kinds: [Widget] });
    const created = await client.create({ ...widget("a"), anything: { at: ["all"] } });
    expect(created).toMatchObject({ anything: { at: ["all"] } });
    const patched = await client.patch(created, patch.json([{ op: "add", path: "/spec", value: { size: 1 } }]));
    expect(patched.spec).toEqual({ size: 1 });
  });

  it("write the status with the object unless it is a subresource", async () => {
    const plain = createFakeClient({ objects: [widget("a", { status: { ready: 1 } })] });
    const object = await plain.get(Widget, KEY);
    expect((await plain.update({ ...object, status: { ready: 2 } })).status).toEqual({ ready: 2 });
    await expect(plain.status().update(object)).rejects.toSatisfy(isNotFound);
  });

  it("separate the status of statusSubresources", async () => {
    const client = createFakeClient({ objects: [widget("a", { status: { ready: 1 } })], statusSubresources: [Widget] });
    const object = await client.get(Widget, KEY);
    const updated = await client.update({ ...object, spec: { size: 2 }, status: { ready: 2 } });
    expect(updated).toMatchObject({ spec: { size: 2 }, status: { ready: 1 }, metadata: { generation: 2 } });
    const ready = await client.status().update({ ...updated, spec: { size: 3 }, status: { ready: 3 } });
    expect(ready).toMatchObject({ spec: { size: 2 }, status: { ready: 3 }, metadata: { generation: 2 } });
    expect((await client.create(widget("b", { status: { ready: 1 } }))).status).toBeUndefined();
  });

  it("have the scope of the first object unless it is stated", async () => {
    const cluster = Widget.create({ metadata: { name: "a" } });
    expect(await createFakeClient({ objects: [cluster] }).isNamespaced(Widget)).toBe(false);
    expect(await createFakeClient({ kinds: [{ ...Widget, namespaced: false }] }).isNamespaced(Widget)).toBe(false);
    expect(() => createFakeClient({ objects: [cluster], kinds: [{ ...Widget, namespaced: true }] })).toThrow(
      "it has no namespace",
    );
  });

  it("have the plural of controller-gen unless it is stated", async () => {
    const pluralOf = async (client: ReturnType<typeof createFakeClient>): Promise<string> =>
      (await client.restMapper.restMapping(Widget)).gvr.resource;
    expect(await pluralOf(createFakeClient({ kinds: [Widget] }))).toBe("widgets");
    expect(await pluralOf(createFakeClient({ kinds: [{ ...Widget, plural: "gadgets" }] }))).toBe("gadgets");
  });

  it("are unknown if no option names them", async () => {
    await expect(createFakeClient().create(widget("a"))).rejects.toSatisfy(isNoMatch);
  });

  it.each([
    ["a version that a built-in kind lacks", { ...Deployment, version: "v1beta1" }, "the built-in kind has only v1"],
    ["a kind that the core group lacks", { group: "", version: "v1", kind: "Widget" }, "it is no built-in kind"],
  ])("cannot be %s", (_name, kind, message) => {
    expect(() => createFakeClient({ kinds: [kind] })).toThrow(message);
  });
});

describe("definitions of a fake client", () => {
  const crds = [widgetDefinition()];

  it("validate, default, and prune", async () => {
    const client = createFakeClient({ crds });
    const created = await client.create({ ...widget("a", { spec: { size: 1 } }), unknown: 1 });
    expect(created).toMatchObject({ spec: { size: 1, color: "red" } });
    expect(created).not.toHaveProperty("unknown");
    await expect(client.create(widget("b", { spec: { size: -1 } }))).rejects.toThrow(
      "should be greater than or equal to 0",
    );
    await expect(client.create(widget("b", { spec: { size: 11 } }))).rejects.toThrow("must be at most 10");
  });

  it("default objects of the options, which may be invalid but have no unknown fields", async () => {
    const client = createFakeClient({ crds, objects: [widget("a", { spec: { size: -1 } })] });
    expect((await client.get(Widget, KEY)).spec).toEqual({ size: -1, color: "red" });
    const misspelled = { ...widget("a"), spec: { dimension: 1 } };
    expect(() => createFakeClient({ crds, objects: [misspelled] })).toThrow('unknown field "spec.dimension"');
  });

  it("may be objects, too, and serve selectable fields", async () => {
    const client = createFakeClient({
      objects: [...crds, widget("a", { spec: {} }), widget("b", { spec: { color: "blue" } })],
    });
    const { items } = await client.list(Widget, { fields: { "spec.color": "red" } });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
  });

  it("decide whether the status is a subresource", () => {
    const withoutStatus = [widgetDefinition({})];
    expect(() => createFakeClient({ crds: withoutStatus, statusSubresources: [Widget] })).toThrow(
      "its definition has none in version v1",
    );
    expect(() => createFakeClient({ crds, statusSubresources: [Widget] })).not.toThrow();
  });

  it("are converted by name instead of by a webhook", async () => {
    const [definition] = crds as [ReturnType<typeof widgetDefinition>];
    const [version] = definition.spec.versions;
    const versions = [version, { ...version, name: "v2", storage: false }] as typeof definition.spec.versions;
    const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } };
    const converted = { ...definition, spec: { ...definition.spec, versions, conversion } };
    const client = createFakeClient({ crds: [converted], objects: [widget("a", { spec: { size: 1 } })] });
    expect(await client.get({ ...Widget, version: "v2" }, KEY)).toMatchObject({
      apiVersion: "fake.example.com/v2",
      spec: { size: 1 },
    });
  });

  it("cannot be anything else", () => {
    expect(() => createFakeClient({ crds: [configMap("a") as never] })).toThrow(
      "cannot use v1 ConfigMap as a definition",
    );
  });
});
