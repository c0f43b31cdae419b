import { describe, expect, it } from "vitest";

import { planTranslations } from "../../src/go-project/file-counterparts.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";

const RESOURCES = [{ group: "crew", version: "v1", kind: "Boat" }];

function projectWith(paths: readonly string[], major: 2 | 3 | 4): Parameters<typeof planTranslations>[0] {
  const key = `go.kubebuilder.io/v${major}`;
  const project = { layout: [key], multigroup: true, resources: RESOURCES, version: "3" };
  return { files: { paths }, layout: { key, major }, project };
}

describe("planTranslations", () => {
  it.each([
    ["cmd/main.go", "cmd/main.ts", "fill in"],
    ["main.go", "cmd/main.ts", "fill in"],
    ["api/v1/boat_types.go", "api/v1/boat_types.ts", "types made"],
    ["api/v1/boat_conversion.go", "api/v1/boat_conversion.ts", "write"],
    ["internal/controller/suite_test.go", "internal/controller/suite.ts", "write"],
    ["internal/webhook/v1/webhook_suite_test.go", "internal/webhook/v1/webhook_suite.ts", "write"],
    ["test/e2e/e2e_suite_test.go", "test/e2e/cluster.ts", "write"],
    ["internal/x/resuite_test.go", "internal/x/resuite.test.ts", "write"],
    ["api/v1/zz_generated.deepcopy.go", undefined, "nothing to do"],
    ["api/v1/applyconfiguration/api/v1/boat.go", undefined, "nothing to do"],
  ])("maps %s to %s: %s", (go, typescript, state) => {
    const tree = new FileTree({ read: (file) => (/main|boat_types/u.test(file) ? "" : undefined) });
    expect(planTranslations(projectWith([go, "go.mod"], 4), tree)).toEqual([{ go, typescript, state }]);
  });

  it.each([
    ["main.go", "cmd/main.ts"],
    ["controllers/crew/boat_controller.go", "internal/controller/crew/boat_controller.ts"],
    ["controllers/suite_test.go", "internal/controller/suite.ts"],
    ["apis/crew/v1/boat_types.go", "api/crew/v1/boat_types.ts"],
    ["apis/crew/v1/boat_webhook.go", "internal/webhook/crew/v1/boat_webhook.ts"],
    ["apis/crew/v1/boat_webhook_test.go", "internal/webhook/crew/v1/boat_webhook.test.ts"],
    ["apis/crew/v1/webhook_suite_test.go", "internal/webhook/crew/v1/webhook_suite.ts"],
    ["apis/crew/v1/boat_conversion.go", "api/crew/v1/boat_conversion.ts"],
    ["pkg/rope/knot.go", "pkg/rope/knot.ts"],
  ])("maps %s of an older layout to %s", (go, typescript) => {
    const tree = new FileTree({ read: () => undefined });
    for (const major of [2, 3] as const)
      expect(planTranslations(projectWith([go], major), tree)).toEqual([{ go, typescript, state: "write" }]);
  });
});
