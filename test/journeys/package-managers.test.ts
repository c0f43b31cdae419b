/** Projects whose package manager is not npm, with the packages as they are published. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clientCommand } from "../support/other-clients.ts";
import { PackedPackages, type PackedProject } from "./packed-project.ts";

const LIVENESS_MS = 600_000;
const CREATE_API = "scaffold create api --group web --version v1 --kind Page --resource --controller";

const OF_WINDOWS = "napi-windows-process-start-time";

const packages = new PackedPackages();

beforeAll(() => packages.install(), LIVENESS_MS);

afterAll(() => packages.remove());

// Their caches are in the folder of the test: they link the files of projects to them.
function environment(program: string): Readonly<Record<string, string>> {
  return {
    PATH: `${path.dirname(program)}${path.delimiter}${process.env["PATH"] ?? ""}`,
    BUN_INSTALL_CACHE_DIR: path.join(packages.folder, "bun-cache"),
    npm_config_store_dir: path.join(packages.folder, "pnpm-store"),
    // Mirrors of the registry lack its programs for other platforms, which it would look for to pin itself.
    pnpm_config_pm_on_fail: "ignore",
    YARN_GLOBAL_FOLDER: path.join(packages.folder, "yarn"),
    // It does not read the settings of npm.
    YARN_NPM_REGISTRY_SERVER: execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim(),
    YARN_ENABLE_TELEMETRY: "0",
  };
}

function shellOf(project: PackedProject, program: string): (line: string) => Promise<string> {
  return async (line) => {
    const { status, output } = await project.run(line, { env: environment(program) });
    if (status !== 0) throw new Error(`${line} ended with status ${String(status)}:\n${output}`);
    return output;
  };
}

describe("a project of pnpm", { timeout: LIVENESS_MS }, () => {
  const [program = ""] = clientCommand("pnpm") ?? [];

  it.skipIf(program === "")("is created, tested, checked, and built with its commands", async () => {
    const project = packages.project("with-pnpm");
    const shell = shellOf(project, program);
    const output = await shell("npx kubescaffold init --domain demo --package-manager pnpm --skip-install");
    expect(output).toMatch(/^ {2}pnpm install$/mu);
    const overrides = Object.entries(packages.specs()).map(([name, spec]) => `  "${name}": "${spec}"\n`);
    appendFileSync(path.join(project.root, "pnpm-workspace.yaml"), `overrides:\n${overrides.join("")}`);
    // A build script that is not approved is an error.
    await shell("pnpm install");
    expect(await shell(`pnpm exec ${CREATE_API}`)).toContain("  pnpm run manifests && pnpm run generate ");
    await shell("pnpm run manifests && pnpm run generate");
    expect(await shell("pnpm test")).toContain("internal/controller/page_controller.test.ts");
    await shell("pnpm run check");
    await shell("pnpm run build && pnpm install --frozen-lockfile");
    expect(project.has("dist/manager.mjs")).toBe(true);
    expect(project.has("package-lock.json")).toBe(false);
  });
});

describe("a project of yarn", { timeout: LIVENESS_MS }, () => {
  const [program = ""] = clientCommand("yarn") ?? [];

  it.skipIf(program === "")("is created, installed, tested, checked, and built with its commands", async () => {
    const project = packages.project("with-yarn");
    const shell = shellOf(project, program);
    // Else it would take the folder above, which has a package.json, for the project.
    writeFileSync(path.join(project.root, "yarn.lock"), "");
    // yarn asks for packages of all platforms, of which mirrors of the registry may lack some.
    const none = path.join(project.root, "..", "package-of-windows");
    mkdirSync(none, { recursive: true });
    writeFileSync(path.join(none, "package.json"), `{"name": "${OF_WINDOWS}", "version": "0.1.0"}\n`);
    const resolutions = { ...packages.specs(), [OF_WINDOWS]: `file:${none}` };
    const manifest = { name: "with-yarn", private: true, resolutions };
    writeFileSync(path.join(project.root, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
    const output = await shell("npx kubescaffold init --domain demo --package-manager yarn --k8s-docs=false");
    expect(output).toContain("Installing packages: yarn install …");
    expect(statSync(path.join(project.root, "yarn.lock")).size).toBeGreaterThan(10_000);
    expect(await shell(`yarn ${CREATE_API}`)).toContain("  yarn run manifests && yarn run generate ");
    await shell("yarn run manifests && yarn run generate");
    expect(await shell("yarn test")).toContain("internal/controller/page_controller.test.ts");
    await shell("yarn oxfmt && yarn run check");
    await shell("yarn run build && yarn install --immutable");
    expect(statSync(path.join(project.root, "dist/manager.mjs")).size).toBeGreaterThan(100_000);
    expect(project.has("package-lock.json")).toBe(false);
  });
});

describe("a project of bun", { timeout: LIVENESS_MS }, () => {
  const [program = ""] = clientCommand("bun") ?? [];

  it.skipIf(program === "")("is created, installed, tested, checked, and built with its commands", async () => {
    const project = packages.project("with-bun");
    const shell = shellOf(project, program);
    const manifest = { name: "with-bun", private: true, overrides: packages.specs() };
    writeFileSync(path.join(project.root, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
    const output = await shell("npx kubescaffold init --domain demo --package-manager bun --k8s-docs=false");
    expect(output).toContain("Installing packages: bun install …");
    expect(project.has("bun.lock")).toBe(true);
    expect(await shell(`bunx ${CREATE_API}`)).toContain("  bun run manifests && bun run generate ");
    await shell("bun run manifests && bun run generate");
    expect(await shell("bun run test")).toContain("internal/controller/page_controller.test.ts");
    await shell("bunx oxfmt && bun run check");
    await shell("bun run build && bun install --frozen-lockfile");
    expect(statSync(path.join(project.root, "dist/manager.mjs")).size).toBeGreaterThan(100_000);
    expect(project.has("package-lock.json")).toBe(false);
  });
});
