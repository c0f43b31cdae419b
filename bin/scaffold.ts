#!/usr/bin/env node
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { runCli } from "../src/cli/run-cli.ts";
import type { PluginRegistry } from "../src/plugin/registry.ts";

// The package is the nearest folder above that has this package's name: the bundle and the compiled sources lie at different depths.
function findPackage(folder: string): { readonly root: string; readonly version: string } {
  try {
    const { name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Record<
      string,
      string
    >;
    if (name === "kubescaffold") return { root: folder, version: version ?? "" };
  } catch {
    // There is no readable manifest here: look further up.
  }
  const parent = path.dirname(folder);
  return parent === folder ? { root: folder, version: "" } : findPackage(parent);
}

async function registry(): Promise<PluginRegistry> {
  const [{ base }, { kustomize }] = await Promise.all([
    import("../src/scaffolds/base-plugin.ts"),
    import("../plugins/kustomize/index.ts"),
  ]);
  const bundle = {
    key: "ts.kubescaffold.dev/v1",
    description: "The default: an operator in TypeScript with its manifests",
    plugins: [kustomize, base],
  };
  return { plugins: [kustomize, base], bundles: [bundle], defaultKey: bundle.key };
}

const { root, version } = findPackage(path.dirname(fileURLToPath(import.meta.url)));
// Not awaited at the top: the bundle is a script, which has no such thing.
void runCli({
  args: process.argv.slice(2),
  program: { name: "scaffold", version, packageRoot: root, registry },
}).then((status) => {
  process.exitCode = status;
});
