import { isSupportedMinor, KUBERNETES_MINOR } from "@kubescaffold/k8s";
import type { ReleasePatch } from "@kubescaffold/k8s/schemas";

/** What differs in the tables of another minor version. A line replaces the one of the same name, and `-` with a name stands for a line that is absent. */
export interface ServerPatch {
  /** The minor version. */
  readonly minor: string;
  /** The version of the sources, such as `1.37.2`. */
  readonly version: string;
  /** Lines of the table of feature gates. */
  readonly gates: readonly string[];
  /** All lines of the table of retired gates. */
  readonly retiredGates: readonly string[];
  /** Lines of the table of roles. */
  readonly roles: readonly string[];
  /** Lines of the table of bindings. */
  readonly bindings: readonly string[];
}

/** What differs in a minor version from the version of the tables of the packages. */
export interface ReleaseFiles {
  readonly server: ServerPatch;
  readonly api: ReleasePatch;
}

/** Reads what differs in a minor version, such as `1.37`; undefined for the version of the tables themselves, and for one that is not supported. */
export function readReleaseFiles(minor: string): ReleaseFiles | undefined {
  if (minor === KUBERNETES_MINOR || !isSupportedMinor(minor)) return undefined;
  // Data files and not modules, since modules could only be loaded asynchronously. Most servers are of the newest version, and do not need what reads them.
  const read = process.getBuiltinModule("node:module").createRequire(import.meta.url);
  return {
    server: read(`@kubescaffold/apiserver/releases/${minor}.json`) as ServerPatch,
    api: read(`@kubescaffold/k8s/releases/${minor}.json`) as ReleasePatch,
  };
}
