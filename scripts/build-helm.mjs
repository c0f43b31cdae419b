// Builds the helm that hack/helm pins, once per version, into the user's cache folder. Prints its path.
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { buildGoProgram, CACHE, EXECUTABLE_SUFFIX } from "./go-programs.mjs";

const MODULE = fileURLToPath(new URL("../hack/helm/", import.meta.url));
const SOURCE = "helm.sh/helm/v4/cmd/helm";

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(buildHelm());

/** Returns the path of the pinned helm, having built it where it is missing. Throws when the build fails. */
export function buildHelm() {
  const program = helmPath();
  if (existsSync(program)) return program;
  mkdirSync(path.dirname(program), { recursive: true });
  console.error(`building helm ${helmVersion()} …`);
  const staging = `${program}.${String(process.pid)}`;
  buildGoProgram({ module: MODULE, source: SOURCE, output: staging });
  renameSync(staging, program);
  return program;
}

/** Returns where the pinned helm is, or would be. */
export function helmPath() {
  return path.join(CACHE, "helm", helmVersion(), `helm${EXECUTABLE_SUFFIX}`);
}

function helmVersion() {
  const version = /^\s*helm\.sh\/helm\/v4 (v\S+)/mu.exec(readFileSync(path.join(MODULE, "go.mod"), "utf8"))?.[1];
  if (version === undefined) throw new Error("hack/helm/go.mod names no version of helm.sh/helm/v4");
  return version;
}
