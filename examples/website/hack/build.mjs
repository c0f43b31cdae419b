/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

// Bundles the manager and its dependencies into dist/manager.mjs, and lists the contents of the bundle in dist/manager.meta.json.
import { Buffer } from "node:buffer";
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

import { build } from "esbuild";

// CommonJS dependencies call `require`, which ES modules do not have.
const banner =
  'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);';

// Node keeps each position of the source map in memory: 45 MB, nearly all of them in installed packages. A map with one position replaces theirs.
const onePosition = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString("base64");
const mapOwnFilesOnly = {
  name: "map-own-files-only",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, "utf8")}\n//# sourceMappingURL=data:application/json;base64,${onePosition}`,
      loader: "default",
    }));
  },
};

const { metafile } = await build({
  entryPoints: ["cmd/main.ts"],
  outfile: "dist/manager.mjs",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  plugins: [mapOwnFilesOnly],
  // Maps stack traces and breakpoints to the project's files; the map contains no sources.
  sourcemap: "inline",
  sourcesContent: false,
  banner: { js: banner },
  logLevel: "warning",
  metafile: true,
});

writeFileSync("dist/manager.meta.json", JSON.stringify(metafile));
