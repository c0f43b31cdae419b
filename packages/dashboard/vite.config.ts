import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { defineConfig, type Plugin } from "vite";

const FOLDER = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(FOLDER, "..", "..");
/** Where `scripts/build-dashboard.mjs` reads which files the page contains, for licenses and the SBOM. */
const METAFILE = path.join(FOLDER, "dist", "page", "metafile.json");

const inputs = new Map<string, number>();

// Modules of the page and of its worker are built one after the other, with one record.
function recordInputs(): Plugin {
  return {
    name: "record-inputs",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const [file, { renderedLength }] of Object.entries(chunk.modules)) {
          if (!path.isAbsolute(file)) continue;
          const input = path.relative(ROOT, file.replace(/\?.*$/u, "")).replaceAll("\\", "/");
          inputs.set(input, (inputs.get(input) ?? 0) + renderedLength);
        }
      }
    },
    closeBundle() {
      const files = [...inputs].toSorted(([left], [right]) => (left < right ? -1 : 1));
      const metafile = {
        inputs: Object.fromEntries(files.map(([file]) => [file, {}])),
        outputs: {
          page: { inputs: Object.fromEntries(files.map(([file, bytesInOutput]) => [file, { bytesInOutput }])) },
        },
      };
      // The worker is complete before the folder exists.
      mkdirSync(path.dirname(METAFILE), { recursive: true });
      writeFileSync(METAFILE, `${JSON.stringify(metafile)}\n`);
    },
  };
}

export default defineConfig({
  root: FOLDER,
  base: "./",
  plugins: [recordInputs()],
  worker: { format: "es", plugins: () => [recordInputs()] },
  build: {
    target: "es2022",
    outDir: "dist/page",
    emptyOutDir: true,
    // The content security policy allows no inline code, and no data but images.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    license: false,
  },
});
