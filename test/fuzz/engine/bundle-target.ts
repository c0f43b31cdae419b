import { readFile } from "node:fs/promises";
import path from "node:path";

import { build, type Plugin } from "esbuild";

import { COUNTERS } from "./counters.ts";
import { instrument } from "./instrument.ts";

const ENGINE = import.meta.dirname;
const ROOT = path.resolve(ENGINE, "../../..");

/** Bundles a target with the loop that fuzzes it, counters in our sources and in the parsers they use; returns the number of counters. */
export async function bundleTarget(name: string, outfile: string): Promise<number> {
  let counters = 0;
  const coverage: Plugin = {
    name: "coverage",
    setup: (builder) => {
      builder.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path: file }) => {
        if (!isInstrumented(file)) return undefined;
        const code = await readFile(file, "utf8");
        return { contents: instrument(code, file, () => counters++), loader: file.endsWith("ts") ? "ts" : "js" };
      });
    },
  };
  await build({
    stdin: {
      contents: `import { target } from "../targets/${name}.ts";\nimport { serveFuzzer } from "./fuzz-worker.ts";\nserveFuzzer(target);`,
      resolveDir: ENGINE,
      sourcefile: "entry.ts",
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@kubescaffold/source"],
    external: ["ts-morph", "esbuild"],
    // Modules count while they load, too.
    banner: {
      js: `import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url); globalThis.${COUNTERS} = new Uint8Array(${String(MOST_COUNTERS)});`,
    },
    sourcemap: "inline",
    logLevel: "error",
    plugins: [coverage],
  });
  return counters;
}

const MOST_COUNTERS = 200_000;

const PARSERS = /[\\/]node_modules[\\/](?:js-yaml|yaml|@marcbachmann[\\/]cel-js)[\\/]/u;

// Generated tables of types have no branches worth counting.
function isInstrumented(file: string): boolean {
  const relative = path.relative(ROOT, file).replaceAll("\\", "/");
  return (
    PARSERS.test(file) ||
    (/^(?:src|plugins|packages\/[^/]+\/src)\//u.test(relative) && !/\/(?:api|tables)\//u.test(relative))
  );
}
