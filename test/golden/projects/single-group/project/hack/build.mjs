/*
Copyright <year> Acme.
*/

// Bundles the manager with all it needs into dist/manager.mjs, and says in dist/manager.meta.json what that is.
import { writeFileSync } from "node:fs";

import { build } from "esbuild";

// Dependencies in the older module format call `require`, which a module does not have by itself.
const banner =
  'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);';

const { metafile } = await build({
  entryPoints: ["cmd/main.ts"],
  outfile: "dist/manager.mjs",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // Where the sources are, not what they say: stack traces and debuggers lead to the files of the project.
  sourcemap: "inline",
  sourcesContent: false,
  banner: { js: banner },
  logLevel: "warning",
  metafile: true,
});

writeFileSync("dist/manager.meta.json", JSON.stringify(metafile));
