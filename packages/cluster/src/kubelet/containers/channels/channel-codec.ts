import type { MessageSocket } from "@kubescaffold/apiserver/cluster-api";

/** A message of one of the channels that share a WebSocket. */
export interface ChannelMessage {
  readonly channel: number;
  readonly data: Buffer;
}

/** The channels of exec and attach, of one connection. */
export interface Channels {
  /** Aborts when the connection is closed. */
  readonly closed: AbortSignal;
  /** Whether the client can end its input: with a message of the channel `close` that has the number of the channel. */
  readonly canHalfClose: boolean;
  /** Yields the messages of all channels, no faster than they are consumed. */
  messages(): AsyncIterable<ChannelMessage>;
  /** Resolves when the message has been written. */
  send(channel: number, data: Uint8Array): Promise<void>;
  /** Closes the connection. */
  close(code: number): void;
}

/** The channels of a WebSocket: the first byte of a message is the number of its channel; with base64 that is a digit, and the rest is encoded. */
export class ChannelSocket implements Channels {
  readonly canHalfClose: boolean;
  readonly #socket: MessageSocket;
  readonly #isBase64: boolean;

  constructor(socket: MessageSocket, protocol: string) {
    this.#socket = socket;
    this.canHalfClose = protocol === "v5.channel.k8s.io";
    this.#isBase64 = /(?:^|\.)base64\./u.test(protocol);
  }

  /** Aborts when the connection is closed. */
  get closed(): AbortSignal {
    return this.#socket.closed;
  }

  close(code: number): void {
    this.#socket.close(code);
  }

  async send(channel: number, data: Uint8Array): Promise<void> {
    if (this.#isBase64) {
      await this.#socket.send(String.fromCodePoint(ZERO + channel) + Buffer.from(data).toString("base64"));
    } else {
      await this.#socket.send(Buffer.concat([Buffer.of(channel), data]));
    }
  }

  async *messages(): AsyncIterable<ChannelMessage> {
    for await (const message of this.#socket.messages()) {
      const [first] = message;
      if (first === undefined) continue;
      const rest = message.subarray(1);
      yield this.#isBase64
        ? { channel: (first - ZERO) & 0xff, data: Buffer.from(rest.toString("latin1"), "base64") }
        : { channel: first, data: rest };
    }
  }
}

// The digit of the first channel.
const ZERO = 0x30;
