import { spawnSync } from "node:child_process";

import { pinnedVersion } from "../control-plane-pins.mjs";
import { goEnvironment } from "../go-programs.mjs";

/**
 * Returns the folder of the sources of Kubernetes in the version that hack/control-plane pins for a minor, which Go downloads on first use.
 * They hold what a server of that version would answer: its OpenAPI documents, its discovery documents, its feature gates, and its roles.
 */
export function kubernetesSources(minor) {
  return moduleFolder(`k8s.io/kubernetes@${pinnedVersion(minor)}`);
}

/** Returns the folder of the sources of client-go of the same version. */
export function clientSources(minor) {
  return stagingSources("client-go", minor);
}

/** Returns the folder of the sources of a library of the same version, such as `apiserver`. */
export function stagingSources(library, minor) {
  return moduleFolder(`k8s.io/${library}@${pinnedVersion(minor).replace(/^v1\./u, "v0.")}`);
}

function moduleFolder(module) {
  const args = ["mod", "download", "-json", module];
  const run = spawnSync("go", args, { env: goEnvironment(), encoding: "utf8" });
  if (run.error !== undefined) throw run.error;
  const { Dir: folder, Error: error } = JSON.parse(run.stdout);
  if (folder === undefined) throw new Error(`go ${args.join(" ")} failed: ${String(error)}`);
  return folder;
}
