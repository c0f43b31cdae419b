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
    expect(revisionOf(replicaSetOf("back", 0, { annotations }))).toBe(6n);
  });

  it("counts revisions of 64 bits, and ignores those that cannot be read", () => {
    const old = replicaSetOf("old", 0, { annotations: { [REVISION]: "3546343826724305832" } });
    const odd = replicaSetOf("odd", 0, { annotations: { [REVISION]: "latest" } });
    const annotations = newSetAnnotations(deploymentOf(), undefined, [old, odd]);
    expect(annotations[REVISION]).toBe("3546343826724305833");
  });

  it("forgets the oldest revisions when the list of them is too long", () => {
    const history = Array.from({ length: 399 }, (_, index) => 1000 + index).join(",");
    const set = replicaSetOf("back", 0, { annotations: { [REVISION]: "2000", [HISTORY]: history } });
    const old = replicaSetOf("old", 3, { annotations: { [REVISION]: "2001" } });
    const list = newSetAnnotations(deploymentOf(), set, [old])[HISTORY];
    expect(list).toMatch(/^1000,.*,1398,2000$/u);
    const longer = replicaSetOf("back", 0, { annotations: { [REVISION]: "2002", [HISTORY]: list ?? "" } });
    const older = replicaSetOf("old", 3, { annotations: { [REVISION]: "2003" } });
    expect(newSetAnnotations(deploymentOf(), longer, [older])[HISTORY]).toMatch(/^1001,.*,2000,2002$/u);
  });
});
