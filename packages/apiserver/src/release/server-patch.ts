import { createRequire } from "node:module";

import { isSupportedMinor, KUBERNETES_MINOR } from "@kubescaffold/k8s";

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

/** Reads what differs in the tables of a minor version, such as `1.37`, from those of this package; undefined for that version, and for one without tables. */
export function readServerPatch(minor: string): ServerPatch | undefined {
  if (minor === KUBERNETES_MINOR || !isSupportedMinor(minor)) return undefined;
  // A data file and not a module, since modules could only be loaded asynchronously.
  return createRequire(import.meta.url)(`@kubescaffold/apiserver/releases/${minor}.json`) as ServerPatch;
}
