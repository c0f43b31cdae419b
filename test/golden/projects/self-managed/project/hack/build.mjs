// Bundles the manager and its dependencies into dist/manager.mjs, and lists the contents of the bundle in dist/manager.meta.json.
import { writeFileSync } from "node:fs";

import { build } from "esbuild";

// CommonJS dependencies call `require`, which ES modules do not have.
const banner =
  'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);';

const { metafile } = await build({
  entryPoints: ["cmd/main.ts"],
  outfile: "dist/manager.mjs",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // Maps stack traces and breakpoints to the project's files; the map contains no sources.
  sourcemap: "inline",
  sourcesContent: false,
  banner: { js: banner },
  logLevel: "warning",
  metafile: true,
});

writeFileSync("dist/manager.meta.json", JSON.stringify(metafile));
