import { describe, expect, it } from "vitest";

import { runCommand } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

const kindOf = (name: string, spec = "string"): string => `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface ${name} extends KubernetesObject {
  spec: ${spec};
}
`;
const STALE = `---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n    kubescaffold.dev/version: v0.1.0\n  name: pears.demo.example.com\nspec: {}\n`;
const WARNED = kindOf("Apple").replace("  spec", "  // +kubebuilder:nonsense\n  spec");

describe("exit statuses of gen", () => {
  it.each([
    ["gen crd paths=./...", 0],
    ["gen", 1],
    ["gen crds paths=./...", 1],
    ["gen rbac paths=./...", 1],
    ["gen crd paths=./nowhere", 1],
    ["gen crd paths=./... --stric", 2],
    ["gen -h", 0],
    ["gen crd -www", 0],
    ["gen --help", 0],
  ])("%s ends with %i", async (line, status) => {
    const root = temporaryFolder({ "api/v1/a.ts": kindOf("Apple") });
    expect((await runCommand(root, line)).status).toBe(status);
  });
});

describe("--strict", () => {
  it("makes warnings errors, and nothing is written", async () => {
    const root = temporaryFolder({ "api/v1/a.ts": WARNED });
    const relaxed = await runCommand(root, "gen crd paths=./... output:stdout");
    expect([relaxed.status, relaxed.stderr]).toEqual([0, expect.stringContaining("warning MARKER_UNKNOWN")]);
    const strict = await runCommand(root, "gen crd paths=./... --strict");
    expect([strict.status, strict.stderr]).toEqual([1, expect.stringContaining("error MARKER_UNKNOWN")]);
    expect(strict.stderr).toContain("1 error in the sources");
    expect(Object.keys(readFiles(root))).toEqual(["api/v1/a.ts"]);
  });
});

describe("stale CRDs", () => {
  const file = "config/crd/demo.example.com_pears.yaml";

  it("are named, and stay", async () => {
    const root = temporaryFolder({ "api/v1/a.ts": kindOf("Apple"), [file]: STALE });
    const { status, stderr } = await runCommand(root, "gen crd paths=./...");
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining(`${file} - warning GENERATE_STALE_CRD: the CRD pears.demo.example.com`),
    ]);
    expect(readFiles(root)[file]).toBe(STALE);
  });

  it("are deleted with --prune, when this program made them", async () => {
    const upstreams = STALE.replace("kubescaffold.dev", "controller-gen.kubebuilder.io");
    const root = temporaryFolder({ "api/v1/a.ts": kindOf("Apple"), [file]: STALE, "config/crd/other.yaml": upstreams });
    const { stderr } = await runCommand(root, "gen crd paths=./... --prune");
    expect(stderr).toContain("config/crd/other.yaml - warning GENERATE_STALE_CRD");
    expect(Object.keys(readFiles(root)).toSorted()).toEqual([
      "api/v1/a.ts",
      "config/crd/demo.example.com_apples.yaml",
      "config/crd/other.yaml",
    ]);
  });

  it("stay when the sources have errors", async () => {
    const root = temporaryFolder({ "api/v1/a.ts": kindOf("Apple", "Date"), [file]: STALE });
    const { stderr } = await runCommand(root, "gen crd paths=./... --prune");
    expect(stderr).not.toContain("GENERATE_STALE_CRD");
    expect(readFiles(root)[file]).toBe(STALE);
  });
});

describe("output that cannot be written", () => {
  it.each([
    ["a file where the folder belongs", { "config/crd": "a file" }],
    ["a folder where the file belongs", { "config/crd/demo.example.com_apples.yaml/x": "" }],
  ])("is one error, and nothing is written: %s", async (_, files) => {
    const root = temporaryFolder({ "api/v1/a.ts": kindOf("Apple"), "api/v1/b.ts": kindOf("Banana"), ...files });
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, "gen crd paths=./...");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: .* \[SCAFFOLD_\w+\]\n(?:hint: .*\n)?$/u);
    expect(readFiles(root)).toEqual(before);
  });
});
