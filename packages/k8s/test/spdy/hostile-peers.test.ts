import { duplexPair, type Duplex } from "node:stream";

import { settle } from "@kubescaffold/platform/clock";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";

import { encodeFrame, FrameReader, type SpdyFrame } from "../../src/spdy/frames.ts";
import { HeaderCodec } from "../../src/spdy/headers.ts";
import { SpdySession } from "../../src/spdy/session.ts";
import type { SpdyStream } from "../../src/spdy/stream.ts";

/** A step of a hostile peer: a frame, or bytes; `compress` makes the block of a frame valid for the connection. */
type Step =
  | { readonly kind: "frame"; readonly frame: SpdyFrame; readonly compress: boolean }
  | { readonly kind: "bytes"; readonly bytes: Buffer };

// Few IDs, so that streams are opened twice, used before, and used after their end.
const streamId = fc.integer({ min: 1, max: 9 });
const bytes = fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each));
const isFin = fc.boolean();
const synStream = fc.record({
  kind: fc.constant("syn-stream" as const),
  streamId,
  associatedStreamId: fc.nat({ max: 3 }),
  priority: fc.nat({ max: 7 }),
  isFin,
  isUnidirectional: fc.boolean(),
  headerBlock: bytes,
});
const withHeaders = fc.record({
  kind: fc.constantFrom("syn-reply" as const, "headers" as const),
  streamId,
  isFin,
  headerBlock: bytes,
});
const frames: fc.Arbitrary<SpdyFrame> = fc.oneof(
  { arbitrary: synStream, weight: 4 },
  withHeaders,
  { arbitrary: fc.record({ kind: fc.constant("data" as const), streamId, isFin, data: bytes }), weight: 3 },
  fc.record({ kind: fc.constant("rst-stream" as const), streamId, status: fc.nat({ max: 12 }) }),
  fc.record({ kind: fc.constant("ping" as const), id: fc.nat({ max: 4 }) }),
  fc.record({ kind: fc.constant("goaway" as const), lastGoodStreamId: fc.nat({ max: 9 }), status: fc.nat({ max: 3 }) }),
  fc.record({
    kind: fc.constant("window-update" as const),
    streamId: fc.nat({ max: 9 }),
    delta: fc.nat({ max: 0x7f_ff_ff_ff }),
  }),
);
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant("frame" as const),
      frame: frames,
      // Garbage ends the connection, and with it the attack.
      compress: fc.nat({ max: 9 }).map((each) => each > 0),
    }),
    weight: 20,
  },
  fc.record({ kind: fc.constant("bytes" as const), bytes }),
);

interface Peer {
  readonly session: SpdySession;
  readonly accepted: SpdyStream[];
  readonly answers: SpdyFrame[];
  readonly end: Duplex;
  readonly codec: HeaderCodec;
}

function startServer(accept: (stream: SpdyStream) => boolean = () => true): Peer {
  const [end, serverEnd] = duplexPair();
  const answers: SpdyFrame[] = [];
  const accepted: SpdyStream[] = [];
  const reader = new FrameReader();
  for (const each of [end, serverEnd]) each.on("error", () => undefined);
  end.on("data", (chunk: Buffer) => answers.push(...reader.push(chunk)));
  const session = new SpdySession(
    {
      chunks: () => serverEnd,
      write: async (data) => {
        await new Promise<void>((resolve, reject) => {
          serverEnd.write(data, (error) => (error ? reject(error) : resolve()));
        });
      },
      close: () => serverEnd.destroy(),
      closed: (listener) => void serverEnd.once("close", listener),
    },
    {
      role: "server",
      accept: (stream) => {
        if (!accept(stream)) return false;
        accepted.push(stream);
        stream.pipe(stream);
        return true;
      },
    },
  );
  return { session, accepted, answers, end, codec: new HeaderCodec() };
}

const HEADERS = new Map([["streamtype", ["data"]]]);

async function bytesOf(step: Step, codec: HeaderCodec): Promise<Buffer> {
  if (step.kind === "bytes") return step.bytes;
  const { frame } = step;
  if (!("headerBlock" in frame) || !step.compress) return encodeFrame(frame);
  return encodeFrame({ ...frame, headerBlock: await codec.encode(HEADERS) });
}

async function openStream({ end, codec }: Peer, id: number): Promise<void> {
  const head = { associatedStreamId: 0, priority: 0, isFin: false, isUnidirectional: false } as const;
  const headerBlock = await codec.encode(HEADERS);
  end.write(encodeFrame({ kind: "syn-stream", streamId: id, ...head, headerBlock }));
}

// Resolves when the session has handled all that was sent before, or is closed.
async function handled({ session, answers, end }: Peer, id: number): Promise<void> {
  end.write(encodeFrame({ kind: "ping", id }));
  await vi.waitFor(() => {
    expect(session.closed.aborted || answers.some((frame) => frame.kind === "ping" && frame.id === id)).toBe(true);
  });
}

describe("a session with a hostile peer", () => {
  it("goes on or ends with an error of SPDY, and leaves no stream open", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 30 }), async (attack) => {
        const peer = startServer();
        for (const step of attack) peer.end.write(await bytesOf(step, peer.codec));
        peer.end.end();
        if (!peer.session.closed.aborted) {
          await new Promise<void>((resolve) => {
            peer.session.closed.addEventListener("abort", () => resolve(), { once: true });
          });
        }
        await settle();
        expect(peer.session.closed.reason).toMatchObject({ code: "STREAM_SPDY" });
        expect(peer.accepted.every((stream) => stream.destroyed)).toBe(true);
        // Each ID is accepted once, and each step has at most one answer and the echo of its data.
        expect(new Set(peer.accepted.map(({ id }) => id)).size).toBe(peer.accepted.length);
        expect(peer.answers.length).toBeLessThanOrEqual(2 * attack.length + 1);
        peer.codec.close();
      }),
      { numRuns: 200 },
    );
  });

  it("stores at most 1,000 streams, however many are opened, and accepts others when they end", async () => {
    const peer = startServer();
    for (let id = 1; id <= 4001; id += 2) await openStream(peer, id);
    await handled(peer, 1);
    expect(peer.accepted).toHaveLength(1000);
    const refused = peer.answers.filter((frame) => frame.kind === "rst-stream");
    expect([refused.length, new Set(refused.map(({ status }) => status))]).toEqual([1001, new Set([3])]);
    peer.end.write(encodeFrame({ kind: "rst-stream", streamId: 1, status: 5 }));
    await openStream(peer, 4003);
    await handled(peer, 3);
    expect(peer.accepted).toHaveLength(1001);
    peer.session.close();
    peer.codec.close();
  });

  it.each([1, 3])("ends when the ID of an open or ended stream is used again: %i", async (again) => {
    const peer = startServer();
    await openStream(peer, 1);
    await openStream(peer, 3);
    peer.end.write(encodeFrame({ kind: "rst-stream", streamId: 1, status: 5 }));
    await handled(peer, 1);
    expect(peer.session.closed.aborted).toBe(false);
    await openStream(peer, again);
    await handled(peer, 3);
    expect(peer.session.closed.reason).toMatchObject({ message: expect.stringContaining("wrong ID") as string });
    expect(peer.accepted).toHaveLength(2);
    peer.codec.close();
  });

  it("resets a stream on which data follows the end, and the others go on", async () => {
    const peer = startServer();
    await openStream(peer, 1);
    peer.end.write(encodeFrame({ kind: "data", streamId: 1, isFin: true, data: Buffer.from("x") }));
    peer.end.write(encodeFrame({ kind: "data", streamId: 1, isFin: false, data: Buffer.from("y") }));
    await openStream(peer, 3);
    await handled(peer, 1);
    expect(peer.accepted.map(({ id, destroyed }) => [id, destroyed])).toEqual([
      [1, true],
      [3, false],
    ]);
    peer.session.close();
    peer.codec.close();
  });

  it("does not store what a peer that does not read should get", async () => {
    let reads = 0;
    let writes = 0;
    const session = new SpdySession(
      {
        async *chunks() {
          for (; reads < 1000; reads += 1) {
            await settle();
            yield encodeFrame({ kind: "ping", id: 1 });
          }
        },
        write: async () => {
          writes += 1;
          await new Promise<void>(() => undefined);
        },
        close: () => undefined,
      },
      { role: "server" },
    );
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect([reads, writes]).toEqual([0, 1]);
    session.close();
  });

  it("ends when the headers of a stream expand to more than 16 KiB, and stores none of them", async () => {
    const peer = startServer();
    const headerBlock = await peer.codec.encode(new Map([["streamtype", ["x".repeat(17 * 1024)]]]));
    expect(headerBlock.length).toBeLessThan(200);
    const head = { associatedStreamId: 0, priority: 0, isFin: false, isUnidirectional: false } as const;
    peer.end.write(encodeFrame({ kind: "syn-stream", streamId: 1, ...head, headerBlock }));
    await handled(peer, 1);
    expect(peer.session.closed.reason).toMatchObject({
      message: expect.stringContaining("more than 16384 bytes") as string,
    });
    expect(peer.accepted).toEqual([]);
    peer.codec.close();
  });
});

describe("a frame that arrives in tiny chunks", () => {
  it("is stored in one buffer, not as chunks, which take more memory than their bytes", () => {
    const data = Buffer.alloc(100_000, "0123456789");
    const encoded = encodeFrame({ kind: "data", streamId: 1, isFin: true, data });
    const reader = new FrameReader();
    const chunk = Buffer.alloc(1);
    const read: SpdyFrame[] = [];
    for (const byte of encoded) {
      // The socket may use a chunk again as soon as nothing refers to it.
      chunk[0] = byte;
      read.push(...reader.push(chunk));
    }
    expect(read).toEqual([{ kind: "data", streamId: 1, isFin: true, data }]);
  });
});
