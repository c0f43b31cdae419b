import { defineConfig } from "vitest/config";

// `npm run test-e2e`: tests the operator in a kind cluster.
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 900_000,
  },
});
