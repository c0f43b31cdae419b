import { expect, it } from "vitest";

import { isStrictSubset } from "../../src/resources/address-ranges.ts";

it.each([
  ["10.1.0.0/16", "10.0.0.0/8", true],
  ["10.0.0.0/8", "10.0.0.0/8", false],
  ["11.0.0.0/16", "10.0.0.0/8", false],
  ["fd00:1::/32", "fd00::/16", true],
  ["10.1.0.0/16", "fd00::/16", false],
  // As kube-apiserver 1.35.4, which compares the lengths as they are stated.
  ["::ffff:10.0.0.0/104", "10.0.0.0/8", true],
  ["::ffff:11.0.0.0/112", "10.0.0.0/8", false],
  ["10.1.0.0/16", "::ffff:10.0.0.0/104", false],
  ["::ffff:10.1.0.0/112", "::ffff:10.0.0.0/104", true],
])("%s inside of %s: %s", (range, outer, expected) => {
  expect(isStrictSubset(range, outer)).toBe(expected);
});
