import { existsSync } from "node:fs";
import path from "node:path";

import { controlPlaneFolder } from "../e2e/kubectl.ts";
import { importScript } from "../support/import-script.ts";

interface Pins {
  readonly DEFAULT_MINOR: string;
  readonly RECORDED_MINOR: string;
  readonly pinnedVersion: (minor: string) => string;
  readonly minorOf: (version: string) => string;
}

const { DEFAULT_MINOR, RECORDED_MINOR, pinnedVersion, minorOf } = await importScript<Pins>("control-plane-pins.mjs");

// The one of the projects' minor, which not every machine builds, comes first.
const VERSIONS = [DEFAULT_MINOR, RECORDED_MINOR].map(pinnedVersion);
const TESTS_ON_BINARIES = /^KUBESCAFFOLD_ENVTEST_BACKEND=binaries (?:KUBEBUILDER_ASSETS=\S+ )?npm test\b/u;

/**
 * Returns what is typed in place of a command that runs a project's tests on etcd and kube-apiserver: the same with the folder of those that
 * have been built. An empty text where none has; undefined for any other command.
 */
export function onRealServer(line: string): string | undefined {
  if (!TESTS_ON_BINARIES.test(line)) return undefined;
  const version = VERSIONS.find((each) => existsSync(path.join(controlPlaneFolder(each), "kube-apiserver")));
  if (version === undefined) return "";
  const variables = {
    KUBESCAFFOLD_ENVTEST_BACKEND: "binaries",
    KUBEBUILDER_ASSETS: controlPlaneFolder(version),
    KUBESCAFFOLD_KUBERNETES_VERSION: minorOf(version),
  };
  const assignments = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  return `${assignments.join(" ")} npm test`;
}
