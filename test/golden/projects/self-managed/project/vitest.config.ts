import { defineConfig } from "vitest/config";

// `npm test`: all tests except the end-to-end tests, with the embedded API server.
export default defineConfig({
  test: {
    include: ["api/**/*.test.ts", "internal/**/*.test.ts", "cmd/**/*.test.ts"],
    passWithNoTests: true,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
