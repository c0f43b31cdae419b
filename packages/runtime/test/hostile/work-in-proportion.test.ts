import { deepClone, goJson, printLosslessJson } from "@kubescaffold/k8s";
import {
  applyStrategicMergePatch,
  createJsonMergePatch,
  createJsonPatch,
  createStrategicMergePatch,
  deepEqual,
  type JsonObject,
} from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import * as semantic from "../../src/client/semantic.ts";
import { compileJsonPath } from "../../src/json-path/json-path.ts";
import { redactSecrets } from "../../src/observe/redact-secrets.ts";

interface Counted {
  readonly view: JsonObject;
  readonly reads: () => number;
}

/** Returns a value whose reads are counted. */
function counted(value: object): Counted {
  let reads = 0;
  const views = new WeakMap<object, object>();
  const viewOf = (part: object): object => {
    const known = views.get(part) ?? new Proxy(part, handler);
    views.set(part, known);
    return known;
  };
  const handler: ProxyHandler<object> = {
    get: (target, key) => {
      reads += 1;
      const part: unknown = Reflect.get(target, key);
      return typeof part === "object" && part !== null ? viewOf(part) : part;
    },
    ownKeys: (target) => {
      reads += 1;
      return Reflect.ownKeys(target);
    },
  };
  return { view: viewOf(value) as JsonObject, reads: () => reads };
}

function chain(levels: number): object {
  let value: unknown = 9_007_199_254_740_993n;
  for (let level = 0; level < levels; level += 2) value = [{ a: value }];
  return { spec: value };
}

const SHAPES: Readonly<Record<string, (size: number) => object>> = {
  "levels of nesting": chain,
  items: (size) => ({ spec: Array.from({ length: size }, (_, index) => ({ index })) }),
  members: (size) => ({ spec: Object.fromEntries(Array.from({ length: size }, (_, index) => [`m${index}`, [index]])) }),
};

const path = compileJsonPath("{..a}", { allowMissingKeys: true });

const FUNCTIONS: Readonly<Record<string, (left: JsonObject, right: JsonObject) => unknown>> = {
  deepClone: (left) => deepClone(left),
  deepEqual: (left, right) => deepEqual(left, right),
  printLosslessJson: (left) => printLosslessJson(left),
  goJson: (left) => goJson(left),
  createJsonMergePatch: (left, right) => createJsonMergePatch(left, right),
  createJsonPatch: (left, right) => createJsonPatch(left, right),
  redactSecrets: (left) => redactSecrets({ left, secret: { kind: "Secret", data: { a: "b" } } }),
  "semantic.deepEqual": (left, right) => semantic.deepEqual(left, right),
  "semantic.deepDerivative": (left, right) => semantic.deepDerivative(left, right),
  "a JSONPath of recursive descent": (left) => path.find(left),
};

const names = (size: number): readonly string[] => Array.from({ length: size }, (_, index) => `name${index}`);
const keyed = (size: number, member: object): readonly object[] => names(size).map((name) => ({ name, ...member }));

const KEYED_LIST = {
  schema: {
    type: "object",
    properties: {
      keyed: {
        type: "array",
        items: { type: "object" },
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-patch-merge-key": "name",
      },
      scalars: { type: "array", items: { type: "string" }, "x-kubernetes-patch-strategy": "merge" },
    },
  },
} as const;

/** Strategic merge patches, and the objects that they change. */
const PATCHES: Readonly<Record<string, (size: number) => readonly [original: object, patch: object]>> = {
  "changed items": (size) => [{ keyed: keyed(size, { a: 1 }) }, { keyed: keyed(size, { a: 2 }) }],
  "added items": (size) => [
    { keyed: keyed(10, { a: 1 }) },
    { keyed: keyed(size, {}).toReversed(), "$setElementOrder/keyed": keyed(size, {}).toReversed() },
  ],
  "deleted items": (size) => [{ keyed: keyed(size, {}) }, { keyed: keyed(size, { $patch: "delete" }) }],
  "ordered items": (size) => [
    { keyed: keyed(size, {}) },
    { "$setElementOrder/keyed": keyed(size, {}).toReversed(), keyed: [] },
  ],
  "added scalars": (size) => [{ scalars: names(size) }, { scalars: names(size).toReversed() }],
  "deleted scalars": (size) => [{ scalars: names(size) }, { "$deleteFromPrimitiveList/scalars": names(size) }],
};

describe("the work of a function that walks values grows in proportion", () => {
  const ratio = (readsOf: (size: number) => number): number => {
    const few = readsOf(2000);
    expect(few).toBeGreaterThan(2000);
    return readsOf(8000) / few;
  };

  const cases = Object.keys(FUNCTIONS).flatMap((name) => Object.keys(SHAPES).map((shape) => [name, shape] as const));
  it.each(cases)("%s, to %s", (name, shape) => {
    const readsOf = (size: number): number => {
      const make = (): object => SHAPES[shape]?.(size) ?? {};
      const [left, right] = [counted(make()), counted(make())];
      FUNCTIONS[name]?.(left.view, right.view);
      return left.reads() + right.reads();
    };
    expect(ratio(readsOf)).toBeLessThan(4.1);
  });

  it.each(Object.entries(PATCHES))("applyStrategicMergePatch, to %s", (_, make) => {
    const readsOf = (size: number): number => {
      const [original, patch] = make(size).map((value) => counted(value)) as [Counted, Counted];
      applyStrategicMergePatch(original.view, patch.view, KEYED_LIST);
      return original.reads() + patch.reads();
    };
    expect(ratio(readsOf)).toBeLessThan(4.1);
  });

  // Sorting takes a little more than its number of items.
  it.each(Object.entries(PATCHES))("createStrategicMergePatch, to the result of %s", (_, make) => {
    const readsOf = (size: number): number => {
      const [original, patch] = make(size) as [JsonObject, JsonObject];
      const views = [counted(original), counted(applyStrategicMergePatch(original, patch, KEYED_LIST))] as const;
      createStrategicMergePatch(views[0].view, views[1].view, KEYED_LIST);
      return views[0].reads() + views[1].reads();
    };
    expect(ratio(readsOf)).toBeLessThan(5);
  });
});

describe("the work of a JSONPath that multiplies values is bounded", () => {
  const list = Array.from({ length: 100 }, (_, index) => index);
  const lists = list.map(() => list);

  it.each([
    ["{..a..a..a}", chain(1600)],
    [`{.lists[${"*,".repeat(1500)}*][*]}`, { lists }],
    ["{.chains[?(@..a..a..a)]}", { chains: list.map(() => chain(1600)) }],
  ])("%s", (template, value) => {
    expect(() => compileJsonPath(template, { allowMissingKeys: true }).find(value)).toThrow(
      "cannot evaluate the JSONPath: it looks at more than 10000000 values",
    );
  });
});
