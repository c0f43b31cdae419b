import { KUBERNETES_VERSION } from "@kubescaffold/k8s";

/** The body of `/version`. */
export type ServerVersion = Readonly<Record<string, string>> & { readonly gitVersion: string };

/** The body of `/version` of a server by default. */
export const SERVER_VERSION: ServerVersion = serverVersionOf(KUBERNETES_VERSION);

/** Returns the body of `/version`, given a version such as `1.37.2`. */
export function serverVersionOf(version: string): ServerVersion {
  const [major = "", minor = ""] = version.split(".");
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${version}+embedded`,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "none",
    compiler: "none",
    platform: "node",
  };
}
