import { connect } from "node:net";

/** What came back on a connection. */
export interface RawAnswer {
  readonly status: number;
  /** The lines of the head, after the first. */
  readonly headers: readonly string[];
  readonly body: string;
  /** All that came, other answers on the connection included; bytes are characters. */
  readonly text: string;
}

const DEADLINE_MS = 20_000;

/** Sends bytes, given as Latin-1 characters, to a server on loopback and returns what it answers until it closes the connection. */
export async function sendRaw(port: number, ...parts: readonly string[]): Promise<RawAnswer> {
  const text = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: "127.0.0.1", port });
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error("the server keeps the connection open")));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.once("error", reject);
    socket.once("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    for (const part of parts) socket.write(Buffer.from(part, "latin1"));
  });
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...headers] = head.split("\r\n");
  return { status: Number(first.split(" ")[1]), headers, body: rest.join("\r\n\r\n"), text };
}

/** Prints a request that closes its connection; a length is added for a body. */
export function rawRequest(
  line: string,
  { headers = [], host = "localhost", body = "" }: RawRequestOptions = {},
): string {
  const length = body === "" ? [] : [`Content-Length: ${String(Buffer.byteLength(body, "latin1"))}`];
  return [`${line} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...headers, ...length, "", body].join("\r\n");
}

interface RawRequestOptions {
  readonly headers?: readonly string[];
  readonly host?: string;
  readonly body?: string;
}
