import { randomBytes } from "node:crypto";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Duplex } from "node:stream";

import type { RestConfig } from "@kubescaffold/k8s";

/** A request to upgrade the connection. */
export interface UpgradeCall {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to an upgrade: frames of a WebSocket, or a response. */
export type UpgradeAnswer =
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly contentType: string | undefined;
      readonly text: string;
    }
  | { readonly kind: "upgraded"; readonly protocol: string | undefined; readonly socket: FrameSocket };

/** A frame of a server. */
export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Sends a request to become a WebSocket, byte for byte as stated, with the credentials of a config. */
export async function upgrade(config: RestConfig, { path, headers = {} }: UpgradeCall): Promise<UpgradeAnswer> {
  const base = new URL(config.server);
  const { tls = {}, credentials } = config;
  const options = {
    host: base.hostname,
    port: base.port,
    path,
    ca: tls.ca,
    cert: tls.cert,
    key: tls.key,
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": randomBytes(16).toString("base64"),
      ...(credentials?.kind === "token" ? { authorization: `Bearer ${credentials.token}` } : {}),
      ...headers,
    },
  };
  const request = base.protocol === "https:" ? requestHttps(options) : requestHttp(options);
  return await new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (message) => void refusalOf(message).then(resolve, reject));
    request.once("upgrade", (message, socket, head) => {
      resolve({
        kind: "upgraded",
        protocol: message.headers["sec-websocket-protocol"],
        socket: new FrameSocket(socket, head),
      });
    });
    request.end();
  });
}

async function refusalOf(message: IncomingMessage): Promise<UpgradeAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return {
    kind: "refused",
    status: message.statusCode ?? 0,
    contentType: message.headers["content-type"],
    text: Buffer.concat(chunks).toString("utf8"),
  };
}

/** Reads the frames of a server, which are not masked. */
class FrameSocket {
  readonly #socket: Duplex;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer;

  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    this.#rest = head;
    this.#chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Returns the next frame; undefined after the end of the connection. */
  async next(): Promise<Frame | undefined> {
    for (;;) {
      const frame = parseFrame(this.#rest);
      if (frame !== undefined) {
        this.#rest = this.#rest.subarray(frame.length);
        return { opcode: frame.opcode, payload: frame.payload };
      }
      const chunk = await this.#chunks.next();
      if (chunk.done === true) return undefined;
      this.#rest = Buffer.concat([this.#rest, chunk.value]);
    }
  }

  /** Ends the connection. */
  close(): void {
    this.#socket.destroy();
  }
}

function parseFrame(data: Buffer): (Frame & { readonly length: number }) | undefined {
  if (data.length < 2) return undefined;
  const opcode = data.readUInt8(0) & 0x0f;
  const short = data.readUInt8(1) & 0x7f;
  const header = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (data.length < header) return undefined;
  const size = short === 126 ? data.readUInt16BE(2) : short === 127 ? Number(data.readBigUInt64BE(2)) : short;
  if (data.length < header + size) return undefined;
  return { opcode, payload: data.subarray(header, header + size), length: header + size };
}
