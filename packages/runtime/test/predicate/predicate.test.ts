import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import {
  and,
  annotationChanged,
  funcs,
  generationChanged,
  labelChanged,
  labelSelector,
  not,
  ofObject,
  or,
  resourceVersionChanged,
  type Predicate,
} from "../../src/predicate/predicate.ts";
import { storedWidget, widget } from "../support/fake-server.ts";

function verdicts(predicate: Predicate, oldMeta: ObjectMeta, newMeta: ObjectMeta): readonly boolean[] {
  const objectOld = storedWidget("a", oldMeta);
  const objectNew = storedWidget("a", newMeta);
  return [
    predicate.create({ object: objectNew, isInInitialList: false }),
    predicate.update({ objectOld, objectNew }),
    predicate.delete({ object: objectNew, deleteStateUnknown: false }),
    predicate.generic({ object: objectNew }),
  ];
}

const ALL = [true, true, true, true];
const NO_UPDATE = [true, false, true, true];
const NONE = [false, false, false, false];

describe("predicates", () => {
  it.each([
    ["resourceVersionChanged", resourceVersionChanged, { resourceVersion: "1" }, { resourceVersion: "2" }, ALL],
    ["resourceVersionChanged", resourceVersionChanged, { resourceVersion: "1" }, { resourceVersion: "1" }, NO_UPDATE],
    ["generationChanged", generationChanged, { generation: 1 }, { generation: 2 }, ALL],
    ["generationChanged", generationChanged, { generation: 1 }, { generation: 1, resourceVersion: "9" }, NO_UPDATE],
    ["generationChanged", generationChanged, { resourceVersion: "1" }, { resourceVersion: "2" }, NO_UPDATE],
    ["annotationChanged", annotationChanged, { annotations: { a: "1" } }, { annotations: { a: "2" } }, ALL],
    ["annotationChanged", annotationChanged, { annotations: { a: "1" } }, { annotations: { a: "1" } }, NO_UPDATE],
    ["annotationChanged", annotationChanged, {}, { annotations: {} }, NO_UPDATE],
    ["labelChanged", labelChanged, { labels: { a: "1" } }, { labels: { a: "1", b: "1" } }, ALL],
    ["labelChanged", labelChanged, { labels: { a: "1", b: "1" } }, { labels: { b: "1", a: "1" } }, NO_UPDATE],
    ["labelSelector", labelSelector({ matchLabels: { a: "1" } }), {}, { labels: { a: "1" } }, ALL],
    ["labelSelector", labelSelector({ matchLabels: { a: "1" } }), { labels: { a: "1" } }, {}, NONE],
    ["ofObject", ofObject(({ metadata }) => metadata.generation === 1), {}, { generation: 1 }, ALL],
    ["ofObject", ofObject(({ metadata }) => metadata.generation === 1), { generation: 1 }, {}, NONE],
    ["funcs without functions", funcs({}), {}, {}, ALL],
    ["funcs", funcs({ update: () => false }), {}, {}, NO_UPDATE],
    ["not", not(funcs({ update: () => false })), {}, {}, [false, true, false, false]],
    ["and", and(funcs({ update: () => false }), funcs({})), {}, {}, NO_UPDATE],
    ["or", or(funcs({ update: () => false }), funcs({})), {}, {}, ALL],
    ["and of nothing", and(), {}, {}, ALL],
    ["or of nothing", or(), {}, {}, NONE],
  ] as const)("row 74: %s decides as upstream's", (_, predicate, oldMeta, newMeta, expected) => {
    expect(verdicts(predicate, oldMeta, newMeta)).toEqual(expected);
  });

  it("row 74: and stops at the first that refuses, or at the first that agrees", () => {
    const asked: string[] = [];
    const say = (name: string, verdict: boolean): Predicate =>
      ofObject(() => {
        asked.push(name);
        return verdict;
      });
    and(say("a", false), say("b", true)).generic({ object: widget("x") });
    or(say("c", true), say("d", false)).generic({ object: widget("x") });
    expect(asked).toEqual(["a", "c"]);
  });
});
