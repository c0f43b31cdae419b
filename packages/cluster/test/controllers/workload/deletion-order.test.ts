import type { Pod, PodCondition } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import { deletionOrder } from "../../../src/controllers/workload/deletion-order.ts";

const CREATED = "2026-01-01T00:00:00Z";
const LATER = "2026-01-01T01:00:00Z";
const COST = "controller.kubernetes.io/pod-deletion-cost";

function podOf(name: string, { metadata = {}, spec = {}, status = {} }: Partial<Record<keyof Pod, object>> = {}): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, creationTimestamp: CREATED, ...metadata },
    spec: { containers: [], nodeName: "node", ...spec },
    status: { phase: "Running", conditions: readySince(CREATED), ...status },
  };
}

function readySince(lastTransitionTime: string): PodCondition[] {
  return [{ type: "Ready", status: "True", lastTransitionTime }];
}

function names(pods: readonly Pod[]): readonly (string | undefined)[] {
  return pods.map(({ metadata }) => metadata.name);
}

describe("deletionOrder", () => {
  it("puts the pods first that are worth least", () => {
    const restarts = [{ name: "c", image: "", imageID: "", ready: true, restartCount: 2 }];
    const pods = [
      podOf("oldest"),
      podOf("younger", { metadata: { creationTimestamp: LATER } }),
      podOf("restarted", { status: { containerStatuses: restarts } }),
      podOf("ready for less time", { status: { conditions: readySince(LATER) } }),
      podOf("not ready", { status: { conditions: [] } }),
      podOf("pending", { status: { phase: "Pending", conditions: [] } }),
      podOf("without a node", { spec: { nodeName: "" }, status: { phase: "Pending", conditions: [] } }),
    ];
    expect(names(deletionOrder(pods))).toEqual([
      "without a node",
      "pending",
      "not ready",
      "ready for less time",
      "restarted",
      "younger",
      "oldest",
    ]);
  });

  it("puts the cheaper ones first, then those with most neighbors, where these count", () => {
    const pods = [
      podOf("free"),
      podOf("crowded", { spec: { nodeName: "full" } }),
      podOf("expensive", { metadata: { annotations: { [COST]: "10" } } }),
      podOf("cheap", { metadata: { annotations: { [COST]: "-1" } } }),
      podOf("unreadable cost", { metadata: { annotations: { [COST]: "+1" } } }),
    ];
    const neighborsOf = ({ spec }: Pod): number => (spec?.nodeName === "full" ? 3 : 1);
    expect(names(deletionOrder(pods, { usesCost: true, neighborsOf }))).toEqual([
      "cheap",
      "crowded",
      "free",
      "unreadable cost",
      "expensive",
    ]);
    expect(names(deletionOrder(pods))[0]).toBe("free");
  });
});
