import { describe, expect, it } from "vitest";

import { keyOf, splitKey } from "../../src/storage/object-key.ts";

describe("keyOf", () => {
  it.each([
    ["n", "x", "n/x"],
    ["", "x", "x"],
  ])("puts %o and %o together, and splitKey apart", (namespace, name, key) => {
    expect(keyOf({ namespace, name })).toBe(key);
    expect(splitKey(key)).toEqual({ namespace, name });
  });
});
