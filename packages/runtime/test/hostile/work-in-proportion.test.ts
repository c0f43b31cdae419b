import { deepClone, goJson, printLosslessJson } from "@kubescaffold/k8s";
import { createJsonMergePatch, createJsonPatch, deepEqual, type JsonObject } from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import * as semantic from "../../src/controllerutil/semantic.ts";
import { compileJsonPath } from "../../src/json-path/json-path.ts";
import { redactSecrets } from "../../src/observe/redact-secrets.ts";

/** Returns a value whose reads are counted. */
function counted(value: object): { readonly view: JsonObject; readonly reads: () => number } {
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

describe("the work of a function that walks values grows in proportion", () => {
  const cases = Object.keys(FUNCTIONS).flatMap((name) => Object.keys(SHAPES).map((shape) => [name, shape] as const));
  it.each(cases)("%s, to %s", (name, shape) => {
    const readsOf = (size: number): number => {
      const make = (): object => SHAPES[shape]?.(size) ?? {};
      const [left, right] = [counted(make()), counted(make())];
      FUNCTIONS[name]?.(left.view, right.view);
      return left.reads() + right.reads();
    };
    const few = readsOf(2000);
    expect(few).toBeGreaterThan(2000);
    expect(readsOf(8000) / few).toBeLessThan(4.1);
  });
});
