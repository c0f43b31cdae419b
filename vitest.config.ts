import { defineConfig } from "vitest/config";

import { LongestFirst } from "./test/support/longest-first.ts";
import { useMemoryForTemporaryFolders } from "./test/support/memory-folder.ts";

useMemoryForTemporaryFolders();

const PACKAGES = ["k8s", "schema", "runtime", "apiserver", "envtest"];
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
      ...PACKAGES.map((name) => ({
        resolve,
        ssr,
        test: {
          name,
          isolate,
          root: `packages/${name}`,
          include: ["test/**/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      })),
      {
        resolve,
        ssr,
        test: {
          name: "cli",
          isolate,
          globalSetup: ["test/support/generated-templates.ts", "test/support/installation.ts"],
          include: ["test/**/*.test.ts", "plugins/*/test/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
