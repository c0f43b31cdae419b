import type { Deployment, DeploymentCondition, DeploymentStatus } from "@kubescaffold/k8s/apps/v1";
import { describe, expect, it } from "vitest";

import {
  deploymentStatus,
  untilDeadlineMs,
  type DeploymentObservation,
} from "../../../src/controllers/workload/deployment-status.ts";
import { deploymentOf, replicaSetOf } from "./workload-fixtures.ts";

const START = Date.UTC(2026, 0, 1);
const LIMITED = {
  replicas: 2,
  progressDeadlineSeconds: 60,
  strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
};

function setWith(ready: number, replicas = 2): ReturnType<typeof replicaSetOf> {
  return replicaSetOf("web-1", 2, { status: { replicas, readyReplicas: ready, availableReplicas: ready } });
}

function observe(ready: number, atSeconds: number, more: Partial<DeploymentObservation> = {}): DeploymentObservation {
  const newSet = setWith(ready);
  return { newSet, sets: [newSet], nowMs: START + atSeconds * 1000, isRollout: true, ...more };
}

function deploymentWith(status?: DeploymentStatus, spec: object = {}): Deployment {
  return deploymentOf(
    { ...LIMITED, ...spec },
    { metadata: { generation: 4 }, ...(status === undefined ? {} : { status }) },
  );
}

function conditionOf({ conditions = [] }: DeploymentStatus, type: string): DeploymentCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

describe("deploymentStatus", () => {
  it("adds the sets up and leaves counters out at zero", () => {
    const old = replicaSetOf("old", 1, {
      status: { replicas: 1, readyReplicas: 1, availableReplicas: 1, terminatingReplicas: 2 },
    });
    const newSet = setWith(0);
    expect(deploymentStatus(deploymentWith(), observe(0, 0, { newSet, sets: [newSet, old] }))).toMatchObject({
      observedGeneration: 4,
      replicas: 3,
      updatedReplicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
      unavailableReplicas: 2,
      terminatingReplicas: 2,
    });
    const none = deploymentStatus(deploymentWith(), { newSet: undefined, sets: [], nowMs: START, isRollout: true });
    expect(Object.keys(none)).toEqual(["observedGeneration", "terminatingReplicas", "conditions"]);
  });

  it("progresses, then completes; times change with the status of a condition", () => {
    const first = deploymentStatus(deploymentWith(), observe(0, 0));
    expect(conditionOf(first, "Available")).toMatchObject({ status: "False", reason: "MinimumReplicasUnavailable" });
    expect(conditionOf(first, "Progressing")).toMatchObject({
      status: "True",
      reason: "ReplicaSetUpdated",
      message: 'ReplicaSet "web-1" is progressing.',
    });
    const second = deploymentStatus(deploymentWith(first), observe(1, 10));
    expect(conditionOf(second, "Progressing")).toMatchObject({
      lastUpdateTime: "2026-01-01T00:00:10Z",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    });
    const third = deploymentStatus(deploymentWith(second), observe(2, 20));
    expect(conditionOf(third, "Available")).toMatchObject({
      status: "True",
      lastTransitionTime: "2026-01-01T00:00:20Z",
    });
    expect(conditionOf(third, "Progressing")).toMatchObject({
      reason: "NewReplicaSetAvailable",
      message: 'ReplicaSet "web-1" has successfully progressed.',
      lastTransitionTime: "2026-01-01T00:00:00Z",
    });
    expect(deploymentStatus(deploymentWith(third), observe(2, 99))).toEqual(third);
  });

  it("misses its deadline a minute after the last progress, and not before", () => {
    const first = deploymentStatus(deploymentWith(), observe(1, 0));
    expect(untilDeadlineMs(deploymentWith(first), first, START)).toBe(61_000);
    expect(deploymentStatus(deploymentWith(first), observe(1, 60))).toEqual(first);
    const late = deploymentStatus(deploymentWith(first), observe(1, 61));
    expect(conditionOf(late, "Progressing")).toMatchObject({
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: 'ReplicaSet "web-1" has timed out progressing.',
    });
    expect(untilDeadlineMs(deploymentWith(late), late, START)).toBeUndefined();
    const recovered = deploymentStatus(deploymentWith(late), observe(2, 90));
    expect(conditionOf(recovered, "Progressing")).toMatchObject({ status: "True", reason: "NewReplicaSetAvailable" });
  });

  it("says that it is paused and resumed, and judges no progress in between", () => {
    const done = deploymentStatus(deploymentWith(), observe(2, 0));
    const paused = deploymentStatus(deploymentWith(done, { paused: true }), observe(2, 5, { isRollout: false }));
    expect(conditionOf(paused, "Progressing")).toMatchObject({ status: "Unknown", reason: "DeploymentPaused" });
    const resumed = deploymentStatus(deploymentWith(paused), observe(1, 9, { isRollout: false }));
    expect(conditionOf(resumed, "Progressing")).toMatchObject({ status: "Unknown", reason: "DeploymentResumed" });
  });

  it("has no progress without a deadline, and repeats that pods cannot be made", () => {
    const conditions = [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "no" }] as const;
    const newSet = replicaSetOf("web-1", 2, { status: { replicas: 0, conditions: [...conditions] } });
    const { progressDeadlineSeconds: _, ...unlimited } = LIMITED;
    const status = deploymentStatus(deploymentOf(unlimited), observe(0, 0, { newSet, sets: [newSet] }));
    expect(conditionOf(status, "Progressing")).toBeUndefined();
    expect(conditionOf(status, "ReplicaFailure")).toMatchObject(conditions[0]);
    const after = deploymentStatus(deploymentOf(unlimited, { status }), observe(2, 9));
    expect(conditionOf(after, "ReplicaFailure")).toBeUndefined();
  });
});
