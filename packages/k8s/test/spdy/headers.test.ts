import { deflateSync } from "node:zlib";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { spdyDictionary } from "../../src/spdy/dictionary.ts";
import { HeaderCodec, type SpdyHeaders } from "../../src/spdy/headers.ts";

const name = fc.stringMatching(/^[a-z-]{1,12}$/u);
const headers: fc.Arbitrary<SpdyHeaders> = fc
  .dictionary(name, fc.array(fc.stringMatching(/^[ -~]{0,20}$/u), { minLength: 1, maxLength: 3 }), { maxKeys: 6 })
  .map((each) => new Map(Object.entries(each)));

// The checksum that zlib identifies a dictionary by.
function adler32(bytes: Buffer): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}

function block(text: Buffer): Buffer {
  return deflateSync(text, { dictionary: spdyDictionary(), finishFlush: 2 });
}

describe("header blocks", () => {
  it("are compressed with the dictionary of the protocol", () => {
    expect(spdyDictionary().length).toBe(1423);
    expect(adler32(spdyDictionary()).toString(16)).toBe("e3c6a7c2");
  });

  it("of a connection are decoded in the order of their encoding", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(headers, { maxLength: 5 }), async (all) => {
        const [sender, receiver] = [new HeaderCodec(), new HeaderCodec()];
        for (const each of all) expect(await receiver.decode(await sender.encode(each))).toEqual(each);
        sender.close();
        receiver.close();
      }),
      { numRuns: 50 },
    );
  });

  it("of any bytes are decoded or refused with an error of SPDY", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), fc.boolean(), async (bytes, isCompressed) => {
        const codec = new HeaderCodec();
        const input = isCompressed ? block(Buffer.from(bytes)) : Buffer.from(bytes);
        const [outcome] = await Promise.allSettled([codec.decode(input)]);
        codec.close();
        expect([undefined, "STREAM_SPDY"]).toContain(
          (outcome as { readonly reason?: { readonly code?: string } }).reason?.code,
        );
      }),
    );
  });

  it.each([
    ["that expand to megabytes", Buffer.alloc(64 * 1024 * 1024), "more than 16384 bytes"],
    ["with more headers than bytes", Buffer.from([0xff, 0xff, 0xff, 0xff]), "ends early"],
    ["with a repeated name", Buffer.from("\0\0\0\u{2}\0\0\0\u{1}a\0\0\0\0\0\0\0\u{1}a\0\0\0\0"), "repeated name"],
    ["with capital letters", Buffer.from("\0\0\0\u{1}\0\0\0\u{1}A\0\0\0\0"), "invalid"],
    ["with bytes after the headers", Buffer.from("\0\0\0\0x"), "longer than its headers"],
  ])("%s are refused", async (_title, text, message) => {
    const codec = new HeaderCodec();
    await expect(codec.decode(block(text))).rejects.toThrow(message);
    codec.close();
    await expect(codec.encode(new Map())).rejects.toMatchObject({ code: "STREAM_SPDY" });
  });
});
