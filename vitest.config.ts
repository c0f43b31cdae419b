import { defineConfig } from "vitest/config";

const PACKAGES = ["k8s", "schema", "runtime", "apiserver", "envtest"];
const resolve = { conditions: ["@kubescaffold/source"] };
const ssr = { resolve: { conditions: ["@kubescaffold/source"] } };

export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      ...PACKAGES.map((name) => ({
        resolve,
        ssr,
        test: {
          name,
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
          include: ["test/**/*.test.ts", "plugins/*/test/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
