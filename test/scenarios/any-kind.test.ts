import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { pluralize, resourceNameOf } from "@kubescaffold/k8s";
import { readYaml } from "@kubescaffold/k8s/yaml";
import { createClient } from "@kubescaffold/runtime";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { irregularNouns } from "../../packages/k8s/src/pluralize.ts";
import { buildKustomization } from "../../src/kustomize/build.ts";
import { isKind } from "../../src/project/name-rules.ts";
import { runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";
import { typeCheck } from "../support/type-check.ts";

const LIVENESS_MS = 600_000;
const INIT = "init --domain demo --project-name kinds --skip-install";

// Kinds whose plural depends on their capitals, names that JavaScript and the templates use themselves, and any others.
const ACRONYMS = ["RDS", "DNS", "S", "SS", "API", "ID", "MyID", "BigOx", "IDs", "IPS", "TLSRoute", "AWSUS", "Zs"];
const GLOBALS = `
  Object Array Promise String Number Boolean Error Date Map Set Symbol Function Record Partial Readonly Pick Omit Math JSON Proxy URL
  AbortSignal Request Response Reconciler Manager Client Result Suite Event Builder Test Name Spec Status List Class Package Default
  New Await Type Async Of Get Infinity NaN`
  .trim()
  .split(/\s+/u);
const IRREGULAR = irregularNouns()
  .filter((_, index) => index % 9 === 0)
  .map(({ singular }) => capitalized(singular));
const RANDOM = fc
  .sample(fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,12}$/u), { numRuns: 12, seed: 30 })
  .filter((kind) => isKind(kind));

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

describe("any kind that create api takes", () => {
  it(
    "type-checks, builds, and deploys with its webhooks and its sample",
    async () => {
      const root = temporaryFolder();
      await runCommands(root, INIT);
      const taken = new Map<string, string>();
      for (const kind of [...ACRONYMS, ...GLOBALS, ...IRREGULAR, ...RANDOM]) {
        const gvk = `--group ship --version v1 --kind ${kind} --make=false`;
        const { status, stderr } = await runCommand(root, `create api ${gvk}`);
        expect({ status, stderr }).toSatisfy(() => status === 0 || /\[PROJECT_\w+\]/u.test(stderr));
        if (status !== 0) continue;
        taken.set(kind, resourceNameOf(kind));
        await runCommands(root, `create webhook ${gvk} --defaulting --programmatic-validation`);
      }
      expect(taken.size).toBeGreaterThan(50);
      await runCommands(root, "manifests", "generate");
      const files = readFiles(root);
      expect(typeCheck(files)).toEqual([]);
      await expectDeployed(root, files, taken);
    },
    LIVENESS_MS,
  );

  it.each([
    ["RDS", "--plural rds", "rds"],
    ["RDS", "", "rdses"],
    ["Fish", "--plural fishes", "fishes"],
  ])("%s gets the plural of `%s` in all files", async (kind, flag, plural) => {
    const root = temporaryFolder();
    const command = ["create api --group ship --version v1 --kind", kind, flag].filter((word) => word !== "").join(" ");
    await runCommands(root, INIT, command);
    const files = readFiles(root);
    expect(files[`config/crd/bases/ship.demo_${plural}.yaml`]).toContain(`  name: ${plural}.ship.demo\n`);
    expect(files["config/crd/kustomization.yaml"]).toContain(`- bases/ship.demo_${plural}.yaml\n`);
    expect(files[`config/rbac/${kind.toLowerCase()}_editor_role.yaml`]).toContain(`  - ${plural}\n`);
    expect(files["config/rbac/role.yaml"]).toContain(`  - ${plural}\n`);
    expect(files[`api/v1/${kind.toLowerCase()}_types.ts`]?.includes(`path=${plural}`)).toBe(flag !== "");
  });

  it("is named by one function, of the kind as it is written", () => {
    expect(["RDS", "BigOx"].map((kind) => [resourceNameOf(kind), pluralize(kind.toLowerCase())])).toEqual([
      ["rdses", "rds"],
      ["bigoxen", "bigoxes"],
    ]);
  });
});

async function expectDeployed(
  root: string,
  files: Readonly<Record<string, string>>,
  kinds: ReadonlyMap<string, string>,
): Promise<void> {
  const built = buildKustomization((file) => files[file], "config/default");
  const names = built.filter(({ kind }) => kind === "CustomResourceDefinition").map(({ metadata }) => metadata.name);
  expect(new Set(names)).toEqual(new Set([...kinds.values()].map((plural) => `${plural}.ship.demo`)));
  const environment = new Environment({
    crdDirectoryPaths: [path.join(root, "config/crd/bases")],
    crdTimeoutMs: LIVENESS_MS,
  });
  const config = await environment.start();
  onTestFinished(() => environment.stop());
  const client = createClient(config);
  for (const kind of kinds.keys()) {
    const sample = readYaml(files[`config/samples/ship_v1_${kind.toLowerCase()}.yaml`] ?? "") as Parameters<
      typeof client.create
    >[0];
    await client.create({ ...sample, metadata: { ...sample.metadata, namespace: "default" } });
  }
  const roles = built.filter(({ kind }) => kind === "ClusterRole");
  expect(roles.length).toBeGreaterThan(3 * kinds.size);
  for (const role of roles) await client.create(role);
}
