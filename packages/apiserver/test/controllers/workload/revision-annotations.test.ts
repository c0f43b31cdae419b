import { describe, expect, it } from "vitest";

import { newSetAnnotations, REVISION, revisionOf } from "../../../src/controllers/workload/revisions.ts";
import { deploymentOf, replicaSetOf } from "./workload-fixtures.ts";

const HISTORY = "deployment.kubernetes.io/revision-history";

describe("newSetAnnotations", () => {
  it("repeats the deployment's annotations, less those of controllers and kubectl, and counts", () => {
    const annotations = {
      note: "x",
      [REVISION]: "7",
      "kubectl.kubernetes.io/last-applied-configuration": "{}",
    };
    const old = replicaSetOf("old", 0, { annotations: { [REVISION]: "3" } });
    expect(newSetAnnotations(deploymentOf({}, { metadata: { annotations } }), undefined, [old])).toEqual({
      note: "x",
      [REVISION]: "4",
      "deployment.kubernetes.io/desired-replicas": "3",
      "deployment.kubernetes.io/max-replicas": "4",
    });
  });

  it("keeps the revision of the newest set", () => {
    const set = replicaSetOf("new", 3, { annotations: { [REVISION]: "4" } });
    const old = replicaSetOf("old", 0, { annotations: { [REVISION]: "3" } });
    expect(newSetAnnotations(deploymentOf(), set, [old])).toEqual({ [REVISION]: "4" });
  });

  it("moves a set that is rolled back to on, and remembers what it was", () => {
    const set = replicaSetOf("back", 0, { annotations: { [REVISION]: "4", [HISTORY]: "1" } });
    const old = replicaSetOf("old", 3, { annotations: { [REVISION]: "5" } });
    const annotations = newSetAnnotations(deploymentOf(), set, [old]);
    expect(annotations).toEqual({ [REVISION]: "6", [HISTORY]: "1,4" });
    expect(revisionOf(replicaSetOf("back", 0, { annotations }))).toBe(6);
  });
});
