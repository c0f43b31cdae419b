import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";

import { onTestFinished } from "vitest";

/** What a hostile server sends on each connection, after the request began. */
export interface HostileAnswer {
  readonly name: string;
  readonly send: (socket: Socket) => void;
}

const HIGH_BYTES = Buffer.from(Array.from({ length: 128 }, (_each, index) => 128 + index));
const JSON_HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** Responses that are no HTTP, broken, endless, or of a kind that nobody expects. */
export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  ...[199, 200, 203, 204, 205, 206, 300, 304, 399, 400, 401, 404, 418, 429, 500, 503, 599, 600, 700, 999].map(
    (status) => text(`the status ${String(status)}`, `HTTP/1.1 ${String(status)} X\r\ncontent-length: 2\r\n\r\n{}`),
  ),
  ...[204, 205, 304, 600, 999].map((status) =>
    text(`the status ${String(status)} alone`, `HTTP/1.1 ${String(status)} X\r\nconnection: close\r\n\r\n`),
  ),
  ...[100, 101, 102, 103].map((status) =>
    text(`the status ${String(status)} alone`, `HTTP/1.1 ${String(status)} X\r\n\r\n`),
  ),
  text("an upgrade", "HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
  text(
    "many informational responses",
    `${"HTTP/1.1 103 X\r\n\r\n".repeat(1000)}${JSON_HEAD}content-length: 2\r\n\r\n{}`,
  ),
  ...["99", "1000", "-200", "2xx", "", "0", "000"].map((status) =>
    text(`the status ${JSON.stringify(status)}`, `HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`),
  ),
  text("a status without a reason", "HTTP/1.1 200\r\ncontent-length: 2\r\n\r\n{}"),
  text("a status line alone", "HTTP/1.1 200 OK\r\n"),
  text("HTTP/0.9", '{"kind":"Status"}'),
  text("HTTP/2", "HTTP/2 200 OK\r\n\r\n"),
  text("HTTP/9.9", "HTTP/9.9 200 OK\r\ncontent-length: 0\r\n\r\n"),
  text("another protocol", "SSH-2.0-OpenSSH_9.0\r\n"),
  text("TLS", "\u0015\u0003\u0001\0\u0002\u0002\u0046"),
  text("random bytes", Buffer.from(Array.from({ length: 4096 }, (_each, index) => (index * 7919) % 256))),
  text("nothing", ""),
  { name: "a reset", send: (socket) => reset(socket) },
  {
    name: "a reset in the body",
    send: (socket) => afterwards(socket, `${JSON_HEAD}content-length: 100\r\n\r\n{"a"`, "reset"),
  },
  text("a cut body", `${JSON_HEAD}content-length: 100\r\n\r\n{"items"`),
  text("a longer body than stated", `${JSON_HEAD}content-length: 1\r\n\r\n{}{}{}`),
  ...["-1", "abc", "1e9", "9".repeat(30), "2, 3", "0x10", " "].map((length) =>
    text(`the length ${JSON.stringify(length)}`, `${JSON_HEAD}content-length: ${length}\r\n\r\n{}`),
  ),
  text("two lengths", `${JSON_HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  text(
    "a length and chunks",
    `${JSON_HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ),
  ...["zz\r\n{}\r\n", "-1\r\n{}\r\n", "ffffffffffffffff\r\n{}\r\n", "2\r\n{}{}\r\n", "2\r\n{}\r\n", "5\r\n{}"].map(
    (chunks) => text(`the chunks ${JSON.stringify(chunks)}`, `${JSON_HEAD}transfer-encoding: chunked\r\n\r\n${chunks}`),
  ),
  text("unknown transfer encodings", `${JSON_HEAD}transfer-encoding: gzip, foo\r\n\r\n{}`),
  text("garbage in gzip", `${JSON_HEAD}content-encoding: gzip\r\ncontent-length: 4\r\n\r\nabcd`),
  text("nothing in gzip", `${JSON_HEAD}content-encoding: gzip\r\ncontent-length: 0\r\n\r\n`),
  body("a cut body in gzip", gzipSync("{}".repeat(1000)).subarray(0, 20), "content-encoding: gzip\r\n"),
  body("a bomb in gzip", gzipSync(Buffer.alloc(64 * 1024 * 1024)), "content-encoding: gzip\r\n"),
  body("an unknown encoding", "{}", "content-encoding: foo\r\n"),
  body("many encodings", "{}", `content-encoding: ${"gzip, ".repeat(1000)}gzip\r\n`),
  body("no body", ""),
  body("HTML", "<!doctype html><title>Login</title>"),
  text("cut HTML", "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 100\r\n\r\n<a href"),
  body("invalid UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x22])),
  body("NUL bytes", Buffer.alloc(1000)),
  ...[
    "null",
    "[]",
    "5",
    '"text"',
    "true",
    "{}",
    '{"kind":"Status"}',
    '{"items":null}',
    '{"items":[null,5,[]]}',
    '{"items":5}',
  ].map((json) => body(`the JSON ${json}`, json)),
  body("a Status of a success that failed", '{"kind":"Status","status":"Failure","code":"x","details":5,"message":{}}'),
  body("a member of all objects", '{"__proto__":{"items":[]},"constructor":5,"items":[{"__proto__":null}]}'),
  body("deep JSON", "[".repeat(200_000)),
  body("deep objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
  body("a large number", `{"items":[${"9".repeat(100_000)}]}`),
  body("cut JSON", '{"items":[{"metadata":{"name":"a"'),
  body("wrong events", '{"type":5,"object":[]}\n{"type":"ADDED"}\n{"type":"ADDED","object":{}}\n'),
  text("a wrong content type", "HTTP/1.1 200 OK\r\ncontent-type: ;;;\r\ncontent-length: 2\r\n\r\n{}"),
  text("no content type", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
  text("a large header", `HTTP/1.1 200 OK\r\nx: ${"x".repeat(1024 * 1024)}\r\n\r\n`),
  text("many headers", `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(100_000)}\r\n`),
  text("a header without a name", "HTTP/1.1 200 OK\r\n: y\r\ncontent-length: 2\r\n\r\n{}"),
  text("a header without a colon", "HTTP/1.1 200 OK\r\nx\r\ncontent-length: 2\r\n\r\n{}"),
  text("a header with control characters", "HTTP/1.1 200 OK\r\nx: a\u0001\u007f\0b\r\ncontent-length: 2\r\n\r\n{}"),
  text(
    "headers of all bytes",
    Buffer.concat([
      Buffer.from("HTTP/1.1 200 OK\r\nwarning: "),
      HIGH_BYTES,
      Buffer.from("\r\ncontent-length: 2\r\n\r\n{}"),
    ]),
  ),
  text("broken warnings", 'HTTP/1.1 200 OK\r\nwarning: 299 "\r\nretry-after: -1e99\r\ncontent-length: 2\r\n\r\n{}'),
  text("a redirect to itself", "HTTP/1.1 302 X\r\nlocation: /\r\ncontent-length: 0\r\n\r\n"),
  text("a redirect to nowhere", "HTTP/1.1 302 X\r\nlocation: http://[\r\ncontent-length: 0\r\n\r\n"),
  text("a redirect to a file", "HTTP/1.1 302 X\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n"),
  text("a redirect without a target", "HTTP/1.1 302 X\r\ncontent-length: 0\r\n\r\n"),
  text(
    "wrong challenges",
    'HTTP/1.1 401 X\r\nwww-authenticate: Bearer realm="http://[",,,\r\ncontent-length: 0\r\n\r\n',
  ),
  text("two responses", `${JSON_HEAD}content-length: 2\r\n\r\n{}${JSON_HEAD}content-length: 2\r\n\r\n[]`),
];

/** Responses that never end, for clients that read a limited number of bytes. */
export const ENDLESS_ANSWERS: readonly HostileAnswer[] = [
  {
    name: "an endless body",
    send: (socket) => endless(socket, `${JSON_HEAD}\r\n`, Buffer.alloc(65_536, "a 1\n")),
  },
  {
    name: "endless chunks of a failure",
    send: (socket) =>
      endless(
        socket,
        "HTTP/1.1 500 X\r\ntransfer-encoding: chunked\r\n\r\n",
        Buffer.from(`10000\r\n${"x".repeat(65_536)}\r\n`),
      ),
  },
  {
    name: "an endless page",
    send: (socket) =>
      endless(
        socket,
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n",
        Buffer.alloc(65_536, '<a href="/x">x</a>\n'),
      ),
  },
  {
    name: "endless headers",
    send: (socket) => endless(socket, "HTTP/1.1 200 OK\r\n", Buffer.from("x: y\r\n".repeat(1000))),
  },
  {
    name: "an endless header",
    send: (socket) => endless(socket, "HTTP/1.1 200 OK\r\nx: ", Buffer.alloc(65_536, "y")),
  },
];

const DRIP_STARTS: Readonly<Record<string, string>> = {
  "a header": "HTTP/1.1 200 OK\r\nx: ",
  "a body": `${JSON_HEAD}\r\n`,
  "a chunk": `${JSON_HEAD}transfer-encoding: chunked\r\n\r\nfffff\r\n`,
  "a page": "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n",
};

/**
 * Returns responses that never end, of which a byte comes in each turn of the event loop, so that no timeout of silence ends them.
 *
 * `onDrip` is called once, when the response has begun to drip; `onEnd` when the client has closed the connection.
 */
export function drippingAnswers({
  onDrip,
  onEnd,
}: {
  readonly onDrip: () => void;
  readonly onEnd: () => void;
}): readonly HostileAnswer[] {
  return Object.entries(DRIP_STARTS).map(([what, start]) => ({
    name: `${what} that drips`,
    send: (socket) => {
      let count = 0;
      const more = (): void => {
        if (socket.destroyed) return;
        socket.write(start[count] ?? "x", "latin1", () => void setImmediate(more));
        count += 1;
        if (count === start.length + DRIPS) onDrip();
      };
      socket.once("close", onEnd);
      more();
    },
  }));
}

// Few enough for the limit of headers, many enough to be a drip.
const DRIPS = 100;

function text(name: string, content: string | Buffer): HostileAnswer {
  return { name, send: (socket) => afterwards(socket, content, "end") };
}

function body(name: string, content: string | Buffer, headers = ""): HostileAnswer {
  const bytes = Buffer.from(content as string);
  const head = Buffer.from(`${JSON_HEAD}${headers}content-length: ${String(bytes.byteLength)}\r\n\r\n`);
  return text(name, Buffer.concat([head, bytes]));
}

function afterwards(socket: Socket, content: string | Buffer, end: "end" | "reset"): void {
  if (end === "end") socket.end(content, "latin1");
  else socket.write(content, () => reset(socket));
}

// A connection with TLS cannot be reset before all was sent.
function reset(socket: Socket): void {
  if ("encrypted" in socket) socket.destroy();
  else socket.resetAndDestroy();
}

function endless(socket: Socket, start: string, piece: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed) {
      if (socket.write(piece)) continue;
      socket.once("drain", more);
      return;
    }
  };
  socket.write(start);
  more();
}

/** A hostile server. */
export interface HostileServer {
  readonly port: number;
  /** What the next connections get. */
  answer: HostileAnswer;
  /** What connections got so far. */
  readonly answered: ReadonlySet<HostileAnswer>;
}

/** Starts a server on the loopback address that sends the same to each connection that a request came from. */
export async function startHostileServer(tls?: {
  readonly cert: string;
  readonly key: string;
}): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const answered = new Set<HostileAnswer>();
  let answer: HostileAnswer = { name: "", send: (socket) => void socket.end() };
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    socket.once("data", () => {
      socket.resume();
      answered.add(answer);
      answer.send(socket);
    });
  };
  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { readonly port: number };
  return {
    port,
    answered,
    get answer() {
      return answer;
    },
    set answer(next) {
      answer = next;
    },
  };
}
