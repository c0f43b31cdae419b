// Checks of packed packages, each of which returns what it found.
import { readFileSync } from "node:fs";

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

// The packages are ES modules: Node's own resolution of CommonJS, before version 22, reaches none of them.
const RESOLUTIONS = new Set(["node16-esm", "bundler"]);
const OTHER_RESOLUTIONS = new Set(["CJSResolvesToESM"]);

/** Returns what publint says of a tarball, strictly. */
export async function lintTarball(file) {
  const tarball = new Uint8Array(readFileSync(file)).buffer;
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } });
  return messages.map((message) => formatMessage(message, pkg) ?? message.code);
}

/** Returns what is wrong with the types of a tarball, for programs that import its modules. */
export async function checkTypes(file) {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(file))));
  if (analysis.types === false) return ["it has no types"];
  return analysis.problems
    .filter(({ kind, resolutionKind }) => !OTHER_RESOLUTIONS.has(kind) && isReached(resolutionKind))
    .map(({ kind, entrypoint = "", resolutionKind = "" }) => [kind, entrypoint, resolutionKind].join(" ").trim());
}

function isReached(resolutionKind) {
  return resolutionKind === undefined || RESOLUTIONS.has(resolutionKind);
}
