import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { answerMalformedRequests } from "../../src/http/malformed-requests.ts";

describe("malformed requests", () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer({ maxHeaderSize: 1024 }, (_, response) => response.end("hello"));
    answerMalformedRequests(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  // Sends the parts with a pause between them, and returns what the server answers until it closes the connection.
  async function answerTo(...parts: readonly string[]): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const chunks: Buffer[] = [];
    // Read late, so that a reset would discard the answer.
    socket.pause();
    for (const part of parts) {
      socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    socket.on("data", (chunk) => chunks.push(chunk));
    const closed = once(socket, "close");
    socket.resume();
    await closed;
    return Buffer.concat(chunks).toString("latin1");
  }

  it.each([
    [
      "a request line that is too long",
      `GET /${"a".repeat(4096)} HTTP/1.1\r\n\r\n`,
      "431 Request Header Fields Too Large",
    ],
    ["no HTTP", "hello\r\n\r\n", "400 Bad Request"],
  ])("are answered with a status code: %s", async (_, text, status) => {
    expect(await answerTo(text)).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  });

  it("are answered once, and the client reads the answer while it is still sending", async () => {
    const part = "b".repeat(256 * 1024);
    expect(await answerTo(`GET /${"a".repeat(4096)}`, part, part, part)).toMatch(
      /^HTTP\/1\.1 431 [^\n]*\r\nConnection: close\r\n\r\n$/u,
    );
  });

  it("that follow a request are answered after its response", async () => {
    const answer = await answerTo("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "nonsense\r\n\r\n");
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/gu)].map(([, code]) => code)).toEqual(["200", "400"]);
  });
});
