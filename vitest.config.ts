import { configDefaults, defineConfig } from "vitest/config";

import { LongestFirst } from "./test/support/longest-first.ts";
import { useMemoryForTemporaryFolders } from "./test/support/memory-folder.ts";

useMemoryForTemporaryFolders();

// Whole programs, projects that are generated, compiled, and run, hostile input, all recorded answers, and other long tests; `npm run test:e2e` runs them.
const END_TO_END = [
  "packages/envtest/test/conformance/**/*.test.ts",
  "{packages,plugins}/*/test/hostile/**/*.test.ts",
  "test/{e2e,hostile,journeys,packaging,scenarios}/**/*.test.ts",
  "test/**/*.e2e.test.ts",
  "{packages,plugins}/*/test/**/*.e2e.test.ts",
];
const ARCHITECTURE = "test/architecture/**/*.test.ts";
// On a real node; `npm run test:node` runs them in namespaces of their own.
const NODE = "test/node/**/*.test.ts";
const resolve = { conditions: ["@kubescaffold/source"] };
// Test files leave nothing behind, so that those of a worker may share what they load; loading it for each of them is half of the time.
const isolate = false;
const ssr = { resolve: { conditions: ["@kubescaffold/source"] } };

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      // One project, so that what its files load is transformed and evaluated once for all packages.
      {
        name: "unit",
        include: ["{packages,plugins}/*/test/**/*.test.ts", "test/**/*.test.ts"],
        exclude: [...configDefaults.exclude, ...END_TO_END, ARCHITECTURE, NODE],
      },
      // The rules of the source tree; `npm run check` runs them.
      { name: "architecture", include: [ARCHITECTURE], exclude: configDefaults.exclude },
      { name: "e2e", include: END_TO_END, exclude: configDefaults.exclude },
      { name: "node", include: [NODE], exclude: configDefaults.exclude, setup: ["test/node/setup.ts"] },
    ].map(({ setup = [], ...files }) => ({
      resolve,
      ssr,
      test: {
        ...files,
        isolate,
        globalSetup: ["test/support/generated-templates.ts", "test/support/installation.ts", ...setup],
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
