// Go programs that a folder below hack/ pins in its go.mod, actionlint, cosign, helm, krew, and setup-envtest. Each is built once per version, into the user's cache folder.
// `node scripts/pinned-go-tool.mjs <name>` builds one and prints its path.
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { ROOT } from "./ensure-installed.mjs";
import { buildGoProgram, CACHE, EXECUTABLE_SUFFIX } from "./go-programs.mjs";

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(buildPinnedTool(process.argv[2] ?? ""));

/** Returns the path of a pinned program, having built it where it is missing. Throws when the build fails. */
export function buildPinnedTool(name) {
  const { module, source, version, program } = pinnedTool(name);
  if (existsSync(program)) return program;
  mkdirSync(path.dirname(program), { recursive: true });
  console.error(`building ${name} ${version} …`);
  const staging = `${program}.${String(process.pid)}`;
  buildGoProgram({ module, source, output: staging });
  renameSync(staging, program);
  return program;
}

/** Returns where a pinned program is, or would be. */
export function pinnedToolPath(name) {
  return pinnedTool(name).program;
}

function pinnedTool(name) {
  const module = path.join(ROOT, "hack", name);
  const goMod = path.join(module, "go.mod");
  const lines = existsSync(goMod)
    ? readFileSync(goMod, "utf8")
        .split("\n")
        .map((line) => line.trim())
    : [];
  const source = lines.find((line) => line.startsWith("tool "))?.slice("tool ".length);
  // The module of a program is the longest whose path is the program's or its beginning.
  const [, version] =
    lines
      .map((line) => line.split(" "))
      .filter(([required = ""]) => source === required || source?.startsWith(`${required}/`))
      .toSorted(([left], [right]) => right.length - left.length)[0] ?? [];
  if (source === undefined || version === undefined) throw new Error(`hack/${name}/go.mod pins no program`);
  return { module, source, version, program: path.join(CACHE, name, version, `${name}${EXECUTABLE_SUFFIX}`) };
}
