/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

import { Deployment, type DeploymentStatus } from "@kubescaffold/k8s/apps/v1";
import { describe, expect, it } from "vitest";

import { deploymentStates, failedStates, withStates } from "./conditions.ts";

const SEEN = { observedGeneration: 3, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };

function statesWith(status: DeploymentStatus): Readonly<Record<string, string>> {
  const template = { metadata: {}, spec: { containers: [] } };
  const deployment = Deployment.create({
    metadata: { name: "a", generation: 3 },
    spec: { replicas: 2, selector: {}, template },
  });
  const states = deploymentStates({ ...deployment, status });
  return Object.fromEntries(states.map(({ type, status: state, reason }) => [type, `${state} ${reason}`]));
}

function condition(type: string, status: string, reason: string): NonNullable<DeploymentStatus["conditions"]>[number] {
  return { type, status, reason };
}

describe("the conditions of an object with a Deployment", () => {
  it("are unknown and progressing before the Deployment has a status", () => {
    expect(statesWith({})).toEqual({
      Available: "Unknown Reconciling",
      Progressing: "True Reconciling",
      Degraded: "False AsExpected",
    });
  });

  it("are available and complete when all Pods are", () => {
    const conditions = [condition("Available", "True", "MinimumReplicasAvailable")];
    expect(statesWith({ ...SEEN, conditions })).toEqual({
      Available: "True MinimumReplicasAvailable",
      Progressing: "False RolloutComplete",
      Degraded: "False AsExpected",
    });
  });

  it.each([
    ["the last change is not observed yet", { observedGeneration: 2 }],
    ["Pods are outdated", { updatedReplicas: 1 }],
    ["old Pods still exist", { replicas: 3 }],
    ["Pods are not available yet", { availableReplicas: 1 }],
  ])("stay available and are progressing while %s", (_, change) => {
    const conditions = [condition("Available", "True", "MinimumReplicasAvailable")];
    expect(statesWith({ ...SEEN, ...change, conditions })).toMatchObject({
      Available: "True MinimumReplicasAvailable",
      Progressing: "True Reconciling",
    });
  });

  it.each([
    ["Pods cannot be created", condition("ReplicaFailure", "True", "FailedCreate")],
    ["Pods do not become available in time", condition("Progressing", "False", "ProgressDeadlineExceeded")],
  ])("are degraded when %s", (_, reason) => {
    const conditions = [condition("Available", "False", "MinimumReplicasUnavailable"), reason];
    expect(statesWith({ ...SEEN, availableReplicas: 0, conditions })).toEqual({
      Available: "False MinimumReplicasUnavailable",
      Progressing: "False RolloutStalled",
      Degraded: "True RolloutStalled",
    });
  });

  it("keep their transition time if the status is unchanged, and conditions of other controllers", () => {
    const [early, late] = [new Date("2026-01-01T00:00:00.123Z"), new Date("2026-01-02T00:00:00Z")];
    const others = [{ ...condition("Theirs", "True", "Set"), message: "", lastTransitionTime: "2025-01-01T00:00:00Z" }];
    const theirs = others.map((each) => ({ ...each, reason: "Set", status: "True" as const }));
    const failed = withStates(theirs, failedStates(new Error("no quota")), { observedGeneration: 1, now: early });
    expect(failed).toEqual([
      ...theirs,
      {
        type: "Degraded",
        status: "True",
        reason: "ReconcileFailed",
        message: "no quota",
        observedGeneration: 1,
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ]);
    const again = withStates(failed, failedStates("no quota again"), { observedGeneration: 2, now: late });
    expect(again[1]).toMatchObject({ message: "no quota again", lastTransitionTime: "2026-01-01T00:00:00Z" });
    const state = { type: "Degraded", status: "False", reason: "AsExpected", message: "" } as const;
    const recovered = withStates(again, [state], { observedGeneration: 2, now: late });
    expect(recovered[1]).toMatchObject({ status: "False", lastTransitionTime: "2026-01-02T00:00:00Z" });
  });
});
