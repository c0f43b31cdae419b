import type { Pod } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import { replicaSetStatus } from "../../../src/controllers/workload/replica-set-controller.ts";
import { replicaSetOf } from "./workload-fixtures.ts";

const NOW = "2026-01-01T00:00:00Z";

function podOf(status: object, metadata: object = {}): Pod {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p", ...metadata }, status };
}

const READY = podOf({ phase: "Running", conditions: [{ type: "Ready", status: "True" }] });

describe("replicaSetStatus", () => {
  it("counts pods that live, those of them that are ready, and those that go", () => {
    const pods = [
      READY,
      podOf({ phase: "Pending" }),
      podOf({ phase: "Failed" }),
      podOf({ phase: "Running", conditions: READY.status?.conditions }, { deletionTimestamp: NOW }),
    ];
    expect(replicaSetStatus(replicaSetOf("s", 3), { pods, now: Date.parse(NOW) })).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
      terminatingReplicas: 1,
      observedGeneration: 0,
    });
    const none = replicaSetStatus(replicaSetOf("s", 0), { pods: [], now: Date.parse(NOW) });
    expect(none).toEqual({ replicas: 0, terminatingReplicas: 0, observedGeneration: 0 });
  });

  it("notes a failure with the time when it began, until it is over", () => {
    const failure = { reason: "FailedCreate", message: "no" };
    const status = replicaSetStatus(replicaSetOf("s", 1), { pods: [], now: Date.parse(NOW), failure });
    expect(status.conditions).toEqual([
      { type: "ReplicaFailure", status: "True", lastTransitionTime: NOW, ...failure },
    ]);
    const failing = replicaSetOf("s", 1, { status });
    expect(replicaSetStatus(failing, { pods: [], now: Date.parse("2026-01-01T00:01:00Z"), failure })).toEqual(status);
    expect(replicaSetStatus(failing, { pods: [READY], now: Date.parse(NOW) })).not.toHaveProperty("conditions");
  });
});
