import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseJsonLines } from "../../src/rest/json-lines.ts";

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (let index = 0; start < bytes.length; index += 1) {
    const end = start + (sizes[index % sizes.length] ?? 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}

describe("splitting into lines", () => {
  it("gives the same values however the bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.record({ a: fc.string() }))),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (values, sizes) => {
          const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
          const parsed: unknown[] = [];
          for await (const value of parseJsonLines(chunksOf(Buffer.from(text), sizes))) {
            parsed.push(value);
          }
          expect(parsed).toEqual(values);
        },
      ),
    );
  });

  it("a line that is not JSON is an error", async () => {
    const values = parseJsonLines(chunksOf(Buffer.from("{nonsense\n"), [4]));
    await expect(values.next()).rejects.toMatchObject({ code: "CLIENT_UNREADABLE_EVENT" });
  });

  it("a cut last line fails like a broken connection", async () => {
    const values = parseJsonLines(chunksOf(Buffer.from('{"a":'), [4]));
    await expect(values.next()).rejects.toThrow(SyntaxError);
  });
});
