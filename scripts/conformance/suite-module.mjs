// Where the Go module of the conformance suite of each minor of Kubernetes is.
import path from "node:path";

import { ROOT } from "../ensure-installed.mjs";

const MODULES = path.join(ROOT, "hack", "conformance");

/** The entry point of the suite, which all minors share. */
export const SUITE = path.join(MODULES, "suite_test.go");

/** Returns the folder with the pins of the suite of a minor, which need not exist. */
export function conformanceModule(minor) {
  return path.join(MODULES, "kubernetes", minor);
}
