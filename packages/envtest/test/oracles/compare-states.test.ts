import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { comparableObject, type ComparedObject } from "../../src/oracles/comparable-object.ts";
import { differencesOf, NoiseMask } from "../../src/oracles/compare-states.ts";

const FACTS = {
  isCustom: false,
  describeUid: () => undefined,
  generatedNames: new Map<string, string>(),
  hideSecret: () => "<redacted>",
};

function comparable(object: ComparedObject & Readonly<Record<string, unknown>>, facts: object = {}): unknown {
  return comparableObject(object, { ...FACTS, ...facts });
}

const state = fc
  .dictionary(fc.constantFrom("pods a", "pods b", "services c"), fc.dictionary(fc.string(), fc.jsonValue()))
  .map((objects) => new Map<string, unknown>(Object.entries(objects).map(([name, object]) => [name, sorted(object)])));

function sorted(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1)));
}

describe("differencesOf", () => {
  it("finds nothing between a state and itself", () => {
    fc.assert(
      fc.property(state, (each) => {
        expect(differencesOf(each, structuredClone(each))).toEqual([]);
      }),
    );
  });

  it("finds the same places in both directions", () => {
    fc.assert(
      fc.property(state, state, (left, right) => {
        const places = (from: typeof left, to: typeof left): readonly string[] =>
          differencesOf(from, to).map(({ object, path }) => `${object} ${path}`);
        expect(places(left, right)).toEqual(places(right, left));
      }),
    );
  });

  it("finds nothing behind a mask of all differences", () => {
    fc.assert(
      fc.property(state, state, (left, right) => {
        const found = differencesOf(left, right);
        expect(new NoiseMask(found).filter(found)).toEqual([]);
      }),
    );
  });

  it("names the fields, and the objects that only one state has", () => {
    const left = new Map<string, unknown>([
      ["pods a", { spec: { replicas: 1 } }],
      ["pods b", {}],
    ]);
    const right = new Map<string, unknown>([["pods a", { spec: { replicas: 2, "x/y": true } }]]);
    expect(differencesOf(left, right)).toEqual([
      { object: "pods a", path: "spec.replicas", expected: 1, actual: 2 },
      { object: "pods a", path: 'spec["x/y"]', actual: true },
      { object: "pods b", path: "", expected: {} },
    ]);
  });
});

describe("NoiseMask", () => {
  const difference = { object: "secrets default/web", path: "data.password.old", expected: "a", actual: "b" };

  it("masks a field and what is in it, and no other", () => {
    const mask = new NoiseMask([{ object: "secrets default/web", path: "data.password" }]);
    expect(mask.filter([difference, { ...difference, path: "data.passwords" }])).toHaveLength(1);
  });

  it("ignores fields of a resource that the user names", () => {
    expect(new NoiseMask([], ["secrets:data"]).filter([difference])).toEqual([]);
    expect(new NoiseMask([], ["secrets"]).filter([difference])).toEqual([]);
    expect(new NoiseMask([], ["configmaps:data"]).filter([difference])).toEqual([difference]);
  });
});

describe("comparableObject", () => {
  const metadata = { name: "web", generation: 3 };

  it("compares conditions in any order, and without their times", () => {
    const conditions = [
      { type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
      { type: "Available", status: "True", lastTransitionTime: "2026-01-01T00:00:01Z" },
    ];
    const other = conditions.map((each) => ({ ...each, lastTransitionTime: "2027-05-01T00:00:00Z" })).toReversed();
    const custom = { isCustom: true };
    expect(comparable({ kind: "Web", metadata, status: { conditions } }, custom)).toEqual(
      comparable({ kind: "Web", metadata, status: { conditions: other } }, custom),
    );
  });

  it("compares lists as the schema of a custom resource declares them", () => {
    const schema = {
      properties: {
        spec: {
          properties: {
            set: { "x-kubernetes-list-type": "set" },
            map: { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"] },
            atomic: { "x-kubernetes-list-type": "atomic" },
          },
        },
      },
    };
    const of = (spec: object): unknown => comparable({ kind: "Web", metadata, spec }, { isCustom: true, schema });
    expect(of({ set: ["a", "b"] })).toEqual(of({ set: ["b", "a"] }));
    expect(of({ map: [{ id: 1 }, { id: 2, x: 1 }] })).toEqual(of({ map: [{ id: 2, x: 1 }, { id: 1 }] }));
    expect(of({ map: [{ id: 1 }, { id: 2, x: 1 }] })).not.toEqual(of({ map: [{ id: 2, x: 2 }, { id: 1 }] }));
    expect(of({ atomic: ["a", "b"] })).not.toEqual(of({ atomic: ["b", "a"] }));
  });

  it("states whether an observed generation is current, whatever its number is", () => {
    const of = (generation: number, observedGeneration: number): unknown =>
      comparable(
        { kind: "Web", metadata: { name: "web", generation }, status: { observedGeneration } },
        { isCustom: true },
      );
    expect(of(1, 1)).toEqual(of(7, 7));
    expect(of(2, 1)).not.toEqual(of(2, 2));
  });

  it("leaves out what the cluster gives and owns", () => {
    const service = (ip: string, uid: string): unknown =>
      comparable({
        apiVersion: "v1",
        kind: "Service",
        metadata: {
          ...metadata,
          uid,
          resourceVersion: uid,
          ownerReferences: [{ kind: "Web", name: "web", uid }],
        } as never,
        spec: { clusterIP: ip, ports: [{ port: 80, nodePort: 30_001 }] },
        status: { loadBalancer: { ingress: [{ ip }] } },
      });
    expect(service("10.0.0.1", "11111111-1111-4111-8111-111111111111")).toEqual(
      service("10.0.0.2", "22222222-2222-4222-8222-222222222222"),
    );
  });

  it("distinguishes a headless Service from one with an address", () => {
    const service = (clusterIP: string): unknown =>
      comparable({ apiVersion: "v1", kind: "Service", metadata, spec: { clusterIP } });
    expect(service("None")).not.toEqual(service("10.0.0.1"));
  });

  it("hides the values of a Secret", () => {
    const secret = comparable({ apiVersion: "v1", kind: "Secret", metadata, data: { password: "aHVudGVyMg==" } });
    expect(JSON.stringify(secret)).not.toContain("aHVudGVyMg");
  });

  it("names generated objects by their prefix, also where other objects name them", () => {
    const referring = (name: string): unknown =>
      comparable(
        { kind: "Web", metadata, spec: { token: `${name}:1` } },
        { generatedNames: new Map([[name, "token-*"]]) },
      );
    expect(referring("token-x7k2p")).toEqual(referring("token-99999"));
    const of = (name: string): unknown => comparable({ kind: "Pod", metadata: { name, generateName: "web-" } });
    expect(of("web-x7k2p")).toEqual(of("web-99999"));
  });
});
