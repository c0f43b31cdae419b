import { RECURSIVE_LEVELS } from "@kubescaffold/k8s";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type DeepCalls, runDeep } from "../../src/json/deep-calls.ts";

interface Tree {
  readonly leaf: number;
  readonly parts: readonly Tree[];
}

function treeOf(levels: number): fc.Arbitrary<Tree> {
  const parts = levels === 0 ? fc.constant([]) : fc.array(treeOf(levels - 1), { maxLength: 3 });
  return fc.record({ leaf: fc.nat(9), parts });
}

const tree = treeOf(3);

const LEVELS = [0, 1, RECURSIVE_LEVELS - 1, RECURSIVE_LEVELS, RECURSIVE_LEVELS + 1, 3 * RECURSIVE_LEVELS, 20_000];

/** Nests a tree in others, with parts before and after it. */
function nested(inner: Tree, levels: number): Tree {
  let whole = inner;
  for (let level = 0; level < levels; level += 1) {
    whole = {
      leaf: level % 7,
      parts: level % 3 === 0 ? [{ leaf: 1, parts: [] }, whole, { leaf: 2, parts: [] }] : [whole],
    };
  }
  return whole;
}

const deep = fc.record({ inner: tree, levels: fc.constantFrom(...LEVELS) });

function nodesOf(root: Tree): readonly Tree[] {
  const nodes = [root];
  for (const node of nodes) for (const part of node.parts) nodes.push(part);
  return nodes;
}

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as Error).message;
  }
}

describe("a function that calls itself", () => {
  it("gets the results of its calls at any number of levels, and runs at most twice for a part", () => {
    fc.assert(
      fc.property(deep, ({ inner, levels }) => {
        const root = nested(inner, levels);
        let runs = 0;
        const run = ({ leaf, parts }: Tree, calls: DeepCalls<Tree, number>): number => {
          runs += 1;
          return parts.reduce((sum, part, index) => (sum * 3 + calls.call(part) * (index + 1)) % 1_000_003, leaf);
        };
        const known = new Map<Tree, number>();
        const nodes = nodesOf(root);
        for (const node of nodes.toReversed()) {
          const value = node.parts.reduce(
            (sum, part, index) => (sum * 3 + (known.get(part) ?? 0) * (index + 1)) % 1_000_003,
            node.leaf,
          );
          known.set(node, value);
        }
        expect(runDeep(root, { run, placeholder: -1 })).toBe(known.get(root));
        expect(runs).toBeLessThanOrEqual(2 * nodes.length);
      }),
      { numRuns: 60 },
    );
  });

  it("may stop at a result", () => {
    fc.assert(
      fc.property(deep, ({ inner, levels }) => {
        const root = nested(inner, levels);
        const run = ({ leaf, parts }: Tree, calls: DeepCalls<Tree, boolean>): boolean =>
          leaf === 9 || parts.some((part) => calls.call(part));
        expect(runDeep(root, { run, placeholder: false })).toBe(nodesOf(root).some(({ leaf }) => leaf === 9));
        expect(runDeep(root, { run, placeholder: true })).toBe(nodesOf(root).some(({ leaf }) => leaf === 9));
      }),
      { numRuns: 60 },
    );
  });

  it("throws its first error", () => {
    fc.assert(
      fc.property(deep, ({ inner, levels }) => {
        const root = nested(inner, levels);
        const run = ({ leaf, parts }: Tree, calls: DeepCalls<Tree, number>): number => {
          const results = parts.map((part) => calls.call(part));
          if (leaf === 8) throw new Error(`after ${String(results.length)}`);
          return results.length;
        };
        const open: { readonly node: Tree; readonly isLeft: boolean }[] = [{ node: root, isLeft: false }];
        let first: string | undefined;
        for (let top = open.pop(); top !== undefined && first === undefined; top = open.pop()) {
          if (top.isLeft) first = top.node.leaf === 8 ? `after ${String(top.node.parts.length)}` : undefined;
          else {
            open.push({ node: top.node, isLeft: true });
            for (const part of top.node.parts.toReversed()) open.push({ node: part, isLeft: false });
          }
        }
        const work = (): unknown => runDeep(root, { run, placeholder: 0 });
        expect(outcomeOf(work)).toBe(first ?? root.parts.length);
      }),
      { numRuns: 60 },
    );
  });
});
