import { readFileSync } from "node:fs";
import path from "node:path";

import { ROOT } from "./ensure-installed.mjs";

const PREFIXES = path.join(ROOT, "packages", "k8s", "src", "tables", "definition-prefixes.ts");

// Versions of requests and responses that are no resources.
const OTHERS = ["apidiscovery.k8s.io/v2", "meta.k8s.io/v1", "meta.k8s.io/v1beta1"];

/** Returns the API versions whose kinds the server reads and writes in protocol buffers. */
export function servedVersions() {
  const entries = readFileSync(PREFIXES, "utf8").matchAll(/^ {2}"?([^\s":]+)"?: "/gmu);
  return [...[...entries].map(([, apiVersion]) => apiVersion), ...OTHERS];
}
