import { printYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { buildKustomization } from "../../src/kustomize/build.ts";

type Files = Readonly<Record<string, object>>;

function build(files: Files): readonly Record<string, unknown>[] {
  const read = (path: string): string | undefined =>
    files[path] === undefined ? undefined : printYaml(files[path]).replace(/^---\n/u, "");
  return buildKustomization(read, "base");
}

const MAP = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "x-y-z" } };

function replaced(replacements: readonly object[], map: object = MAP): Record<string, unknown> {
  const [built] = build({ "base/kustomization.yaml": { resources: ["a.yaml"], replacements }, "base/a.yaml": map });
  return built ?? {};
}

const copy = (fieldPath: string, target: string, options: object = {}, source: object = {}): object => ({
  source: { kind: "ConfigMap", name: "a", fieldPath, options: source },
  targets: [{ select: { kind: "ConfigMap" }, fieldPaths: [target], options: { create: true, ...options } }],
});

describe("a replacement", () => {
  it("sets fields, items, and parts of texts", () => {
    const map = {
      ...MAP,
      list: [
        { name: "p", v: 1 },
        { name: "q", v: 2 },
      ],
    };
    expect(replaced([copy("data.k", "list.[name=q].v"), copy("data.k", "new.deep.field")], map)).toMatchObject({
      list: [{ v: 1 }, { v: "x-y-z" }],
      new: { deep: { field: "x-y-z" } },
    });
    expect(replaced([copy("data.k", "list.*.v")], map)).toMatchObject({ list: [{ v: "x-y-z" }, { v: "x-y-z" }] });
    const part = { delimiter: "-", index: 1 };
    expect(replaced([copy("metadata.name", "data.k", part)])).toMatchObject({ data: { k: "x-a-z" } });
    expect(replaced([copy("data.k", "data.l", {}, part)])).toMatchObject({ data: { l: "y" } });
    for (const [index, text] of [
      [-1, "a-x-y-z"],
      [2 ** 31, "x-y-z-a"],
      [2 ** 53 - 1, "x-y-z-a"],
    ] as const) {
      expect(replaced([copy("metadata.name", "data.k", { delimiter: "-", index })])).toMatchObject({
        data: { k: text },
      });
    }
  });

  it.each([3, -1, 2 ** 31])("refuses the part %i of a source that has three, as kustomize does", (index) => {
    expect(() => replaced([copy("data.k", "data.l", {}, { delimiter: "-", index })])).toThrow(
      `has no part ${String(index)} between "-"`,
    );
  });

  it.each([0.5, "one", 2 ** 53, [1]])("refuses the index %o", (index) => {
    const options = { delimiter: "-", index };
    expect(() => replaced([copy("data.k", "data.l", options)])).toThrow(/the index .* is not an integer/u);
    expect(() => replaced([copy("data.k", "data.l", {}, options)])).toThrow(/the index .* is not an integer/u);
  });

  it("copies a bounded size in all", () => {
    const doubling = (fieldPath: string, target: (index: number) => string, options: object = {}): object[] =>
      Array.from({ length: 64 }, (_, index) => copy(fieldPath, target(index), options));
    for (const replacements of [
      doubling("data", (index) => `data.d${String(index)}`),
      doubling("data.k", () => "data.k", { delimiter: "-", index: 2 ** 31 }),
    ]) {
      expect(() => replaced(replacements)).toThrow("its replacements copy more than 4194304 characters");
    }
    const fieldPaths = Array.from({ length: 500 }, (_, index) => `data.k${String(index)}`);
    const targets = [{ select: { kind: "ConfigMap" }, fieldPaths, options: { create: true } }];
    const source = { kind: "ConfigMap", name: "a", fieldPath: "data.k" };
    const long = { ...MAP, data: { k: "x".repeat(10_000) } };
    expect(() => replaced([{ source, targets }], long)).toThrow("its replacements copy more than");
  });

  it("creates as many levels as a server reads, and no more", () => {
    const built = replaced([copy("data.k", Array.from({ length: 10_000 }, () => "a").join("."))]);
    let levels = 0;
    for (let next: unknown = built; typeof next === "object"; levels++) next = (next as { a?: unknown }).a;
    expect(levels).toBe(10_000);
    const path = "a.".repeat(10_001);
    expect(() => replaced([copy("data.k", path)])).toThrow("a path of a replacement has 10001 fields, at most 10000");
    expect(() => replaced([copy(path, "data.k")])).toThrow("a path of a replacement has 10001 fields, at most 10000");
  });

  it.each(["__proto__", "constructor", "toString"])("does not reach what all objects inherit as %s", (name) => {
    const built = replaced([copy("data.k", `${name}.polluted`)]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.getOwnPropertyDescriptor(built, name)?.value).toEqual({ polluted: "x-y-z" });
    expect(() => replaced([copy(`${name}.name`, "data.l")])).toThrow("has no value at");
  });
});

describe("a kustomization", () => {
  it("that is part of itself is an error", () => {
    const files = {
      "base/kustomization.yaml": { resources: ["../other"] },
      "other/kustomization.yaml": { resources: ["../base"] },
    };
    expect(() => build(files)).toThrow("it is part of itself: base/ -> other/ -> base/");
  });

  it("that names others twice, which do likewise, has a bound", () => {
    const levels = Array.from({ length: 40 }, (_, index) => [
      index === 0 ? "base/kustomization.yaml" : `l${String(index)}/kustomization.yaml`,
      { resources: [`../l${String(index + 1)}`, `../l${String(index + 1)}/.`] },
    ]);
    const files = { ...(Object.fromEntries(levels) as Files), "l40/kustomization.yaml": { resources: [] } };
    expect(() => build(files)).toThrow("more than 1000 kustomizations are built");
  });

  it("patches fields of any name", () => {
    const patch = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"__proto__": {b: 1}\n`;
    const [built] = build({
      "base/kustomization.yaml": { resources: ["a.yaml"], patches: [{ patch }] },
      "base/a.yaml": MAP,
    });
    expect(Object.getOwnPropertyDescriptor(built, "__proto__")?.value).toEqual({ b: 1 });
  });
});
