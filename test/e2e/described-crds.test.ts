/** CRDs with the descriptions of Kubernetes' Go comments are what controller-gen writes; scripts/golden-built-in-structs.mjs records digests of these. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { KUBERNETES_VERSION } from "@kubescaffold/k8s";
import { describe, expect, it, vi } from "vitest";

import { RELAXABLE_CODES } from "../../packages/generators/src/checks/check-crds.ts";
import { runGenerators } from "../../packages/generators/src/run/run-generators.ts";
import { memoryHost } from "../../packages/generators/test/support/memory-host.ts";
import { digestOf, kindIn, kindOf, sourceOf } from "../../packages/generators/test/support/struct-kinds.ts";
import { runCommand } from "../support/run-command.ts";
import { runProgram } from "../support/run-program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LIVENESS_MS = 300_000;

const recorded = JSON.parse(
  readFileSync(
    new URL("../../packages/generators/test/crd/fixtures/built-in-structs-described.json", import.meta.url),
    "utf8",
  ),
) as Readonly<Record<string, string>>;

const modules = await goModules();
if (modules === undefined) {
  console.warn(
    "SKIPPED: CRDs with descriptions were NOT compared with controller-gen's, since Go's modules are missing",
  );
}

describe.skipIf(modules === undefined)("k8s-docs --from go", { timeout: LIVENESS_MS }, () => {
  it("describes the CRD of a kind around any struct or named string as controller-gen does", async () => {
    vi.stubEnv("GOPROXY", "off");
    vi.stubEnv("GOSUMDB", "off");
    const root = temporaryFolder();
    const { status, stderr } = await runCommand(root, "k8s-docs --from go --output-file docs.json");
    vi.unstubAllEnvs();
    expect([status, stderr]).toEqual([0, ""]);
    const names = Object.keys(recorded).filter((name) => !NOT_HELD.has(name));
    const result = await runGenerators({
      root: "/p",
      arguments: [
        `crd:descriptionsFile=docs.json,omitToolVersion=true,allowDangerousTypes=true,relax=${RELAXABLE_CODES.join(";")}`,
        "paths=./...",
      ],
      host: memoryHost({
        "/p/v1/types.ts": sourceOf(names),
        "/p/docs.json": readFileSync(path.join(root, "docs.json"), "utf8"),
      }),
    });
    expect(result.diagnostics.filter((each) => each.severity === "error")).toEqual([]);
    const digests = new Map(result.files.map(({ content }) => [kindIn(content), digestOf(content)]));
    expect(names.filter((name) => digests.get(kindOf(name)) !== recorded[name])).toEqual([]);
  });
});

// Structs that no object of the API has, and OpenAPI no definition of: the types in them are unknown.
const NOT_HELD: ReadonlySet<string> = new Set(
  ["AvoidPods", "PodSignature", "PodStatusResult", "PreferAvoidPodsEntry", "SerializedReference"].map(
    (name) => `core/v1.${name}`,
  ),
);

// Go downloads nothing for a test.
async function goModules(): Promise<string | undefined> {
  const result = await runProgram("go", ["env", "GOMODCACHE"], { cwd: import.meta.dirname }).catch(() => undefined);
  const folder = result?.status === 0 ? result.output.trim() : "";
  const isComplete = ["api", "apimachinery", "apiextensions-apiserver", "kube-aggregator"].every((name) =>
    existsSync(path.join(folder, `k8s.io/${name}@v0.${KUBERNETES_VERSION.slice(2)}`)),
  );
  return folder !== "" && isComplete ? folder : undefined;
}
