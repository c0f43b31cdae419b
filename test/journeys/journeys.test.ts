/** What a new user does, with the packages as they are published. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readSource } from "../architecture/source-files.ts";
import { testDevelopment, testNamespaces } from "./development.ts";
import { testGeneratedTests, testManagers, testTypes } from "./everyday-typescript.ts";
import { PackedPackages, type PackedProject } from "./packed-project.ts";
import { testTerminal } from "./terminal.ts";
import { testTutorials } from "./tutorials.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface CustomResourceDefinition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

const LIVENESS_MS = 600_000;
const TYPES = "api/v1/memcached_types.ts";

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

describe("Memcached with a second version", { timeout: LIVENESS_MS }, () => {
  let project: PackedProject;

  it("stumbling block 11: a version that starts from another one generates, before and after its conversion", async () => {
    const other = packages.project("two-versions", cronjob);
    await other.succeed("npx kubescaffold init --domain demo --skip-install");
    await other.succeed(
      "npx scaffold create api --group cache --version v1alpha1 --kind Memcached --resource --controller",
    );
    const output = await other.succeed(
      "npx scaffold create api --group cache --version v1 --kind Memcached --from v1alpha1",
    );
    await other.succeed("npm run manifests && npm run generate && npm test");
    const command = /^.*scaffold create webhook .*--conversion --spoke v1(?= )/mu.exec(output)?.[0].trim() ?? "";
    expect(command).toMatch(/^npx scaffold create webhook/u);
    await other.succeed(command);
    await other.succeed("npm run manifests && npm test && npm run check");
    expect(other.read("config/crd/bases/cache.demo_memcacheds.yaml").match(/storage: true/gu)).toHaveLength(1);
  });

  beforeAll(async () => {
    project = packages.project("memcached", cronjob);
    for (const line of [
      "npx kubescaffold init --domain demo --skip-install",
      "npx scaffold create api --group cache --version v1alpha1 --kind Memcached --image=memcached:1.6 --plugins=deploy-image/v1-alpha",
      "npx scaffold create api --group cache --version v1 --kind Memcached --from v1alpha1 --resource --controller=false",
      "npx scaffold create webhook --group cache --version v1 --kind Memcached --conversion --spoke v1alpha1",
      "npx scaffold create webhook --group cache --version v1 --kind Memcached --defaulting --programmatic-validation",
    ]) {
      await project.succeed(line);
    }
  }, LIVENESS_MS);

  it("names the place of its controller when a version starts from another one", async () => {
    const line = "npx scaffold create api --group cache --version v2 --kind Memcached --from v1alpha1";
    const output = await project.succeed(line);
    expect(output).toContain(
      "when v2 becomes the hub, import Memcached from v2 in internal/controller; until then, its controller works with v1alpha1",
    );
    expect(output).toContain("convert what differs between v1 and v2 in api/v2/memcached_conversion.ts");
    expect(project.read("internal/webhook/v1/memcached_webhook.ts")).toContain(".withConversion(memcachedV2Converter)");
    await project.succeed("npm run manifests && npm test");
    await project.succeed("npx scaffold delete webhook --group cache --version v1 --kind Memcached --spoke v2 --yes");
    await project.succeed("npx scaffold delete api --group cache --version v2 --kind Memcached --force --yes");
    expect(project.has("api/v2")).toBe(false);
  });

  it("is sound after each command, without a line of code", async () => {
    expect(project.read(TYPES)).toContain("+kubebuilder:storageversion");
    await project.succeed("npm test");
    await project.succeed("npm run check");
    expect(project.read("config/crd/bases/cache.demo_memcacheds.yaml")).toMatch(/name: v1\n[\s\S]*name: v1alpha1\n/u);
  });

  testTypes(() => project);

  it("stumbling block 5: the development server serves webhooks on loopback only", async () => {
    const untilServed = 'for _ in $(seq 1200); do grep -q "serving webhook server" dev.log && break; sleep 0.1; done';
    const line = `node_modules/.bin/scaffold dev >dev.log 2>&1 & ${untilServed}; kill -TERM $!; wait $!; cat dev.log`;
    expect(await project.succeed(line)).toMatch(/serving webhook server.*"host": ?"127\.0\.0\.1"/u);
    rmSync(path.join(project.root, "dev.log"));
  });

  testDevelopment(() => project);
  testTerminal(() => project);
});

describe("the tutorials", { timeout: LIVENESS_MS }, () => {
  testTutorials((name) => packages.project(name, cronjob));
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

describe("invalid input", { timeout: LIVENESS_MS }, () => {
  let project: PackedProject;

  beforeAll(async () => {
    project = packages.project("invalid", cronjob);
    await project.succeed("npx kubescaffold init --domain demo --skip-install");
    await project.succeed(
      "npx scaffold create api --group cache --version v1 --kind Memcached --resource --controller",
    );
  }, LIVENESS_MS);

  it("stumbling block 3: an old Node.js is named in one sentence by each program", async () => {
    const preload = path.join(project.root, "old-node.cjs");
    writeFileSync(
      preload,
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } });',
    );
    for (const program of ["scaffold", "kubescaffold"]) {
      const { status, output } = await project.run(`node_modules/.bin/${program} version`, {
        env: { NODE_OPTIONS: `--require=${preload}` },
      });
      expect({ status, output }).toEqual({
        status: 1,
        output:
          "error: kubescaffold requires Node.js 20.19 or later, and this is Node.js 18.20.4: install the current LTS release from https://nodejs.org [NODE_UNSUPPORTED]",
      });
    }
    for (const line of ["node_modules/.bin/envtest --help", `node -e 'import("@kubescaffold/runtime")'`]) {
      const { status, output } = await project.run(line, { env: { NODE_OPTIONS: `--require=${preload}` } });
      expect(status).not.toBe(0);
      expect(output).toMatch(/requires Node\.js 20\.19 or later, and this is Node\.js 18\.20\.4/u);
    }
    rmSync(preload);
  });

  it.each(["true", "off", "y", "null"])(
    "stumbling block 4: a project named %s has manifests with that name",
    async (name) => {
      const named = packages.project(`named-${name}`, cronjob);
      await named.succeed(`npx kubescaffold init --domain demo --project-name ${name} --skip-install`);
      await named.succeed(
        `npx scaffold create api --group cache --version v1 --kind Memcached --resource --controller`,
      );
      await named.succeed("npx scaffold manifests");
      expect(readYaml(named.read("PROJECT"))).toMatchObject({ projectName: name });
      expect(readYaml(named.read("config/default/kustomization.yaml"))).toMatchObject({
        namespace: `${name}-system`,
        namePrefix: `${name}-`,
      });
      const manager = readYaml(named.read("config/manager/manager.yaml").split("---\n")[1] ?? "");
      expect(manager).toMatchObject({ metadata: { labels: { "app.kubernetes.io/name": name } } });
    },
  );

  it("stumbling block 4: a group and an image with such a name are texts", async () => {
    const named = packages.project("named-parts", cronjob);
    await named.succeed("npx kubescaffold init --domain demo --skip-install");
    await named.succeed(
      "npx scaffold create api --group off --version v1 --kind Cache --image=y --plugins=deploy-image/v1-alpha",
    );
    await named.succeed("npx scaffold manifests");
    expect(readYaml(named.read("PROJECT"))).toMatchObject({
      resources: [{ group: "off" }],
      plugins: {
        "deploy-image.ts.kubescaffold.dev/v1-alpha": { resources: [{ group: "off", options: { image: "y" } }] },
      },
    });
    const manager = readYaml(named.read("config/manager/manager.yaml").split("---\n")[1] ?? "");
    expect(JSON.stringify(manager)).toContain('{"name":"CACHE_IMAGE","value":"y"}');
    expect(named.read("config/crd/bases/off.demo_caches.yaml")).toContain("group: off.demo");
  });

  it.each(["1e3", "0x1"])("stumbling block 4: a project named %s is refused with a name that works", async (name) => {
    const { status, output } = await packages
      .project(`refused-${name}`, cronjob)
      .run(`npx kubescaffold init --domain demo --project-name ${name} --skip-install`);
    expect(status).toBe(1);
    expect(output).toMatch(/such as [a-z][a-z\d]*$/u);
  });

  it("stumbling block 7: a hint is a command that works where it is printed", async () => {
    const { status, output } = await project.run("npx scaffold create apis --group cache", { folder: "api/v1" });
    expect(status).toBe(2);
    const { status: again, output: other } = await project.run(
      "npx scaffold create api --group cache --version v1 --kind Memcached --resource --controller",
    );
    expect(again).toBe(1);
    const hint = /`(?<command>(?:npx )?scaffold [^`]+)`/u.exec(`${output}\n${other}`)?.groups?.["command"];
    expect(hint).toBeDefined();
    const { output: tried } = await project.run(`${String(hint)} --help`);
    expect(tried).toContain("Usage:");
  });

  it("stumbling block 9: without PROJECT, errors name the way to restore it", async () => {
    const text = project.read("PROJECT");
    rmSync(path.join(project.root, "PROJECT"));
    const { status, output } = await project.run("npx scaffold manifests");
    expect(status).toBe(1);
    expect(output).toContain("git restore --source=HEAD -- PROJECT");
    const doctor = await project.run("npx scaffold doctor");
    expect(doctor.status).toBe(1);
    expect(doctor.output).toContain("git restore");
    await project.succeed("npx scaffold alpha restore-project");
    expect(project.read("PROJECT")).toBe(text);
    await project.succeed("npx scaffold doctor");
  });

  testGeneratedTests(() => project);
  testManagers(() => project);

  it("stumbling block 10: errors have codes, and `explain` prints what they mean", async () => {
    const types = project.read(TYPES);
    const wrong = types.replace(/(\n {2}\/\*\*\n)/u, "$1   * +kubebuilder:validation:Minimum=one\n");
    expect(wrong).not.toBe(types);
    writeFileSync(path.join(project.root, TYPES), wrong);
    const { status, output } = await project.run("npx scaffold manifests");
    expect(status).toBe(1);
    expect(output).toMatch(
      /^api\/v1\/memcached_types\.ts:\d+:\d+ - error MARKER_BAD_ARGUMENT: .*expects a number, found "one"$/mu,
    );
    expect(await project.succeed("npx scaffold explain MARKER_BAD_ARGUMENT")).toContain("MARKER_BAD_ARGUMENT");
    expect(await project.succeed("npx scaffold explain +kubebuilder:validation:Minimum")).toContain("Minimum");
    expect(await project.succeed("npx scaffold explain memcached.spec")).toMatch(/FIELDS?:|spec/u);
    writeFileSync(path.join(project.root, TYPES), types);
    await project.succeed("npx scaffold manifests");
  });
});
