#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { calledAs } from "../src/cli/output/called-as.ts";
import { runCli } from "../src/cli/run-cli.ts";
import { discoverPlugins, missingFolder } from "../src/plugin/external/discover-plugins.ts";
import { pluginFolders, PLUGINS_PATH_VARIABLE, pluginTimeoutMs } from "../src/plugin/external/plugin-folders.ts";
import type { PluginRegistry } from "../src/plugin/registry.ts";

// The package is the nearest folder above that has this package's name: the bundle and the compiled sources are at different depths.
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
  const [{ base }, { kustomize }, { deployImage }, { grafana }, { autoupdate }, { helm }] = await Promise.all([
    import("../src/scaffolds/base-plugin.ts"),
    import("../plugins/kustomize/index.ts"),
    import("../plugins/deploy-image/index.ts"),
    import("../plugins/grafana/index.ts"),
    import("../plugins/autoupdate/index.ts"),
    import("../plugins/helm/index.ts"),
  ]);
  const bundle = {
    key: "ts.kubescaffold.dev/v1",
    description: "Default: an operator in TypeScript with its manifests",
    plugins: [kustomize, base],
  };
  // Called for one API, it works on what the default plans for every API.
  const imageBundle = {
    key: deployImage.key,
    description: deployImage.description,
    plugins: [kustomize, base, deployImage],
  };
  const external = await externalPlugins();
  return {
    plugins: [kustomize, base, grafana, autoupdate, helm, ...external.plugins],
    bundles: [bundle, imageBundle],
    defaultKey: bundle.key,
    problems: external.problems,
  };
}

// Most users have none: the code that runs them is then not loaded.
async function externalPlugins(): Promise<Pick<PluginRegistry, "plugins"> & { readonly problems: readonly string[] }> {
  const folders = pluginFolders({ variables: process.env, platform: process.platform, home: homedir() });
  const { plugins, problems } = discoverPlugins(folders);
  const missing =
    process.env[PLUGINS_PATH_VARIABLE] === undefined ? [] : folders.flatMap((each) => missingFolder(each) ?? []);
  if (plugins.length === 0) return { plugins: [], problems: [...missing, ...problems] };
  const { externalPlugin } = await import("../src/plugin/external/external-plugin.ts");
  const options = { cwd: process.cwd(), timeoutMs: pluginTimeoutMs(process.env) };
  return { plugins: plugins.map((each) => externalPlugin(each, options)), problems };
}

const { root, version } = findPackage(path.dirname(fileURLToPath(import.meta.url)));
// Not awaited at the top: the bundle is a script, which has no such thing.
void runCli({
  args: process.argv.slice(2),
  program: {
    name: "scaffold",
    version,
    calledAs: calledAs({ script: process.argv[1] ?? "", variables: process.env }),
    packageRoot: root,
    registry,
  },
}).then((status) => {
  process.exitCode = status;
});
