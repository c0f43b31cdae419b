import type { Deployment, ReplicaSet } from "@kubescaffold/k8s/apps/v1";
import { describe, expect, it } from "vitest";

import { isScalingEvent, scalingSteps } from "../../../src/controllers/workload/proportional-scaling.ts";
import { deploymentOf, replicaSetOf } from "./workload-fixtures.ts";

function setOf(name: string, replicas: number, desired: number, available: number = replicas): ReplicaSet {
  const annotations = {
    "deployment.kubernetes.io/desired-replicas": String(desired),
    "deployment.kubernetes.io/max-replicas": String(desired + 3),
  };
  return replicaSetOf(name, replicas, { annotations, status: { replicas, availableReplicas: available } });
}

function rolling(replicas: number): Deployment {
  return deploymentOf({
    replicas,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } },
  });
}

function stepsOf(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  ...oldSets: readonly ReplicaSet[]
): Readonly<Record<string, number>> {
  const steps = scalingSteps(deployment, newSet, oldSets);
  return Object.fromEntries(steps.map(({ replicaSet, replicas }) => [replicaSet.metadata.name ?? "", replicas]));
}

describe("isScalingEvent", () => {
  it("looks at the active sets alone", () => {
    expect(isScalingEvent(rolling(10), [setOf("a", 10, 10)])).toBe(false);
    expect(isScalingEvent(rolling(12), [setOf("a", 10, 10)])).toBe(true);
    expect(isScalingEvent(rolling(12), [setOf("a", 0, 10), replicaSetOf("b", 1)])).toBe(false);
  });
});

describe("scalingSteps", () => {
  it("gives all to the only active set, or to the new one when none is", () => {
    expect(stepsOf(rolling(5), setOf("new", 3, 3), setOf("old", 0, 3))).toEqual({ new: 5 });
    expect(stepsOf(rolling(5), undefined, setOf("old", 3, 3))).toEqual({ old: 5 });
    expect(stepsOf(rolling(5), setOf("new", 0, 3), setOf("old", 0, 3))).toEqual({ new: 5 });
    expect(stepsOf(rolling(5), setOf("new", 5, 5))).toEqual({});
  });

  it("takes old sets down once the new one has all that it should", () => {
    expect(stepsOf(rolling(5), setOf("new", 5, 5), setOf("old", 2, 5))).toEqual({ old: 0 });
  });

  it("spreads what is added over the sets by their sizes, up to the surge", () => {
    // Ten replicas and a surge of three became fifteen in the middle of a rollout: 8 and 5 of 13 become 11 and 7 of 18.
    expect(stepsOf(rolling(15), setOf("new", 5, 10, 0), setOf("old", 8, 10))).toEqual({ new: 7, old: 11 });
  });

  it("removes by the same measure", () => {
    expect(stepsOf(rolling(5), setOf("new", 5, 10, 0), setOf("old", 8, 10))).toEqual({ new: 3, old: 5 });
    expect(stepsOf(rolling(0), setOf("new", 5, 10, 0), setOf("old", 8, 10))).toEqual({ new: 0, old: 0 });
  });
});
