import type { Deployment, ReplicaSet } from "@kubescaffold/k8s/apps/v1";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { initialReplicas, limits, maximalReplicas, nextScaling } from "../../../src/controllers/workload/rollout.ts";
import { deploymentOf, replicaSetOf } from "./workload-fixtures.ts";

function rolling(replicas: number, maxSurge: number | string, maxUnavailable: number | string): Deployment {
  return deploymentOf({ replicas, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } } });
}

function ready(name: string, replicas: number, availableReplicas: number = replicas): ReplicaSet {
  return replicaSetOf(name, replicas, { status: { replicas, availableReplicas } });
}

function stepsOf(
  deployment: Deployment,
  newSet: ReplicaSet,
  ...oldSets: readonly ReplicaSet[]
): Readonly<Record<string, number>> {
  const steps = nextScaling(deployment, newSet, oldSets);
  return Object.fromEntries(steps.map(({ replicaSet, replicas }) => [replicaSet.metadata.name ?? "", replicas]));
}

describe("limits", () => {
  it.each([
    [10, "25%", "25%", 3, 2],
    [1, "25%", "25%", 1, 0],
    [3, 0, 0, 0, 1],
    [3, 2, 1, 2, 1],
    [2, 1, 5, 1, 2],
    [3, "0%", "10%", 0, 1],
  ])("of %i replicas with %s and %s are %i and %i", (replicas, maxSurge, maxUnavailable, surge, unavailable) => {
    expect(limits(rolling(replicas, maxSurge, maxUnavailable))).toEqual({ surge, unavailable });
  });

  it("count for nothing where everything is recreated or nothing is wanted", () => {
    expect(maximalReplicas(deploymentOf({ replicas: 4, strategy: { type: "Recreate" } }))).toBe(4);
    expect(maximalReplicas(rolling(0, 3, 0))).toBe(0);
    expect(maximalReplicas(rolling(5, "25%", 0))).toBe(7);
  });
});

describe("initialReplicas", () => {
  it.each([
    [rolling(3, 1, 0), [], 3],
    [rolling(3, 1, 0), [ready("old", 3)], 1],
    [rolling(3, 1, 0), [ready("old", 4)], 0],
    [rolling(3, "100%", 0), [ready("old", 1)], 3],
    [deploymentOf({ strategy: { type: "Recreate" } }), [ready("old", 3)], 0],
  ])("%# leaves room for what runs", (deployment, oldSets, replicas) => {
    expect(initialReplicas(deployment, oldSets)).toBe(replicas);
  });
});

describe("nextScaling of a rolling update", () => {
  it.each<readonly [string, Deployment, readonly [ReplicaSet, ...ReplicaSet[]], Readonly<Record<string, number>>]>([
    ["scales up as far as the surge allows", rolling(3, 1, 0), [ready("new", 0), ready("old", 3)], { new: 1 }],
    ["waits until what is new is available", rolling(3, 1, 0), [ready("new", 1, 0), ready("old", 3)], {}],
    ["then takes as many down", rolling(3, 1, 0), [ready("new", 1), ready("old", 3)], { old: 2 }],
    ["takes down what may be unavailable at once", rolling(4, 0, 2), [ready("new", 0), ready("old", 4)], { old: 2 }],
    [
      "takes down what is broken first",
      rolling(3, 1, 0),
      [ready("new", 1, 0), ready("a", 3), ready("b", 2, 0)],
      { b: 0 },
    ],
    ["goes back when too many are wanted", rolling(3, 1, 0), [ready("new", 5)], { new: 3 }],
    ["does nothing at the end", rolling(3, 1, 0), [ready("new", 3), ready("old", 0)], {}],
  ])("%s", (_title, deployment, [newSet, ...oldSets], expected) => {
    expect(stepsOf(deployment, newSet, ...oldSets)).toEqual(expected);
  });

  it("comes to its end, with never too many in all and never too few available", () => {
    const start = fc.record({
      desired: fc.integer({ min: 0, max: 12 }),
      surge: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom("0%", "25%", "100%")),
      unavailable: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom("0%", "25%", "100%")),
      brokenShare: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(start, ({ desired, surge, unavailable, brokenShare }) => {
        const deployment = rolling(desired, surge, unavailable);
        const allowed = limits(deployment);
        const broken = Math.floor(desired * brokenShare);
        let sets = [ready("new", 0), ready("old", desired - broken), ready("broken", broken, 0)];
        let available = desired - broken;
        for (let round = 0; round < 60; round += 1) {
          const [newSet = ready("new", 0), ...oldSets] = sets;
          const steps = nextScaling(deployment, newSet, oldSets);
          if (
            steps.length === 0 &&
            sets.every((set) => set.metadata.name !== "new" || set.status?.availableReplicas === set.spec?.replicas)
          )
            break;
          const size = (set: ReplicaSet): number =>
            steps.find(({ replicaSet }) => replicaSet === set)?.replicas ?? set.spec?.replicas ?? 0;
          // What is scaled down goes at once; what is new becomes available a round later.
          const scaled = sets.map((set) => {
            const after = size(set);
            return ready(set.metadata.name ?? "", after, Math.min(after, set.status?.availableReplicas ?? 0));
          });
          const total = scaled.reduce((sum, set) => sum + (set.spec?.replicas ?? 0), 0);
          expect(total).toBeLessThanOrEqual(Math.max(desired + allowed.surge, desired));
          const left = scaled.reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
          expect(left).toBeGreaterThanOrEqual(Math.min(available, desired - allowed.unavailable));
          sets =
            steps.length === 0
              ? scaled.map((set) => (set.metadata.name === "new" ? ready("new", size(set)) : set))
              : scaled;
          available = sets.reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
        }
        expect(sets.map((set) => set.spec?.replicas)).toEqual([desired, 0, 0]);
      }),
    );
  });
});

describe("nextScaling of a recreation", () => {
  const deployment = deploymentOf({ replicas: 2, strategy: { type: "Recreate" } });

  it("takes everything down, waits until it has gone, then brings the new set up", () => {
    expect(stepsOf(deployment, ready("new", 0), ready("old", 2))).toEqual({ old: 0 });
    const going = replicaSetOf("old", 0, { status: { replicas: 1 } });
    expect(stepsOf(deployment, ready("new", 0), going)).toEqual({});
    const terminating = replicaSetOf("old", 0, { status: { replicas: 0, terminatingReplicas: 1 } });
    expect(stepsOf(deployment, ready("new", 0), terminating)).toEqual({});
    expect(stepsOf(deployment, ready("new", 0), ready("old", 0))).toEqual({ new: 2 });
    expect(stepsOf(deployment, ready("new", 2), ready("old", 0))).toEqual({});
  });
});
