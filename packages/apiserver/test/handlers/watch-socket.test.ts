import { describe, expect, it } from "vitest";

import { isWatchSocket, watchSocketAnswer } from "../../src/handlers/watch-socket.ts";
import type { MessageSocket, ResponseSink, ServerRequest, UpgradeBody } from "../../src/request/server-request.ts";

const HANDSHAKE = {
  upgrade: "WebSocket",
  connection: "keep-alive, Upgrade",
  origin: "https://localhost",
  "sec-websocket-key": "a2V5",
  "sec-websocket-version": "13",
};

function requestWith(headers: Readonly<Record<string, string>>, canUpgrade = true): ServerRequest {
  return { header: (name: string) => headers[name], canUpgrade } as ServerRequest;
}

class FakeSocket implements MessageSocket {
  readonly sent: (string | Uint8Array)[] = [];
  readonly closeCodes: number[] = [];
  readonly closing = new AbortController();
  received = 0;
  #release: () => void = () => undefined;
  readonly #held = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  get closed(): AbortSignal {
    return this.closing.signal;
  }

  async *messages(): AsyncGenerator<Buffer> {
    for (let index = 0; index < 100; index += 1) {
      this.received += 1;
      yield Buffer.from("ignored");
    }
  }

  async send(message: string | Uint8Array): Promise<void> {
    this.sent.push(message);
    await this.#held;
  }

  release(): void {
    this.#release();
  }

  close(code: number): void {
    this.closeCodes.push(code);
  }
}

function open(socket: FakeSocket): { readonly sink: ResponseSink; readonly signal: AbortSignal } {
  const started: { sink: ResponseSink; signal: AbortSignal }[] = [];
  const start = (sink: ResponseSink, signal: AbortSignal): void => void started.push({ sink, signal });
  (watchSocketAnswer(requestWith(HANDSHAKE), { start }).body as UpgradeBody).open(socket);
  const [first] = started;
  if (first === undefined) throw new Error("the watch did not start");
  return first;
}

describe("isWatchSocket", () => {
  it("needs a connection that can be upgraded, and both headers", () => {
    expect(isWatchSocket(requestWith(HANDSHAKE))).toBe(true);
    expect(isWatchSocket(requestWith(HANDSHAKE, false))).toBe(false);
    expect(isWatchSocket(requestWith({ ...HANDSHAKE, upgrade: "h2c" }))).toBe(false);
    expect(isWatchSocket(requestWith({ ...HANDSHAKE, connection: "close" }))).toBe(false);
  });
});

describe("watchSocketAnswer", () => {
  it("sends each event as a message, and counts what the client has not taken", async () => {
    const socket = new FakeSocket();
    const { sink } = open(socket);
    sink.write("{}\n");
    sink.write(Buffer.from([1, 2]));
    expect(socket.sent).toEqual(["{}\n", Buffer.from([1, 2])]);
    expect(sink.pendingBytes).toBe(5);
    socket.release();
    await expect.poll(() => sink.pendingBytes).toBe(0);
  });

  it("closes the connection normally at the end of the watch", () => {
    const socket = new FakeSocket();
    open(socket).sink.done();
    expect(socket.closeCodes).toEqual([1000]);
  });

  it("ignores messages of the client, and ends with its connection", async () => {
    const socket = new FakeSocket();
    const { signal } = open(socket);
    await expect.poll(() => socket.received).toBe(100);
    socket.closing.abort();
    expect(signal.aborted).toBe(true);
  });

  it.each([
    ["https://localhost", 101],
    ["/", 101],
    ["null", 403],
    ["mailto:a@b", 403],
    ["https://local host", 403],
  ])("answers the origin %o with %i", (origin, code) => {
    const start = (): void => undefined;
    expect(watchSocketAnswer(requestWith({ ...HANDSHAKE, origin }), { start }).code).toBe(code);
  });
});
