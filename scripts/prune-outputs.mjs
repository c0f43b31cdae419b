// Removes what an earlier build compiled from sources that are gone since: the compiler leaves it, and it would be published.
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

import { ROOT } from "./ensure-installed.mjs";

/** Removes compiled files that have no source any more. */
export function pruneOutputs() {
  for (const name of readdirSync(path.join(ROOT, "packages"))) {
    const folder = path.join(ROOT, "packages", name);
    prune(path.join(folder, "dist"), path.join(folder, "src"));
  }
  for (const name of ["bin", "src", "plugins"]) prune(path.join(ROOT, "dist", name), path.join(ROOT, name));
}

function prune(outputs, sources) {
  if (!existsSync(outputs)) return;
  for (const output of readdirSync(outputs, { recursive: true, encoding: "utf8" })) {
    const source = sourceOf(output);
    if (source !== undefined && !existsSync(path.join(sources, source))) rmSync(path.join(outputs, output));
  }
}

// Templates of plugins lie among the outputs too; they are copied, and nothing is compiled in there. Chunks and the page have no source of their own: they stay
// until the next bundle is there, lest a build that fails break the last one.
function sourceOf(output) {
  if (output.startsWith("chunks") || output.startsWith(`page${path.sep}`)) return undefined;
  const compiled = /^(?<name>.+?)(?:\.d\.ts|\.js)$/u.exec(output);
  return compiled?.groups === undefined ? undefined : `${compiled.groups.name}.ts`;
}
