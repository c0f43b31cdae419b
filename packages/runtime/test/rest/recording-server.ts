import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";

/** One request as a server of a test got it. */
interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A server of a test that records its requests. */
export interface RecordingServer {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** How many connections were opened so far. */
  readonly connections: number;
  readonly close: () => Promise<void>;
}

/** Answers one request. */
export type Answer = (response: ServerResponse, request: RecordedRequest) => void | Promise<void>;

/** Starts a server on a free loopback port; with TLS options it speaks TLS. */
export async function startServer(answer: Answer, tls?: ServerOptions): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  let connections = 0;
  const listener: RequestListener = (message, response) => {
    void (async () => {
      const request = { ...headOf(message), body: await bodyOf(message) };
      requests.push(request);
      await answer(response, request);
    })();
  };
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on(tls === undefined ? "connection" : "secureConnection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${String(port)}`,
    requests,
    get connections() {
      return connections;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, body: unknown, status: number = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Waits, turn by turn of the event loop, until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200_000; turn += 1) {
    if (holds()) {
      return;
    }
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  throw new Error("what was waited for did not happen");
}

function headOf({ method = "", url = "", headers, rawHeaders }: IncomingMessage): Omit<RecordedRequest, "body"> {
  return { method, url, headers, rawHeaders };
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) {
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString("utf8");
}
