import { expect, test } from "vitest";

import { freePorts } from "../../src/control-plane/managed-process.ts";

test("free ports are all different", async () => {
  const ports = await freePorts(20);
  expect(new Set(ports).size).toBe(20);
  expect(ports.every((port) => port > 0)).toBe(true);
});
