// Compares random objects of every built-in kind, in protocol buffers and in JSON, with what Go's serializers make of them; `npm run test:oracle` calls it.
//
//   node scripts/protobuf-oracle.mjs [--objects 4] [--seed N]
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { ROOT } from "./ensure-installed.mjs";
import { servedVersions } from "./protobuf-versions.mjs";

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = { objects: { type: "string" }, seed: { type: "string" } };
  const { objects, seed } = parseArgs({ options }).values;
  process.exit(compareWithGo({ objects, seed }));
}

/** Compares so many objects of each kind; returns the exit status. */
export function compareWithGo({ objects = "4", seed = String(Date.now() % 1_000_000) } = {}) {
  console.log(`protobuf: seed ${seed}`);
  const go = spawnSync("go", ["run", "-mod=readonly", ".", "cases", seed, objects, ...servedVersions()], {
    cwd: path.join(ROOT, "hack", "protobuf"),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (go.status !== 0) return 1;
  const compare = path.join(ROOT, "packages", "apiserver", "test", "oracle", "compare-protobuf.ts");
  const { status } = spawnSync(process.execPath, ["--import", "tsx", "--conditions=@kubescaffold/source", compare], {
    input: go.stdout,
    stdio: ["pipe", "inherit", "inherit"],
  });
  return status ?? 1;
}
