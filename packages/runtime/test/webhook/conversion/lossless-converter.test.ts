import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { defineSchema, type JsonSchema } from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import { ConversionRegistry } from "../../../src/webhook/conversion-registry.ts";
import { losslessConverter } from "../../../src/webhook/conversion/lossless-converter.ts";

const DATA = "conversion.kubescaffold.dev/";

interface Port {
  readonly name: string;
  readonly number?: number;
  readonly protocol?: string;
}

interface Old extends KubernetesObject {
  readonly spec: {
    readonly target?: string;
    readonly ports?: readonly Port[];
    readonly rules?: readonly { readonly host: string }[];
    readonly legacy?: string;
  };
}

interface Hub extends KubernetesObject {
  readonly spec: {
    readonly host?: string;
    readonly port?: number;
    readonly ports?: readonly Port[];
    readonly rules?: readonly { readonly host: string; readonly weight?: number }[];
    readonly limits?: { readonly connections?: number; readonly ratio?: number };
  };
}

const TEXT: JsonSchema = { type: "string" };
const NUMBER: JsonSchema = { type: "integer", maximum: 65_535 };
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ type: "object", properties });
const list = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "array", items, ...more });
const KEYED: JsonSchema = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };

const schemaOf = <T>(spec: JsonSchema) =>
  defineSchema<T>({ scope: "Namespaced" }, () =>
    object({ apiVersion: TEXT, kind: TEXT, metadata: { type: "object" }, spec }),
  );

const OLD = {
  group: "demo",
  version: "v1alpha1",
  kind: "Relay",
  schema: schemaOf<Old>(
    object({
      target: TEXT,
      ports: list(object({ name: TEXT, number: NUMBER }), KEYED),
      rules: list(object({ host: TEXT })),
      legacy: TEXT,
    }),
  ),
};

const HUB = {
  group: "demo",
  version: "v1",
  kind: "Relay",
  schema: schemaOf<Hub>(
    object({
      host: TEXT,
      port: NUMBER,
      ports: list(object({ name: TEXT, number: NUMBER, protocol: TEXT }), KEYED),
      rules: list(object({ host: TEXT, weight: NUMBER })),
      limits: object({ connections: NUMBER, ratio: NUMBER }),
    }),
  ),
};

// The converter passes fields on that the other version lacks; servers prune them, and so must the comparison.
const registry = new ConversionRegistry();
registry.register(HUB, [
  losslessConverter<Hub, Old>({
    hub: HUB,
    spoke: OLD,
    toHub: ({ metadata, spec: { target, legacy: _legacy, ...others } }) => {
      if (target === "invalid") throw new Error("spec.target: invalid");
      const [host, port] = target?.split(":") ?? [];
      return {
        metadata,
        spec: { ...others, host, port: port === undefined ? undefined : Number(port) },
      } as Hub;
    },
    fromHub: ({ metadata, spec: { host, port, limits: _limits, ...others } }) =>
      ({
        metadata,
        spec: { ...others, target: host === undefined ? undefined : `${host}:${String(port ?? 80)}` },
      }) as Old,
  }),
]);

const hub = (spec: Hub["spec"], annotations?: Readonly<Record<string, string>>): KubernetesObject =>
  ({
    apiVersion: "demo/v1",
    kind: "Relay",
    metadata: { name: "a", ...(annotations && { annotations }) },
    spec,
  }) as never;
const old = (spec: Old["spec"], annotations?: Readonly<Record<string, string>>): KubernetesObject =>
  ({
    apiVersion: "demo/v1alpha1",
    kind: "Relay",
    metadata: { name: "a", ...(annotations && { annotations }) },
    spec,
  }) as never;

const toOld = (given: KubernetesObject): Old => registry.convert(given, "demo/v1alpha1") as Old;
const toHub = (given: KubernetesObject): Hub => registry.convert(given, "demo/v1") as Hub;
const dataOf = ({ metadata }: KubernetesObject, version: string): unknown => {
  const text = metadata.annotations?.[DATA + version];
  return text === undefined ? undefined : JSON.parse(text);
};

describe("a lossless converter", () => {
  it("stores only the fields that the other version cannot express, and restores them", () => {
    const original = hub({ host: "db", port: 1, limits: { connections: 9 } }, { mine: "1" });
    const spoke = toOld(original);
    expect(spoke.spec).toEqual({ target: "db:1" });
    expect(dataOf(spoke, "v1")).toEqual([{ path: ["spec", "limits"], is: { connections: 9 } }]);
    expect(toHub(spoke)).toEqual(original);
  });

  it("stores nothing where nothing is lost", () => {
    const original = hub({ host: "db", port: 1, ports: [{ name: "a", number: 1 }] });
    expect(toOld(original).metadata).toEqual({ name: "a" });
    expect(toHub(toOld(original))).toEqual(original);
  });

  it("keeps fields of the spoke that the hub lacks, through the hub", () => {
    const original = old({ target: "db:1", legacy: "x" });
    const stored = toHub(original);
    expect(dataOf(stored, "v1alpha1")).toEqual([{ path: ["spec", "legacy"], is: "x" }]);
    expect(toOld(stored)).toEqual(original);
    const changed = { ...stored, spec: { ...stored.spec, port: 2 } };
    expect(toOld(changed).spec).toEqual({ target: "db:2", legacy: "x" });
  });

  it("restores a value that is expressed only approximately, unless it was changed", () => {
    const spoke = toOld(hub({ host: "db" }));
    expect(dataOf(spoke, "v1")).toEqual([{ path: ["spec", "port"], was: 80 }]);
    expect(toHub(spoke).spec).toEqual({ host: "db" });
    expect(toHub({ ...spoke, spec: { target: "db:443" } } as Old).spec).toEqual({ host: "db", port: 443 });
  });

  it("restores items of lists by key, by value, and by position", () => {
    const original = hub({
      ports: [
        { name: "a", number: 1, protocol: "TCP" },
        { name: "b", number: 2, protocol: "UDP" },
      ],
      rules: [
        { host: "x", weight: 1 },
        { host: "y", weight: 2 },
      ],
    });
    const spoke = toOld(original);
    expect(toHub(spoke)).toEqual(original);
    const reordered = {
      ...spoke,
      spec: { ports: [{ name: "b", number: 3 }, { name: "c" }], rules: [{ host: "y" }, { host: "z" }] },
    } as Old;
    expect(toHub(reordered).spec).toEqual({
      ports: [{ name: "b", number: 3, protocol: "UDP" }, { name: "c" }],
      // "z" has the position of "y", which has its own weight.
      rules: [{ host: "y", weight: 2 }, { host: "z" }],
    });
    const changed = { ...spoke, spec: { ...spoke.spec, rules: [{ host: "z" }, { host: "y" }] } } as Old;
    expect(toHub(changed).spec.rules).toEqual([
      { host: "z", weight: 1 },
      { host: "y", weight: 2 },
    ]);
    const shorter = { ...spoke, spec: { ...spoke.spec, rules: [{ host: "y" }] } } as Old;
    expect(toHub(shorter).spec.rules).toEqual([{ host: "y", weight: 2 }]);
  });

  it("restores a field of an object that is gone, next to those that clients see", () => {
    const text = JSON.stringify([{ path: ["spec", "limits", "ratio"], is: 3 }]);
    expect(toHub(old({}, { [`${DATA}v1`]: text })).spec).toEqual({ limits: { ratio: 3 } });
  });

  it("adds fields to an object that was absent after the round trip, and is there now", () => {
    const text = JSON.stringify([{ path: ["spec", "limits"], is: { ratio: 3, connections: 1 } }]);
    const registered = losslessConverter<Hub, Old>({
      hub: HUB,
      spoke: OLD,
      toHub: ({ metadata }) => ({ metadata, spec: { limits: { connections: 2 } } }) as Hub,
      fromHub: ({ metadata }) => ({ metadata, spec: {} }) as Old,
    });
    const spoke = old({}, { [`${DATA}v1`]: text }) as Old;
    expect(registered.convertTo(spoke).spec).toEqual({ limits: { connections: 2, ratio: 3 } });
  });

  it.each([
    ["no JSON", "{"],
    ["another form", '{"path":["spec"]}'],
    ["no path", '[{"path":[],"is":{}}]'],
    ["a path of numbers", '[{"path":["spec",0],"is":1}]'],
    ["metadata", '[{"path":["metadata","finalizers"],"is":["x"]}]'],
    ["a prototype", '[{"path":["__proto__","polluted"],"is":true}]'],
    ["values of another type", '[{"path":["spec","limits","connections"],"is":"many"}]'],
    ["values that the schema refuses", '[{"path":["spec","limits","connections"],"is":65536}]'],
    ["unknown fields", '[{"path":["spec","unknown"],"is":1}]'],
  ])("ignores data with %s", (_name, text) => {
    const restored = toHub(old({ target: "db:1" }, { [`${DATA}v1`]: text }));
    expect(restored.spec).toEqual({ host: "db", port: 1 });
    expect(restored.metadata).toEqual({ name: "a" });
    expect(({} as { readonly polluted?: boolean }).polluted).toBeUndefined();
  });

  it("applies the changes that fit beside one that the schema refuses", () => {
    const text = JSON.stringify([
      { path: ["spec", "limits", "connections"], is: 65_536 },
      { path: ["spec", "limits", "ratio"], is: 2 },
    ]);
    expect(toHub(old({}, { [`${DATA}v1`]: text })).spec.limits).toEqual({ ratio: 2 });
  });

  it("leaves the data of other versions alone", () => {
    const other = { [`${DATA}v1beta1`]: "[]" };
    expect(toHub(old({}, other)).metadata.annotations).toEqual(other);
    expect(toOld(hub({}, other)).metadata.annotations).toEqual(other);
  });

  it("reads an object whose conversion back fails", () => {
    const spoke = toOld({ ...hub({ host: "invalid" }), spec: {} } as never);
    expect(spoke.spec).toEqual({});
    const lossy = losslessConverter<Hub, Old>({
      hub: HUB,
      spoke: OLD,
      toHub: () => {
        throw new Error("spec.target: invalid");
      },
      fromHub: ({ metadata }) => ({ metadata, spec: { target: "invalid" } }) as Old,
    });
    expect(lossy.convertFrom(hub({ host: "x" }) as Hub).spec).toEqual({ target: "invalid" });
    expect(() => lossy.convertTo(old({ target: "invalid" }) as Old)).toThrow("spec.target: invalid");
  });

  it("keeps integers that no number holds", () => {
    const exact = defineSchema<KubernetesObject>({ scope: "Namespaced" }, () =>
      object({ apiVersion: TEXT, kind: TEXT, metadata: { type: "object" }, spec: object({ id: { type: "integer" } }) }),
    );
    const none = schemaOf<KubernetesObject>(object({}));
    const converter = losslessConverter<KubernetesObject, KubernetesObject>({
      hub: { ...HUB, schema: exact },
      spoke: { ...OLD, schema: none },
      toHub: ({ metadata }) => ({ metadata, spec: {} }) as never,
      fromHub: ({ metadata }) => ({ metadata, spec: {} }) as never,
    });
    const original = { metadata: { name: "a" }, spec: { id: 9_007_199_254_740_993n } } as never;
    expect(converter.convertTo(converter.convertFrom(original))).toEqual(original);
  });

  it("keeps values of as many levels as servers store", () => {
    const open = { "x-kubernetes-preserve-unknown-fields": true } as const;
    const deep = defineSchema<KubernetesObject>({ scope: "Namespaced" }, () =>
      object({ apiVersion: TEXT, kind: TEXT, metadata: { type: "object" }, spec: { type: "object", ...open } }),
    );
    const converter = losslessConverter<KubernetesObject, KubernetesObject>({
      hub: { ...HUB, schema: deep },
      spoke: { ...OLD, schema: deep },
      toHub: ({ metadata }) => ({ metadata, spec: { other: true } }) as never,
      fromHub: ({ metadata }) => ({ metadata, spec: {} }) as never,
    });
    let spec: object = {};
    for (let level = 0; level < 9000; level += 1) spec = { a: spec };
    const spoke = converter.convertFrom({ metadata: { name: "a" }, spec } as never);
    expect(spoke.metadata.annotations?.[`${DATA}v1`]?.length).toBeGreaterThan(9000);
    const { spec: back } = converter.convertTo(spoke) as never as { readonly spec: object };
    expect(Object.keys(back)).toEqual(["a"]);
  });
});
