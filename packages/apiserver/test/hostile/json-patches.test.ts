import { beforeAll, describe, expect, it } from "vitest";

import { CONFIG_MAPS, configMap, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const REJECTED = "the server rejected our request due to an error in our request";
const LIMIT = 3 * 1024 * 1024;

describe("JSON patches", () => {
  let test: TestServer;

  beforeAll(async () => {
    test = new TestServer();
    await test.define(fooCrd({ list: { type: "array", items: { type: "string" } } }));
    await test.post(CONFIG_MAPS, configMap("base"));
    await test.post(FOOS, {
      apiVersion: "example.com/v1",
      kind: "Foo",
      metadata: { name: "base" },
      spec: { list: [] },
    });
  });

  it("may have 10000 operations", async () => {
    const add = (length: number): object => Array.from({ length }, () => ({ op: "add", path: "/data/a", value: "2" }));
    expect((await test.patch(`${CONFIG_MAPS}/base`, add(10_000), "json")).code).toBe(200);
    const { code, body } = await test.patch(`${CONFIG_MAPS}/base`, add(10_001), "json");
    expect({ code, ...body }).toMatchObject({
      code: 413,
      reason: "RequestEntityTooLarge",
      message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
    });
  });

  it.each([
    // The text and its quotes.
    [LIMIT / 8 - 2, 200, {}],
    [LIMIT / 8 - 1, 422, { reason: "Invalid", message: REJECTED }],
  ])("may copy 3 MiB, and not a byte more: eight texts of %i", async (length, expectedCode, expected) => {
    const patch = [
      { op: "add", path: "/spec/list", value: ["x".repeat(length)] },
      ...Array.from({ length: 8 }, () => ({ op: "copy", from: "/spec/list/0", path: "/spec/list/-" })),
      { op: "replace", path: "/spec/list", value: [] },
    ];
    const { code, body } = await test.patch(`${FOOS}/base`, patch, "json");
    expect(code).toBe(expectedCode);
    expect(body).toMatchObject(expected);
  });

  it.each([
    ["a list into itself", ["x"], "/spec/list/-"],
    ["an object into itself", {}, "/spec/list/x"],
  ])("may not copy %s ever again", async (_, value, path) => {
    const heap = process.memoryUsage().heapUsed;
    const patch = [
      { op: "add", path: "/spec/list", value },
      ...Array.from({ length: 5000 }, () => ({ op: "copy", from: "/spec/list", path })),
    ];
    expect((await test.patch(`${FOOS}/base`, patch, "json")).code).toBeGreaterThanOrEqual(400);
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(300_000_000);
    expect((await test.get(`${FOOS}/base`)).code).toBe(200);
  });
});
