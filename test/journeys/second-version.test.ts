/** A kind that gets a second version, and the development server, with the packages as they are published. */
import { rmSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { testDevelopment } from "./development.ts";
import { testTypes } from "./everyday-typescript.ts";
import { PackedPackages, type PackedProject } from "./packed-project.ts";
import { testTerminal } from "./terminal.ts";

const LIVENESS_MS = 600_000;
const TYPES = "api/v1/memcached_types.ts";

const packages = new PackedPackages();
let installed: PackedProject;

beforeAll(async () => {
  await packages.install();
  installed = await packages.installedProject();
}, LIVENESS_MS);

afterAll(() => packages.remove());

describe("Memcached with a second version", { timeout: LIVENESS_MS }, () => {
  let project: PackedProject;

  it("stumbling block 11: a version that starts from another one generates, before and after its conversion", async () => {
    const other = packages.project("two-versions", installed);
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
    project = packages.project("memcached", installed);
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
    await project.succeed(
      "npx scaffold delete api --group cache --version v2 --kind Memcached --not-stored --force --yes",
    );
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
