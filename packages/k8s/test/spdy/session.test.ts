import { duplexPair, type Duplex } from "node:stream";
import { buffer, text } from "node:stream/consumers";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { encodeFrame, FrameReader, type SpdyFrame } from "../../src/spdy/frames.ts";
import { HeaderCodec } from "../../src/spdy/headers.ts";
import { SpdySession, type SpdyTransport } from "../../src/spdy/session.ts";
import type { SpdyStream } from "../../src/spdy/stream.ts";

function transportOf(stream: Duplex): SpdyTransport {
  stream.on("error", () => undefined);
  return {
    chunks: () => stream as AsyncIterable<Uint8Array>,
    write: async (bytes) => {
      await new Promise<void>((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
    },
    close: () => {
      stream.end();
    },
  };
}

const HEADERS = new Map([["streamtype", ["data"]]]);

let ends: readonly [Duplex, Duplex];
let accepted: SpdyStream[];
let client: SpdySession;

beforeEach(() => {
  ends = duplexPair();
  accepted = [];
  client = new SpdySession(transportOf(ends[0]), { role: "client" });
});

afterEach(() => client.close());

function startServer(accept: (stream: SpdyStream) => boolean = () => true): SpdySession {
  return new SpdySession(transportOf(ends[1]), {
    role: "server",
    accept: (stream) => {
      accepted.push(stream);
      return accept(stream);
    },
  });
}

async function closed(stream: SpdyStream): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.once("close", () => resolve());
  });
}

// Speaks frames as the peer of the client.
function rawPeer(): { readonly frames: SpdyFrame[]; send: (frame: SpdyFrame) => void; readonly codec: HeaderCodec } {
  const frames: SpdyFrame[] = [];
  const reader = new FrameReader();
  ends[1].on("error", () => undefined);
  ends[1].on("data", (chunk: Buffer) => frames.push(...reader.push(chunk)));
  return { frames, codec: new HeaderCodec(), send: (frame) => void ends[1].write(encodeFrame(frame)) };
}

describe("a session", () => {
  it("carries streams in both directions, with their headers", async () => {
    startServer((stream) => {
      stream.pipe(stream);
      return true;
    });
    const streams = await Promise.all([client.open(HEADERS), client.open(new Map([["port", ["80", "81"]]]))]);
    const texts = streams.map(async (stream, index) => {
      stream.end(`stream ${String(index)}`);
      return await text(stream);
    });
    expect(await Promise.all(texts)).toEqual(["stream 0", "stream 1"]);
    expect(accepted.map(({ id, headers }) => [id, ...headers])).toEqual([
      [1, ["streamtype", ["data"]]],
      [3, ["port", ["80", "81"]]],
    ]);
  });

  it("transfers megabytes without loss", async () => {
    startServer((stream) => {
      stream.pipe(stream);
      return true;
    });
    const stream = await client.open(HEADERS);
    const data = Buffer.alloc(3 * 1024 * 1024 + 17, "0123456789abcdef");
    stream.end(data);
    expect((await buffer(stream)).equals(data)).toBe(true);
  });

  it("stops reading while a stream is not consumed", async () => {
    startServer();
    const stream = await client.open(HEADERS);
    let written = 0;
    const block = Buffer.alloc(64 * 1024);
    const pump = (): void => {
      stream.write(block, (error) => {
        if (error) return;
        written += block.length;
        if (written < 64 * 1024 * 1024) pump();
      });
    };
    pump();
    let before = -1;
    await vi.waitFor(
      () => {
        const last = before;
        before = written;
        expect(written).toBe(last);
      },
      { interval: 100, timeout: 5000 },
    );
    expect(written).toBeLessThan(4 * 1024 * 1024);
  });

  it("reports streams that the peer refuses or resets", async () => {
    startServer((stream) => stream.id !== 1);
    await expect(client.open(HEADERS)).rejects.toThrow("reset the stream with the status 3");
    const stream = await client.open(HEADERS);
    const failed = closed(stream);
    accepted[1]?.destroy();
    await failed;
    expect(stream.errored).toMatchObject({ code: "STREAM_SPDY" });
  });

  it("explains a reset with what another stream reported just before", async () => {
    startServer();
    const [report, data] = await Promise.all([client.open(HEADERS), client.open(HEADERS)]);
    let reported = "";
    report.on("data", (chunk: Buffer) => {
      reported += chunk.toString();
    });
    data.explainWith((error) => (reported === "" ? error : new TypeError(reported)));
    const failed = closed(data);
    const [reportEnd, dataEnd] = accepted;
    reportEnd?.write("no such port", () => {
      dataEnd?.destroy();
      reportEnd.destroy();
    });
    await failed;
    expect(data.errored).toMatchObject({ message: "no such port" });
  });

  it("fails its streams when it is closed or the connection breaks", async () => {
    const server = startServer();
    const stream = await client.open(HEADERS);
    const ended = closed(stream);
    server.close();
    await ended;
    expect(stream.errored).toMatchObject({ code: "STREAM_SPDY" });
    await expect(client.open(HEADERS)).rejects.toMatchObject({ code: "STREAM_SPDY" });
    expect(client.closed.aborted).toBe(true);
  });

  it("opens no streams after a GOAWAY", async () => {
    const peer = rawPeer();
    peer.send({ kind: "goaway", lastGoodStreamId: 0, status: 0 });
    peer.send({ kind: "ping", id: 2 });
    await vi.waitFor(() => expect(peer.frames).toEqual([{ kind: "ping", id: 2 }]));
    await expect(client.open(HEADERS)).rejects.toThrow("no more streams");
  });

  it("answers pings, and ignores settings and window updates", async () => {
    const peer = rawPeer();
    peer.send({ kind: "settings", flags: 0, entries: [{ flags: 0, id: 7, value: 1 }] });
    peer.send({ kind: "window-update", streamId: 1, delta: 5 });
    peer.send({ kind: "ping", id: 1 });
    peer.send({ kind: "ping", id: 2 });
    await vi.waitFor(() => expect(peer.frames).toEqual([{ kind: "ping", id: 2 }]));
  });

  it.each([
    ["a stream whose ID is one of this end", async (peer: ReturnType<typeof rawPeer>) => synStream(peer, 1)],
    ["bytes that are no frame", async (_peer: ReturnType<typeof rawPeer>) => void ends[1].write(Buffer.alloc(8))],
    [
      "a header block that is not compressed",
      async (peer: ReturnType<typeof rawPeer>) =>
        peer.send({ kind: "syn-reply", streamId: 1, isFin: false, headerBlock: Buffer.from("hello") }),
    ],
  ])("closes the connection after %s", async (_title, attack) => {
    const peer = rawPeer();
    await attack(peer);
    await vi.waitFor(() => expect(client.closed.aborted).toBe(true));
    expect(client.closed.reason).toMatchObject({ code: "STREAM_SPDY" });
    await vi.waitFor(() => expect(peer.frames.at(-1)).toEqual({ kind: "goaway", lastGoodStreamId: 0, status: 1 }));
  });

  it("refuses streams of the peer by default, and more than 1000 at once", async () => {
    const peer = rawPeer();
    await synStream(peer, 2);
    await vi.waitFor(() => expect(peer.frames).toEqual([{ kind: "rst-stream", streamId: 2, status: 3 }]));
    client.close();
    ends = duplexPair();
    const server = startServer();
    client = new SpdySession(transportOf(ends[0]), { role: "client" });
    const opened = await Promise.allSettled(Array.from({ length: 1001 }, async () => client.open(HEADERS)));
    expect(opened.filter(({ status }) => status === "rejected")).toHaveLength(1);
    server.close();
  });

  it("resets data for streams that were never opened, and drops data for closed ones", async () => {
    const peer = rawPeer();
    peer.send({ kind: "data", streamId: 5, isFin: false, data: Buffer.from("x") });
    await vi.waitFor(() => expect(peer.frames).toEqual([{ kind: "rst-stream", streamId: 5, status: 2 }]));
  });
});

async function synStream(peer: ReturnType<typeof rawPeer>, streamId: number): Promise<void> {
  const headerBlock = await peer.codec.encode(HEADERS);
  const head = { associatedStreamId: 0, priority: 0, isFin: false, isUnidirectional: false } as const;
  peer.send({ kind: "syn-stream", streamId, ...head, headerBlock });
}
