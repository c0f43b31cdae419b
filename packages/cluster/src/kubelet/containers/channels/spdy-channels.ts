import { once } from "node:events";
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";

import { SpdySession, type SpdyStream, type SpdyTransport } from "@kubescaffold/k8s/spdy";
import { CHANNELS } from "@kubescaffold/k8s/streams";
import { type Clock, onAbort } from "@kubescaffold/platform/clock";

import type { ChannelMessage, Channels } from "./channel-codec.ts";
import { CREATION_TIMEOUT_MS, idleTimers } from "./stream-timeouts.ts";

/** The SPDY protocols of exec and attach, the preferred first; version 4 reports the result as a `Status`, version 3 added the resizing of terminals. */
export const SPDY_COMMAND_PROTOCOLS = [
  "v4.channel.k8s.io",
  "v3.channel.k8s.io",
  "v2.channel.k8s.io",
  "channel.k8s.io",
] as const;

/** A SPDY protocol of exec and attach. */
export type SpdyCommandProtocol = (typeof SPDY_COMMAND_PROTOCOLS)[number];

/** The streams that a client must open, by the value of their header `streamtype`. */
export type StreamType = "error" | "stdin" | "stdout" | "stderr" | "resize";

const READ_AHEAD = 16;

/**
 * Waits until the client has opened all expected streams, each once, and returns their channels; other streams are refused.
 *
 * Fails: `SpdyError` if the client closes the connection before; the connection is closed after 30 seconds, and whenever it was idle for 4 hours.
 */
export async function acceptChannels(
  transport: SpdyTransport,
  expected: ReadonlySet<StreamType>,
  clock: Clock,
): Promise<Channels> {
  const streams = new Map<StreamType, SpdyStream>();
  let complete = (): void => undefined;
  const accept = (stream: SpdyStream): boolean => {
    const type = stream.headers.get("streamtype")?.[0] as StreamType;
    if (!expected.has(type) || streams.has(type)) return false;
    streams.set(type, stream);
    if (streams.size === expected.size) complete();
    return true;
  };
  const session = new SpdySession(transport, { role: "server", accept, startIdleTimer: idleTimers(clock) });
  const timer = clock.setTimeout(() => session.close(), CREATION_TIMEOUT_MS);
  await new Promise<void>((resolve) => {
    complete = resolve;
    onAbort(session.closed, resolve);
  });
  timer.cancel();
  if (session.closed.aborted) throw session.closed.reason as Error;
  return new SpdyChannels(session, streams);
}

/** The channels of exec and attach, each of which is a stream of a SPDY connection. */
class SpdyChannels implements Channels {
  readonly canHalfClose = true;
  readonly #session: SpdySession;
  readonly #streams: ReadonlyMap<StreamType, SpdyStream>;

  constructor(session: SpdySession, streams: ReadonlyMap<StreamType, SpdyStream>) {
    this.#session = session;
    this.#streams = streams;
    for (const type of ["error", "stdout", "stderr"] as const) {
      // Clients do not write to these, and what they write must not hold up the others.
      streams.get(type)?.resume();
    }
  }

  get closed(): AbortSignal {
    return this.#session.closed;
  }

  // The streams end before the connection, so that the client gets all of the output.
  close(): void {
    const ends = [...this.#streams.values()].map(async (stream) => {
      stream.end();
      await finished(stream, { readable: false });
    });
    void Promise.allSettled(ends).then(() => this.#session.close());
  }

  async send(channel: number, data: Uint8Array): Promise<void> {
    const stream = this.#streams.get(typeOf(channel));
    if (stream === undefined || data.length === 0) return;
    await new Promise<void>((resolve, reject) => {
      stream.write(data, (error) => (error ? reject(error) : resolve()));
    });
  }

  async *messages(): AsyncIterable<ChannelMessage> {
    const merged = new PassThrough({ objectMode: true, highWaterMark: READ_AHEAD });
    const sources = [CHANNELS.stdin, CHANNELS.resize].map(async (channel) => await this.#read(channel, merged));
    onAbort(this.closed, () => merged.end());
    void Promise.allSettled(sources);
    for await (const message of merged) yield message as ChannelMessage;
  }

  // A stream that the client resets has ended.
  async #read(channel: number, merged: PassThrough): Promise<void> {
    const stream = this.#streams.get(typeOf(channel));
    if (stream === undefined) return;
    const put = async (message: ChannelMessage): Promise<void> => {
      if (!merged.writable || merged.write(message)) return;
      await once(merged, "drain", { signal: this.closed });
    };
    try {
      for await (const data of stream.iterator({ destroyOnReturn: false }))
        await put({ channel, data: data as Buffer });
    } catch {
      // Reported like the end.
    }
    if (channel === CHANNELS.stdin) await put({ channel: CHANNELS.close, data: Buffer.of(channel) });
  }
}

function typeOf(channel: number): StreamType {
  switch (channel) {
    case CHANNELS.stdin:
      return "stdin";
    case CHANNELS.stdout:
      return "stdout";
    case CHANNELS.stderr:
      return "stderr";
    case CHANNELS.resize:
      return "resize";
    default:
      return "error";
  }
}
