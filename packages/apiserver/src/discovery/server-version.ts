/** The minor version of Kubernetes whose behavior the server has. */
const KUBERNETES_MINOR = "35";

/** The body of `/version`. */
export const SERVER_VERSION: Readonly<Record<string, string>> & { readonly gitVersion: string } = {
  major: "1",
  minor: KUBERNETES_MINOR,
  emulationMajor: "1",
  emulationMinor: KUBERNETES_MINOR,
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "34",
  gitVersion: `v1.${KUBERNETES_MINOR}.4+embedded`,
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "none",
  platform: "node",
};
