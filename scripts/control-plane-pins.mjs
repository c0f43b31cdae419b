// The minors of Kubernetes whose control plane hack/control-plane pins, and the version of each.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the Go modules that pin the programs. */
export const MODULES = fileURLToPath(new URL("../hack/control-plane/", import.meta.url));

/** The minor of the embedded server by default, whose tables are whole. */
export const DEFAULT_MINOR = "1.37";

/** The minor whose answers are recorded, and whose programs run where none is selected. */
export const RECORDED_MINOR = "1.35";

/** Returns the pinned minors, the oldest first. */
export function pinnedMinors() {
  return readdirSync(path.join(MODULES, "kubernetes"))
    .filter((name) => existsSync(path.join(kubernetesModule(name), "go.mod")))
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** Returns the pinned version of a minor such as `1.37`: `v1.37.2`. */
export function pinnedVersion(minor) {
  const pins = readFileSync(path.join(kubernetesModule(minor), "go.mod"), "utf8");
  const version = /^[ \t]*(?:require )?k8s\.io\/kubernetes (v\S+)/mu.exec(pins)?.[1];
  if (version === undefined) throw new Error(`${kubernetesModule(minor)}/go.mod names no version of k8s.io/kubernetes`);
  return version;
}

/** Returns the minor that `--kubernetes 1.37` or `--kubernetes=1.37` selects. Throws for one that is not pinned. */
export function selectedMinor(args) {
  const index = args.findIndex((word) => word === "--kubernetes" || word.startsWith("--kubernetes="));
  if (index === -1) return RECORDED_MINOR;
  const value = args[index].includes("=") ? args[index].slice(args[index].indexOf("=") + 1) : (args[index + 1] ?? "");
  const minors = pinnedMinors();
  if (minors.includes(value)) return value;
  throw new Error(
    `--kubernetes ${JSON.stringify(value)} is not pinned in hack/control-plane/kubernetes: use one of ${minors.join(", ")}`,
  );
}

/** Returns the arguments without `--kubernetes` and its value, for programs that do not know it. */
export function withoutSelection(args) {
  return args.filter(
    (word, index) => !word.startsWith("--kubernetes=") && word !== "--kubernetes" && args[index - 1] !== "--kubernetes",
  );
}

/** Returns the folder of the Go module of a minor, which need not exist. */
export function kubernetesModule(minor) {
  return path.join(MODULES, "kubernetes", minor);
}

/** Returns the minor of a version: `1.37` for `1.37.2`. */
export function minorOf(version) {
  return version.replace(/^v/u, "").split(".").slice(0, 2).join(".");
}
