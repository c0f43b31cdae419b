import { parseLosslessJson } from "@kubescaffold/k8s";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { readList } from "../../src/rest/list-reader.ts";

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (let index = 0; start < bytes.length; index += 1) {
    const end = start + (sizes[index % sizes.length] ?? 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}

const same = (item: unknown): unknown => item;

describe("reading a list", () => {
  it("guarantee 7: gives what a parser of the whole text gives, however the bytes are cut and the text is spaced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(0, 2, "\t"),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
        async (before, items, after, indent, sizes) => {
          const list = { ...before, items, ...after };
          const text = JSON.stringify(list, undefined, indent);
          expect(await readList(chunksOf(Buffer.from(text), sizes), same)).toEqual(parseLosslessJson(text));
        },
      ),
    );
  });

  it.each([
    ['{"items":[]}', { items: [] }],
    ['{"items":null}', { items: null }],
    ['{"metadata":{"items":[1]},"items":[{"a":"]}"}]}', { metadata: { items: [1] }, items: [{ a: "]}" }] }],
    ['{"x\\\\\\"items":[1,2]}', { 'x\\"items': [1, 2] }],
    ['{"kind":"Status","code":500}', { kind: "Status", code: 500 }],
    ["", undefined],
  ])("reads %s", async (text, list) => {
    expect(await readList(chunksOf(Buffer.from(text), [3]), same)).toEqual(list);
  });

  it.each(['{"items":[1', '{"items":[}', "<html>", '{"items":[1 2]}'])("refuses %s", async (text) => {
    await expect(readList(chunksOf(Buffer.from(text), [3]), same)).rejects.toThrow(SyntaxError);
  });

  it("guarantee 7: a list may be longer than the longest string", async () => {
    const item = Buffer.from(`,{"data":"${"x".repeat(2 ** 22)}"}`);
    const count = 130;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"items":[{"data":""}');
      for (let index = 0; index < count; index += 1) yield item;
      yield Buffer.from('],"metadata":{"resourceVersion":"7"}}');
    }
    expect(count * item.length).toBeGreaterThan(0x1f_ff_ff_e8);
    const list = await readList(chunks(), (each) => (each as { data: string }).data.length);
    expect(list?.["metadata"]).toEqual({ resourceVersion: "7" });
    expect(list?.["items"]).toEqual([0, ...Array.from({ length: count }, () => 2 ** 22)]);
  });

  it("guarantee 7: timers run while a response that came at once is read", async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({
      metadata: { name: `m${index}`, namespace: "default" },
      data: { text: "x".repeat(2000), others: Array.from({ length: 20 }, (_value, part) => part) },
    }));
    const body = JSON.stringify({ kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items });
    const transport = async (request: Request): Promise<Response> =>
      request.url.endsWith("/configmaps")
        ? new Response(body, { headers: { "content-type": "application/json" } })
        : Response.json({
            kind: "APIResourceList",
            groupVersion: "v1",
            resources: [{ name: "configmaps", kind: "ConfigMap", namespaced: true, verbs: ["list"] }],
            groups: [],
            versions: ["v1"],
          });
    const client = createClient({ server: "https://fake", transport });
    const turns: number[] = [];
    const timer = setInterval(() => turns.push(performance.now()), 1);
    const list = await client.list({ group: "", version: "v1", kind: "ConfigMap" });
    clearInterval(timer);
    expect(list.items).toHaveLength(items.length);
    expect(turns.length).toBeGreaterThan(3);
  });
});
