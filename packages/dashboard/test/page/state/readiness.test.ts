import { describe, expect, it } from "vitest";

import { conditionTone, readinessOf } from "../../../src/page/state/readiness.ts";

const condition = (type: string, status = "True") => ({ type, status });

describe("the health of an object", () => {
  it.each([
    ["that is deleted", { deletedAt: 1, phase: "Running" }, "deleting"],
    ["without a status", {}, "none"],
    ["with Ready", { conditions: [condition("Ready")] }, "ready"],
    ["with Ready=False", { conditions: [condition("Ready", "False")] }, "progressing"],
    ["with Available, but missing replicas", { conditions: [condition("Available")], phase: "1/3" }, "progressing"],
    ["with Failed", { conditions: [condition("Failed"), condition("Complete", "False")] }, "failed"],
    ["with Degraded=False", { conditions: [condition("Degraded", "False"), condition("Available")] }, "ready"],
    ["that completed", { conditions: [condition("Ready", "False")], phase: "Completed" }, "ready"],
    ["that runs", { phase: "Running" }, "ready"],
    ["that waits", { phase: "ContainerCreating" }, "progressing"],
    ["that crashes", { phase: "CrashLoopBackOff", conditions: [condition("Ready", "False")] }, "failed"],
    ["whose image is missing", { phase: "ErrImagePull" }, "failed"],
    ["with all replicas", { phase: "2/2" }, "ready"],
    ["with an unknown word", { phase: "Orbiting" }, "none"],
  ] as const)("%s", (_title, summary, expected) => {
    expect(readinessOf(summary)).toBe(expected);
  });
});

it("conditions are good or bad by their type", () => {
  expect(conditionTone(condition("Ready"))).toBe("good");
  expect(conditionTone(condition("Ready", "Unknown"))).toBe("bad");
  expect(conditionTone(condition("ReplicaFailure"))).toBe("bad");
  expect(conditionTone(condition("ReplicaFailure", "False"))).toBe("neutral");
  expect(conditionTone(condition("MemoryPressure"))).toBe("bad");
});
