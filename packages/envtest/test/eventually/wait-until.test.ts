import { expect, test } from "vitest";

import { waitUntil } from "../../src/eventually/wait-until.ts";

test("returns the first result that is one", async () => {
  const results = [undefined, false as const, "yes"];
  expect(await waitUntil(async () => results.shift(), { what: "it", timeoutMs: 10_000, intervalMs: 1 })).toBe("yes");
});

test("gives up in time and says what it waited for", async () => {
  await expect(
    waitUntil(async () => false as const, { what: "rain", timeoutMs: 1, intervalMs: 1 }),
  ).rejects.toMatchObject({ code: "ENVTEST_TIMEOUT", message: "timed out waiting for rain after 1 ms" });
});

test("does not hide what the probe throws", async () => {
  await expect(
    waitUntil(async () => Promise.reject(new TypeError("broken")), { what: "it", timeoutMs: 1000 }),
  ).rejects.toThrow("broken");
});
