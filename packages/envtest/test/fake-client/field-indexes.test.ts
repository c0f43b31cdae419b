import { ConfigMap, Pod } from "@kubescaffold/k8s/core/v1";
import type { ListOptions } from "@kubescaffold/runtime";
import { describe, expect, it } from "vitest";

import { createFakeClient } from "../../src/fake-client/fake-client.ts";
import { fieldIndex } from "../../src/fake-client/field-indexes.ts";

const pod = (name: string, namespace: string, images: readonly string[], node: string = "n1"): Pod =>
  Pod.create({
    metadata: { name, namespace, labels: { tier: images.length > 1 ? "many" : "one" } },
    spec: { nodeName: node, containers: images.map((image) => ({ name: image, image })) },
  });

const IMAGES = fieldIndex(Pod, "images", ({ spec }) => spec?.containers.map(({ image = "" }) => image) ?? []);
const OBJECTS = [pod("a", "default", ["web"]), pod("b", "default", ["web", "proxy"], "n2"), pod("c", "team", ["web"])];

describe("indexes of a fake client", () => {
  const client = createFakeClient({ objects: OBJECTS, indexes: [IMAGES] });
  const namesOf = async (options: ListOptions): Promise<readonly (string | undefined)[]> =>
    (await client.list(Pod, options)).items.map(({ metadata }) => metadata.name);

  it.each<[ListOptions, readonly string[]]>([
    [{ fields: { images: "web" } }, ["a", "b", "c"]],
    [{ fieldSelector: "images=proxy" }, ["b"]],
    [{ fields: { images: "web" }, fieldSelector: "images==proxy" }, ["b"]],
    [{ fields: { images: "none" } }, []],
    [{ fields: { images: "web" }, namespace: "team" }, ["c"]],
    [{ fields: { images: "web" }, labels: { tier: "one" } }, ["a", "c"]],
    [{ fields: { images: "web", "metadata.name": "a" } }, ["a"]],
    [{ fields: { images: "web" }, fieldSelector: "spec.nodeName!=n2" }, ["a", "c"]],
    [{ fields: { images: "web" }, limit: 2 }, ["a", "b"]],
    [{ fields: { images: "web" }, limit: 3 }, ["a", "b", "c"]],
    [{ fields: { images: "proxy" }, metadataOnly: true }, ["b"]],
  ])("select with %o", async (options, names) => {
    expect(await namesOf(options)).toEqual(names);
  });

  it("cut a list at its limit without a page that could be continued, as a cache does", async () => {
    const list = await client.list(Pod, { fields: { images: "web" }, limit: 2 });
    const next = client.list(Pod, { fields: { images: "web" }, continue: list.metadata.continue ?? "" });
    await expect(next).rejects.toThrow("cannot list from the cache with a continue token");
  });

  it("return only metadata where it is requested", async () => {
    const [item] = (await client.list(Pod, { fields: { images: "proxy" }, metadataOnly: true })).items;
    expect(item).not.toHaveProperty("spec");
  });

  it("match exactly", async () => {
    await expect(client.list(Pod, { fieldSelector: "images!=web" })).rejects.toThrow(
      'by the field selector "images!=web", which is not an exact match',
    );
  });

  it("follow the objects", async () => {
    const changing = createFakeClient({ indexes: [IMAGES] });
    const list = async (): Promise<number> => (await changing.list(Pod, { fields: { images: "web" } })).items.length;
    const counts = [await list()];
    await changing.create(pod("a", "default", ["web"]));
    counts.push(await list());
    await changing.delete(pod("a", "default", []), { gracePeriodSeconds: 0 });
    expect([...counts, await list()]).toEqual([0, 1, 0]);
  });

  it("can be added later, each once", async () => {
    const later = createFakeClient({ objects: OBJECTS });
    await later.indexField(Pod, "images", IMAGES.valuesOf);
    expect((await later.list(Pod, { fields: { images: "proxy" } })).items).toHaveLength(1);
    await expect(later.indexField(Pod, "images", IMAGES.valuesOf)).rejects.toThrow('cannot add the index "images"');
    expect(() => createFakeClient({ indexes: [IMAGES, IMAGES] })).toThrow('cannot add the index "images"');
  });

  it("belong to one kind", async () => {
    await expect(client.list(ConfigMap, { fields: { images: "web" } })).rejects.toThrow(
      "is not a known field selector",
    );
  });

  it("serve their kinds", async () => {
    const kind = { group: "fake.example.com", version: "v1", kind: "Widget" };
    const serving = createFakeClient({ indexes: [fieldIndex(kind, "spec.size", () => ["1"])] });
    expect((await serving.list(kind, { fields: { "spec.size": "1" } })).items).toEqual([]);
  });
});
