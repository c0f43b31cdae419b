import { defineConfig } from "vitest/config";

// `npm run test-e2e`: the operator in a cluster of its own, made by kind.
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 900_000,
  },
});
