/** What a new user does wrong, with the packages as they are published. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { testGeneratedTests, testManagers } from "./everyday-typescript.ts";
import { PackedPackages, type PackedProject } from "./packed-project.ts";

const LIVENESS_MS = 600_000;
const TYPES = "api/v1/memcached_types.ts";

const packages = new PackedPackages();
let installed: PackedProject;

beforeAll(async () => {
  await packages.install();
  installed = await packages.installedProject();
}, LIVENESS_MS);

afterAll(() => packages.remove());

describe("invalid input", { timeout: LIVENESS_MS }, () => {
  let project: PackedProject;

  beforeAll(async () => {
    project = packages.project("invalid", installed);
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
      const named = packages.project(`named-${name}`, installed);
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
    const named = packages.project("named-parts", installed);
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
      .project(`refused-${name}`, installed)
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
