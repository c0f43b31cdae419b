/** The examples, from an empty folder and with the packages as they are published. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readSource } from "../architecture/source-files.ts";
import { testNamespaces } from "./development.ts";
import { PackedPackages, type PackedProject } from "./packed-project.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface CustomResourceDefinition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

const LIVENESS_MS = 600_000;

const packages = new PackedPackages();
let cronjob: PackedProject;

beforeAll(async () => {
  await packages.install();
  cronjob = packages.project("cronjob");
}, LIVENESS_MS);

afterAll(() => packages.remove());

describe("the CronJob of kubebuilder's book", { timeout: LIVENESS_MS }, () => {
  it("takes five commands, and the code of the example", async () => {
    await cronjob.follow("cronjob");
    expect(await cronjob.succeed("npm test")).toMatch(/Test Files\s+3 passed/u);
    await cronjob.succeed("npm run check");
    expect(cronjob.read("config/crd/bases/batch.demo_cronjobs.yaml")).toBe(
      readSource("examples/cronjob/config/crd/bases/batch.demo_cronjobs.yaml"),
    );
  });

  it("stumbling block 1: the metadata of templates in built-in structs has its fields in the CRD", () => {
    const crd = cronjob.read("config/crd/bases/batch.demo_cronjobs.yaml");
    const { spec } = readYaml(crd) as CustomResourceDefinition;
    const jobTemplate = spec.versions[0]?.schema.openAPIV3Schema.properties?.["spec"]?.properties?.["jobTemplate"];
    const podTemplate = jobTemplate?.properties?.["spec"]?.properties?.["template"];
    for (const template of [jobTemplate, podTemplate]) {
      expect(Object.keys(template?.properties?.["metadata"]?.properties ?? {})).toEqual(
        expect.arrayContaining(["annotations", "labels"]),
      );
    }
  });

  it("stumbling block 2: options of generators belong to the project, and every command obeys them", async () => {
    expect(await cronjob.succeed("npx scaffold edit --show")).toContain("crd:generateEmbeddedObjectMeta=true");
    await cronjob.succeed("npx scaffold doctor");
    await cronjob.succeed("npx scaffold edit --generator-options crd:generateEmbeddedObjectMeta=false");
    await cronjob.succeed("npx scaffold manifests");
    const bare = cronjob.read("config/crd/bases/batch.demo_cronjobs.yaml");
    expect(bare).not.toBe(readSource("examples/cronjob/config/crd/bases/batch.demo_cronjobs.yaml"));
    await cronjob.succeed("npx scaffold edit --generator-options crd:generateEmbeddedObjectMeta=true");
    await cronjob.succeed(
      "npx scaffold create api --group batch --version v1 --kind Report --resource --controller=false",
    );
    expect(cronjob.read("config/crd/bases/batch.demo_cronjobs.yaml")).not.toBe(bare);
    await cronjob.succeed("npx scaffold delete api --group batch --version v1 --kind Report --yes");
    await cronjob.succeed("npx scaffold manifests");
    expect(cronjob.read("config/crd/bases/batch.demo_cronjobs.yaml")).toBe(
      readSource("examples/cronjob/config/crd/bases/batch.demo_cronjobs.yaml"),
    );
  });
});

describe("a controller of Services", { timeout: LIVENESS_MS }, () => {
  let project: PackedProject;

  it("takes two commands, and the code of the example", async () => {
    project = packages.project("addingress", cronjob);
    await project.follow("addingress");
    expect(await project.succeed("npm test")).toMatch(/Test Files\s+1 passed/u);
    await project.succeed("npm run check");
    expect(project.has("config/crd/bases")).toBe(false);
    expect(project.read("config/rbac/role.yaml")).toBe(readSource("examples/addingress/config/rbac/role.yaml"));
  });

  it("stumbling block 8: commands work in a subfolder, and name files from there", async () => {
    const folder = "internal/controller";
    const controller = path.join(project.root, folder, "service_controller.ts");
    const correct = project.read(`${folder}/service_controller.ts`);
    writeFileSync(controller, correct.replace("resources=services,verbs", "resource=services,verbs"));
    const { status, output } = await project.run("npx scaffold manifests", { folder });
    expect(status).toBe(1);
    expect(output).toMatch(/^service_controller\.ts:\d+:\d+ - error MARKER_/mu);
    writeFileSync(controller, correct);
    await project.succeed("npx scaffold manifests", { folder });
    expect(project.has(`${folder}/config`)).toBe(false);
  });
});

describe("an operator without a reconciler", { timeout: LIVENESS_MS }, () => {
  it("takes two commands, and the code of the example", async () => {
    const project = packages.project("website", cronjob);
    await project.follow("website");
    expect(await project.succeed("npm test")).toMatch(/Test Files\s+1 passed/u);
    await project.succeed("npm run check");
    expect(project.read("config/rbac/role.yaml")).toBe(readSource("examples/website/config/rbac/role.yaml"));
  });
});

describe("an operator that watches one namespace", { timeout: LIVENESS_MS }, () => {
  testNamespaces(() => packages.project("namespaced", cronjob));
});
