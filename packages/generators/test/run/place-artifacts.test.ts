import { describe, expect, it } from "vitest";

import type { OutputRule } from "../../src/arguments/parse-arguments.ts";
import type { Artifact } from "../../src/contract/generator.ts";
import { placeArtifacts } from "../../src/run/place-artifacts.ts";

const CONFIG: Artifact = { kind: "config", name: "role.yaml", content: "role\n" };
const CODE: Artifact = { kind: "code", directory: "api/v1", name: "zz_generated.schema.ts", content: "code\n" };

describe("places of artifacts", () => {
  it.each<readonly [OutputRule, readonly string[]]>([
    [{ kind: "none" }, []],
    [{ kind: "stdout" }, []],
    [{ kind: "directory", path: "out" }, ["out/role.yaml", "out/zz_generated.schema.ts"]],
    [
      { kind: "artifacts", config: "config/x", code: undefined },
      ["config/x/role.yaml", "api/v1/zz_generated.schema.ts"],
    ],
    [{ kind: "artifacts", config: "./config/x", code: "gen" }, ["config/x/role.yaml", "gen/zz_generated.schema.ts"]],
  ])("follow %j", (output, paths) => {
    const { files, diagnostics } = placeArtifacts([{ generator: "x", artifacts: [CONFIG, CODE], output }]);
    expect([files.map((file) => file.path), diagnostics]).toEqual([paths, []]);
  });

  it("are the terminal for what is printed, in the order of the generators", () => {
    const stdout: OutputRule = { kind: "stdout" };
    const placed = placeArtifacts([
      { generator: "b", artifacts: [CODE], output: stdout },
      { generator: "a", artifacts: [CONFIG], output: stdout },
    ]);
    expect(placed.stdout).toBe("code\nrole\n");
  });

  it("cannot be the same for two artifacts", () => {
    const output: OutputRule = { kind: "directory", path: "out" };
    const other: OutputRule = { kind: "directory", path: "./out/" };
    const { diagnostics } = placeArtifacts([
      { generator: "rbac", artifacts: [CONFIG], output },
      { generator: "crd", artifacts: [CONFIG], output: other },
    ]);
    expect(diagnostics).toMatchObject([
      {
        code: "GENERATE_OUTPUT_COLLISION",
        message: "cannot generate: rbac and crd generate the file out/role.yaml twice",
      },
    ]);
  });
});
