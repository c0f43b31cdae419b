import path from "node:path";
import { fileURLToPath } from "node:url";

import { Environment } from "@kubescaffold/envtest";
import { fieldErrorBody, type FieldError, StatusError } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { type Client, createClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runGenerators } from "../../src/run/run-generators.ts";
import type { Garden, GardenSpec } from "./golden/package-chosen/input/api/v1/garden_types.ts";
import { GardenSchema } from "./golden/package-chosen/input/api/v1/zz_generated.schema.ts";
import type { Runner, RunnerSpec } from "./golden/structs/input/api/v1/runner_types.ts";
import { RunnerSchema } from "./golden/structs/input/api/v1/zz_generated.schema.ts";

const GOLDEN = fileURLToPath(new URL("golden", import.meta.url));
const LIVENESS_MS = 300_000;

async function definitionsOf(name: string): Promise<readonly unknown[]> {
  const words = ["crd", "paths=./...", "output:stdout"];
  return readYamlDocuments((await runGenerators({ root: path.join(GOLDEN, name, "input"), arguments: words })).stdout);
}

// What the server responded with to the creation of an object, without storing it: what it makes of the spec, or its complaints.
async function askServer(client: Client, object: KubernetesObject & { readonly spec: unknown }): Promise<unknown> {
  try {
    return (await client.create(object, { dryRun: true })).spec;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.status.details?.causes;
  }
}

function asCauses(errors: readonly FieldError[]): unknown {
  return errors.map((error) => ({ reason: error.type, message: fieldErrorBody(error), field: error.field }));
}

// On the backend that KUBESCAFFOLD_ENVTEST_BACKEND names, the embedded one by default.
describe("a generated schema says what the server says of the same CRD", () => {
  let environment: Environment;
  let client: Client;

  beforeAll(async () => {
    const crds = [...(await definitionsOf("package-chosen")), ...(await definitionsOf("structs"))];
    environment = new Environment({ startTimeoutMs: LIVENESS_MS, crds });
    client = createClient(await environment.start());
  }, LIVENESS_MS);
  afterAll(async () => await environment.stop(), LIVENESS_MS);

  it.each<[string, object]>([
    ["nothing", {}],
    ["what is required", { season: "spring" }],
    ["a value outside of an enum", { season: "monsoon" }],
    [
      "defaults below a map and a list",
      { season: "winter", beds: { rose: { soil: {}, plants: [{ name: "a", soil: {} }] } } },
    ],
    ["a null where none may be", { season: "winter", bestSoil: null }],
    ["a null without a default", { season: "winter", beds: null }],
    ["a wrong type", { season: "winter", hidden: { depth: "deep" } }],
    [
      "bounds",
      { season: "winter", bestSoil: { acidity: 15 }, hidden: { depth: -1 }, box: { content: { acidity: -1 } } },
    ],
    ["a key twice in a list", { season: "winter", beds: { a: { plants: [{ name: "x" }, { name: "x" }] } } }],
    ["an empty text", { season: "winter", beds: { a: { plants: [{ name: "" }] } } }],
    [
      "too many items",
      { season: "winter", beds: { a: { plants: Array.from({ length: 51 }, (_, index) => ({ name: `p${index}` })) } } },
    ],
    ["unknown fields", { season: "winter", extra: 1, beds: { a: { plants: [{ name: "x", extra: {} }] } } }],
  ])("about a Garden with %s", async (_, spec) => {
    const garden: Garden = {
      apiVersion: "demo.example.com/v1",
      kind: "Garden",
      metadata: { name: "garden" },
      spec: spec as GardenSpec,
    };
    const known = GardenSchema.applyDefaults(GardenSchema.prune(garden).value);
    const errors = GardenSchema.validate(known);
    expect(errors.length === 0 ? known.spec : asCauses(errors)).toEqual(await askServer(client, garden));
  });

  it.each<[string, object]>([
    ["defaults", { template: { spec: { containers: [{ name: "a", ports: [{ containerPort: 1 }] }] } } }],
    ["a part that lacks what is required", { template: { spec: { containers: [{}] } } }],
    ["a broken rule", { template: {}, secret: { key: "" } }],
    ["a kept rule", { template: {}, secret: { key: "k" } }],
  ])("about a Runner with %s", async (_, spec) => {
    const runner: Runner = {
      apiVersion: "demo.example.com/v1",
      kind: "Runner",
      metadata: { name: "runner", namespace: "default" },
      spec: spec as RunnerSpec,
    };
    const known = RunnerSchema.applyDefaults(RunnerSchema.prune(runner).value);
    const errors = RunnerSchema.validate(known);
    expect(errors.length === 0 ? known.spec : asCauses(errors)).toEqual(await askServer(client, runner));
  });
});
