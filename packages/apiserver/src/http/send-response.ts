import type { Socket } from "node:net";
import { promisify } from "node:util";

import { JoinedText } from "../request/joined-text.ts";
import type { ServerResponse } from "../request/server-request.ts";
import type { Exchange } from "./exchange.ts";
import { encodeHeader } from "./in-process.ts";
import { acceptWebSocket } from "./message-socket.ts";
import { drained, HttpSink } from "./response-sink.ts";

const GZIP_FROM_BYTES = 128 * 1024;

/** Sends the response to a request; a stream is sent until its end, or until the client disconnects. */
export async function sendResponse(answer: ServerResponse, exchange: Exchange): Promise<void> {
  const { response, upgrade } = exchange;
  if (typeof answer.body === "object" && "open" in answer.body) {
    if (upgrade === undefined) throw new TypeError("the connection cannot become a WebSocket");
    response.detachSocket(upgrade.socket as Socket);
    await acceptWebSocket(exchange.message, upgrade, answer.body);
    return;
  }
  if (typeof answer.body === "object" && "tunnel" in answer.body) {
    if (upgrade === undefined) throw new TypeError("the connection cannot be upgraded");
    response.detachSocket(upgrade.socket as Socket);
    answer.body.tunnel(upgrade.socket, upgrade.head);
    return;
  }
  const { code, body } = answer;
  const head = { code, headers: headersOf(answer) };
  if (body instanceof JoinedText) {
    await sendText(body, head, exchange);
  } else if (typeof body === "string" && body.length > LONG_TEXT) {
    await sendText(new JoinedText({ open: body }), head, exchange);
  } else if (typeof body === "string" || body instanceof Uint8Array) {
    await sendWhole(typeof body === "string" ? Buffer.from(body, "utf8") : bufferOf(body), head, exchange);
  } else {
    setHead(response, head);
    body.start(new HttpSink(response), exchange.signal);
  }
}

interface Head {
  readonly code: number;
  /** Names and values in turn, which Node writes much faster than headers that were set one by one. */
  readonly headers: (string | string[])[];
}

function headersOf({ contentType, headers = {} }: ServerResponse): Head["headers"] {
  const all: Head["headers"] = contentType === "" ? [] : ["Content-Type", contentType];
  for (const [name, value] of Object.entries(headers)) {
    all.push(name, typeof value === "string" ? encodeHeader(value) : value.map((item) => encodeHeader(item)));
  }
  return all;
}

function setHead(response: Exchange["response"], { code, headers }: Head): void {
  response.statusCode = code;
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] as string, headers[at + 1] ?? "");
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

async function sendWhole(content: Buffer, { code, headers }: Head, exchange: Exchange): Promise<void> {
  const { message, response } = exchange;
  let body = content;
  if (body.length > GZIP_FROM_BYTES && acceptsGzip(exchange)) {
    // When it is needed: most programs send nothing that long, and reading it takes a millisecond when they start.
    const { gzip } = await import("node:zlib");
    body = await promisify(gzip)(body, { level: 1 });
    headers.push("Content-Encoding", "gzip", "Vary", "Accept-Encoding");
  }
  const isEmpty = code === 204 || code === 304;
  if (!isEmpty) headers.push("Content-Length", String(body.length));
  response.writeHead(code, headers);
  response.end(message.method === "HEAD" || isEmpty ? undefined : body);
}

const LONG_TEXT = 1024 * 1024;
const PIECE_BYTES = 512 * 1024;

// A client reads the first pieces while later ones are encrypted, and the text does not exist as a whole.
async function sendText(text: JoinedText, head: Head, exchange: Exchange): Promise<void> {
  const { message, response } = exchange;
  const { byteLength } = text;
  if (byteLength <= LONG_TEXT || acceptsGzip(exchange)) {
    const [whole = Buffer.alloc(0)] = text.pieces(Buffer.allocUnsafe(byteLength));
    await sendWhole(whole, head, exchange);
    return;
  }
  setHead(response, head);
  response.setHeader("Content-Length", byteLength);
  if (message.method !== "HEAD") {
    // A piece exceeds the high-water mark of the connection, and so is written before the next one overwrites it.
    for (const piece of text.pieces(Buffer.allocUnsafe(PIECE_BYTES))) {
      response.write(piece);
      await drained(response);
      if (response.destroyed) break;
    }
  }
  response.end(undefined);
}

// As kube-apiserver reads the header: without weights.
function acceptsGzip({ message }: Exchange): boolean {
  const codings = [message.headers["accept-encoding"] ?? []].flat().join(",").split(",");
  return codings.some((coding) => coding.trim() === "gzip");
}
