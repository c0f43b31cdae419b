import { existsSync } from "node:fs";
import path from "node:path";

import { controlPlaneFolder, RECORDED_VERSION } from "../e2e/kubectl.ts";

// The one of the projects' minor, which not every machine builds, comes first.
const VERSIONS = ["v1.37.2", RECORDED_VERSION];
const TESTS_ON_BINARIES = /^KUBESCAFFOLD_ENVTEST_BACKEND=binaries (?:KUBEBUILDER_ASSETS=\S+ )?npm test\b/u;

/**
 * Returns what is typed in place of a command that runs a project's tests on etcd and kube-apiserver: the same with the folder of those that
 * have been built. An empty text where none has; undefined for any other command.
 */
export function onRealServer(line: string): string | undefined {
  if (!TESTS_ON_BINARIES.test(line)) return undefined;
  const version = VERSIONS.find((each) => existsSync(path.join(controlPlaneFolder(each), "kube-apiserver")));
  if (version === undefined) return "";
  const minor = /^v(?<minor>\d+\.\d+)/u.exec(version)?.groups?.["minor"] ?? "";
  const variables = {
    KUBESCAFFOLD_ENVTEST_BACKEND: "binaries",
    KUBEBUILDER_ASSETS: controlPlaneFolder(version),
    KUBESCAFFOLD_KUBERNETES_VERSION: minor,
  };
  const assignments = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  return `${assignments.join(" ")} npm test`;
}
