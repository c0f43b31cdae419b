import { readFileSync } from "node:fs";
import path from "node:path";

import type { Descriptions } from "@kubescaffold/k8s/tables";
import { afterEach, beforeEach, vi } from "vitest";

import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";
import { type PublishedPackage, startPackageRegistry } from "./package-registry.ts";

export const PACKAGE = "kubernetes-models";
export const VERSION = "5.1.0";
const MACHINERY = "@kubernetes-models/apimachinery";
const MACHINERY_VERSION = "3.0.2";
export const PACKAGES = `${PACKAGE}@${VERSION} and ${MACHINERY}@${MACHINERY_VERSION}`;

const POD_SPEC = { text: "What a Pod runs.", fields: { containers: "The containers of a Pod." } };
const CONTAINER = { text: "A container.", fields: { image: "The image of a container." } };

/** The declarations that are described. */
export const DECLARATIONS =
  "/** The structure `PodSpec` of core/v1. */\nexport interface PodSpec {\n    containers: Container[];\n}\n";

/** The declarations of the npm package, with descriptions. */
export const MODELS = {
  "v1/PodSpec.d.ts": modelOf("PodSpec", POD_SPEC),
  "v1/Container.d.ts": modelOf("Container", CONTAINER),
};

/** The same descriptions as in the cache. */
export const DESCRIPTIONS: Descriptions = {
  release: "v1.35.4",
  source: "a test",
  types: { "core/v1.PodSpec": POD_SPEC, "core/v1.Container": CONTAINER },
};

/** Gives each test its own cache, of descriptions and of npm; returns its folder. */
export function useOwnCache(): () => string {
  let cache = "";
  beforeEach(() => {
    cache = temporaryFolder();
    vi.stubEnv("XDG_CACHE_HOME", cache);
    vi.stubEnv("npm_config_cache", path.join(cache, "npm"));
    vi.stubEnv("npm_config_fetch_retries", "0");
  });
  afterEach(() => vi.unstubAllEnvs());
  return () => cache;
}

/** Starts a registry with the packages, and configures npm for it until the test ends. */
export async function useRegistry(
  models: Readonly<Record<string, string>>,
  name = PACKAGE,
): ReturnType<typeof startPackageRegistry> {
  const machinery = { "apis/meta/v1/ObjectMeta.d.ts": modelOf("ObjectMeta", { text: "Metadata.", fields: {} }) };
  const registry = await startPackageRegistry([
    published(name, VERSION, models),
    published(MACHINERY, MACHINERY_VERSION, machinery),
  ]);
  vi.stubEnv("npm_config_registry", registry.url);
  return registry;
}

function published(name: string, version: string, files: Readonly<Record<string, string>>): PublishedPackage {
  return { name, version, files: { "package.json": JSON.stringify({ name, version }), ...files } };
}

interface Model {
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

function modelOf(name: string, { text, fields }: Model): string {
  const members = Object.entries(fields).map(
    ([field, each]) => `    /**\n     * ${each}\n     */\n    "${field}"?: string;\n`,
  );
  return `/**\n * ${text}\n */\nexport interface I${name} {\n${members.join("")}}\n`;
}

/** Returns the files of a package `@kubescaffold/k8s`. */
export function packageOfTypes(): Readonly<Record<string, string>> {
  return {
    "package.json": JSON.stringify({ name: "@kubescaffold/k8s", version: "0.1.0" }),
    "dist/api/core/v1.d.ts": DECLARATIONS,
    "dist/api/apply/core/v1.d.ts": "export interface PodSpecApply {\n    containers: string;\n}\n",
  };
}

/** Makes a folder in which the package is installed. */
export function projectFolder(): string {
  const root = temporaryFolder();
  writeFiles(typesFolder(root), packageOfTypes());
  return root;
}

export function typesFolder(root: string): string {
  return path.join(root, "node_modules", "@kubescaffold", "k8s");
}

export function readTypes(root: string): string {
  return readFileSync(path.join(typesFolder(root), "dist/api/core/v1.d.ts"), "utf8");
}
