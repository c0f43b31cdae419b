import { describe, expect, it } from "vitest";

import { planTranslations } from "../../src/go-project/file-counterparts.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";

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
    expect(planTranslations([go, "go.mod"], tree)).toEqual([{ go, typescript, state }]);
  });
});
