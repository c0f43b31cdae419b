import { KUBERNETES_MINOR, KUBERNETES_VERSION } from "@kubescaffold/k8s";

const [MAJOR = "", MINOR = ""] = KUBERNETES_MINOR.split(".");

/** The body of `/version`. */
export const SERVER_VERSION: Readonly<Record<string, string>> & { readonly gitVersion: string } = {
  major: MAJOR,
  minor: MINOR,
  emulationMajor: MAJOR,
  emulationMinor: MINOR,
  minCompatibilityMajor: MAJOR,
  minCompatibilityMinor: String(Number(MINOR) - 1),
  gitVersion: `v${KUBERNETES_VERSION}+embedded`,
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "none",
  platform: "node",
};
