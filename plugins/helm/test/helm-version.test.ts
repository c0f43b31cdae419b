import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../../../test/architecture/source-files.ts";
import { INIT, runCommands } from "../../../test/support/run-command.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";

describe("the helm of generated projects", () => {
  it("is of the version that charts are tested with", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, "edit --plugins=helm/v2-alpha");
    const pinned = /^\s*helm\.sh\/helm\/v4 (?<version>v\S+)/mu.exec(
      readFileSync(path.join(ROOT, "hack/helm/go.mod"), "utf8"),
    );
    expect(pinned?.groups?.["version"]).toMatch(/^v4\./u);
    const script = readFileSync(path.join(root, "hack/helm.mjs"), "utf8");
    expect(script).toContain(`const VERSION = "${pinned?.groups?.["version"] ?? ""}";`);
  });
});
