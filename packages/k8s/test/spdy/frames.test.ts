import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { encodeFrame, FrameReader, type SpdyFrame } from "../../src/spdy/frames.ts";

const streamId = fc.integer({ min: 1, max: 0x7f_ff_ff_ff });
const word = fc.integer({ min: 0, max: 0xff_ff_ff_ff });
const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each));

const frames: fc.Arbitrary<SpdyFrame> = fc.oneof(
  fc.record({
    kind: fc.constant("syn-stream" as const),
    streamId,
    associatedStreamId: fc.integer({ min: 0, max: 0x7f_ff_ff_ff }),
    priority: fc.integer({ min: 0, max: 7 }),
    isFin: fc.boolean(),
    isUnidirectional: fc.boolean(),
    headerBlock: bytes,
  }),
  fc.record({
    kind: fc.constantFrom("syn-reply" as const, "headers" as const),
    streamId,
    isFin: fc.boolean(),
    headerBlock: bytes,
  }),
  fc.record({ kind: fc.constant("rst-stream" as const), streamId, status: word }),
  fc.record({
    kind: fc.constant("settings" as const),
    flags: fc.integer({ min: 0, max: 1 }),
    entries: fc.array(
      fc.record({ flags: fc.integer({ min: 0, max: 3 }), id: fc.integer({ min: 0, max: 0xff_ff_ff }), value: word }),
      { maxLength: 5 },
    ),
  }),
  fc.record({ kind: fc.constant("ping" as const), id: word }),
  fc.record({
    kind: fc.constant("goaway" as const),
    lastGoodStreamId: fc.integer({ min: 0, max: 0x7f_ff_ff_ff }),
    status: word,
  }),
  fc.record({
    kind: fc.constant("window-update" as const),
    streamId: fc.integer({ min: 0, max: 0x7f_ff_ff_ff }),
    delta: fc.integer({ min: 0, max: 0x7f_ff_ff_ff }),
  }),
  fc.record({ kind: fc.constant("data" as const), streamId, isFin: fc.boolean(), data: bytes }),
);

// Splits bytes at arbitrary positions.
function split(all: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let rest = all;
  for (const size of sizes) {
    chunks.push(rest.subarray(0, size));
    rest = rest.subarray(size);
  }
  return [...chunks, rest];
}

function failureOf(input: Buffer): string | undefined {
  try {
    new FrameReader().push(input);
    return undefined;
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error);
  }
}

describe("frames", () => {
  it("are read as they were written, regardless of the chunks that they arrive in", () => {
    fc.assert(
      fc.property(fc.array(frames, { maxLength: 10 }), fc.array(fc.integer({ min: 0, max: 40 })), (written, sizes) => {
        const reader = new FrameReader();
        const chunks = split(Buffer.concat(written.map((frame) => encodeFrame(frame))), sizes);
        expect(chunks.flatMap((chunk) => reader.push(chunk))).toEqual(written);
      }),
    );
  });

  it("of any bytes are read or refused with an error of SPDY, and stay bounded", () => {
    const bits = fc.uint8Array({ maxLength: 64 });
    const control = fc
      .tuple(fc.integer({ min: 0, max: 12 }), bits)
      .map(([type, payload]) => [0x80, 3, 0, type, 0, 0, 0, payload.length, ...payload]);
    fc.assert(
      fc.property(fc.oneof(bits, control), (input) => {
        expect([undefined, "STREAM_SPDY"]).toContain(failureOf(Buffer.from(input)));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["another version", [0x80, 2, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1], "unsupported version 2"],
    ["stream 0", [0, 0, 0, 0, 0, 0, 0, 0], "the stream ID 0"],
    ["a short PING", [0x80, 3, 0, 6, 0, 0, 0, 2, 0, 0], "PING frame has an invalid length"],
    ["a long control frame, before it arrives", [0x80, 3, 0, 1, 0, 0x7f, 0xff, 0xff], "8388607 bytes"],
    [
      "more settings than bytes",
      [0x80, 3, 0, 4, 0, 0, 0, 4, 0xff, 0xff, 0xff, 0xff],
      "SETTINGS frame has an invalid length",
    ],
  ])("with %s are refused", (_title, input, message) => {
    expect(() => new FrameReader().push(Buffer.from(input))).toThrow(message);
  });

  it("of unknown types are skipped", () => {
    const unknown = Buffer.from([0x80, 3, 0, 11, 0, 0, 0, 2, 1, 2]);
    const ping: SpdyFrame = { kind: "ping", id: 7 };
    expect(new FrameReader().push(Buffer.concat([unknown, encodeFrame(ping)]))).toEqual([ping]);
  });

  it("that arrive byte by byte cost time in proportion to their length", () => {
    const reader = new FrameReader();
    const frame = encodeFrame({ kind: "data", streamId: 1, isFin: true, data: Buffer.alloc(300_000) });
    let count = 0;
    for (let index = 0; index < frame.length; index += 1) count += reader.push(frame.subarray(index, index + 1)).length;
    expect(count).toBe(1);
  });
});
