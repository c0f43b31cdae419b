import { defineConfig } from "vitest/config";

// `npm test`: everything but the end-to-end tests, on the API server that runs inside the test process.
export default defineConfig({
  test: {
    include: ["api/**/*.test.ts", "internal/**/*.test.ts", "cmd/**/*.test.ts"],
    passWithNoTests: true,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
