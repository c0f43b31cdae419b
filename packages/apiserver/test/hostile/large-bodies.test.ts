import { beforeAll, describe, expect, it } from "vitest";

import { fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const APPLY = { "Content-Type": "application/apply-patch+yaml" };
const COUNT = 10_000;

// Each takes seconds at most; in the square of its length, minutes.
describe("large bodies", () => {
  let test: TestServer;

  beforeAll(async () => {
    test = new TestServer();
    const text = { type: "string" };
    const keyed = { type: "object", required: ["k"], properties: { k: text, v: text } };
    await test.define(
      fooCrd({
        set: { type: "array", "x-kubernetes-list-type": "set", items: text },
        map: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: keyed },
        enum: { type: "array", items: { type: "string", enum: numbers(5000).map((index) => `e${index}`) } },
        plain: { type: "array", items: text },
      }),
    );
  });

  it.each([
    ["sets", "set", (index: number): unknown => `s${index}`],
    ["lists of type map", "map", (index: number): unknown => ({ k: `k${index}`, v: "x" })],
  ])("with %s are created, applied, patched, and deleted", async (_, field, item) => {
    const path = `${FOOS}/${field}`;
    const body = (items: readonly unknown[]): string =>
      JSON.stringify({
        apiVersion: "example.com/v1",
        kind: "Foo",
        metadata: { name: field },
        spec: { [field]: items },
      });
    const items = numbers(COUNT).map(item);
    const answers = [
      await test.call("PATCH", `${path}?fieldManager=x`, body(items), APPLY),
      await test.call("PATCH", `${path}?fieldManager=x`, body(items.toReversed()), APPLY),
      await test.call("PATCH", `${path}?fieldManager=y`, body(items.slice(1)), APPLY),
      await test.patch(path, { spec: { [field]: items } }),
      await test.delete(path),
    ];
    expect(answers.map(({ code }) => code)).toEqual([201, 200, 200, 200, 200]);
  });

  it("meet long enums", async () => {
    const good = { set: [], enum: numbers(100_000).map((index) => `e${4999 - (index % 5000)}`) };
    expect((await test.post(`${FOOS}?dryRun=All`, fooOf(good))).code).toBe(201);
  });

  it.each([
    ["are in no enum", { enum: Array(COUNT).fill("x") as unknown[] }],
    ["have a wrong type", { plain: numbers(200_000) }],
  ])("are refused with the first of many errors when their items %s", async (_, spec) => {
    const { code, body, text } = await test.post(FOOS, fooOf(spec));
    expect(code).toBe(422);
    expect(body.message).toMatch(/, and \d+ more errors$/);
    expect(text.length).toBeLessThan(40_000_000);
  });

  it("have fields that nobody knows, or twice", async () => {
    const unknown = Object.fromEntries(numbers(150_000).map((index) => [`u${index}`, 1]));
    expect((await test.post(`${FOOS}?dryRun=All`, fooOf(unknown))).code).toBe(201);
    expect((await test.post(`${FOOS}?fieldValidation=Strict`, fooOf(unknown))).code).toBe(400);
    const twice = JSON.stringify(fooOf({})).replace('"spec":{', `"spec":{${'"plain":[],'.repeat(200_000)}"set":[]`);
    expect((await test.post(`${FOOS}?dryRun=All`, twice)).code).toBe(201);
    expect((await test.post(`${FOOS}?fieldValidation=Strict`, twice)).code).toBe(400);
  });
});

function fooOf(spec: object): object {
  return { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "a" }, spec };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
