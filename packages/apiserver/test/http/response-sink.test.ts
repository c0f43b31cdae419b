import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, describe, expect, it } from "vitest";

import { HttpSink } from "../../src/http/response-sink.ts";
import { rawRequest, sendRaw } from "./raw-request.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

async function serve(handle: Handle): Promise<number> {
  const server = createServer((request, response) => void handle(request, response));
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("a sink on a response", () => {
  it("sends what is written in one turn of the event loop as one chunk", async () => {
    const port = await serve(async (_, response) => {
      const sink = new HttpSink(response);
      sink.write("one ");
      sink.write(Buffer.from("two \u20ac"));
      sink.write("");
      expect(sink.pendingBytes).toBeGreaterThanOrEqual(11);
      await nextTurn();
      sink.write("x".repeat(20));
      await nextTurn();
      sink.write("the end");
      sink.done();
    });
    const { headers, body } = await sendRaw(port, rawRequest("GET /"));
    expect(headers).toContain("Transfer-Encoding: chunked");
    const first = Buffer.from("one two \u20ac").toString("latin1");
    expect(body).toBe(`b\r\n${first}\r\n14\r\n${"x".repeat(20)}\r\n7\r\nthe end\r\n0\r\n\r\n`);
  });

  it("sends chunks to each of several clients that receive them in the same turn", async () => {
    const [shared, other] = [Buffer.from("shared"), Buffer.from("other")];
    const contents = [[shared], [shared, other], [shared, other], [other, shared], [shared]];
    const waiting: ServerResponse[] = [];
    const port = await serve((request, response) => {
      waiting[Number(request.url?.slice(1))] = response;
      if (Object.keys(waiting).length < contents.length) return;
      for (const [index, chunks] of contents.entries()) {
        const sink = new HttpSink(waiting[index] as ServerResponse);
        chunks.forEach((chunk) => sink.write(chunk));
        setImmediate(() => sink.done());
      }
    });
    const answers = await Promise.all(contents.map((_, index) => sendRaw(port, rawRequest(`GET /${String(index)}`))));
    const expected = contents.map((chunks) => {
      const content = Buffer.concat(chunks);
      return `${content.length.toString(16)}\r\n${content.toString()}\r\n0\r\n\r\n`;
    });
    expect(answers.map(({ body }) => body)).toEqual(expected);
  });

  it("leaves the connection to the next request when it ends", async () => {
    const port = await serve((request, response) => {
      const sink = new HttpSink(response);
      sink.write(request.url ?? "");
      sink.done();
    });
    const first = rawRequest("GET /first").replace("Connection: close", "Connection: keep-alive");
    const { text } = await sendRaw(port, first, rawRequest("GET /second"));
    const bodies = text.split(/HTTP\/1\.1 200 OK/u).map((answer) => answer.split("\r\n\r\n").slice(1).join("\r\n\r\n"));
    expect(bodies).toEqual(["", "6\r\n/first\r\n0\r\n\r\n", "7\r\n/second\r\n0\r\n\r\n"]);
  });

  it("sends content without chunks to a client of HTTP/1.0", async () => {
    const port = await serve(async (_, response) => {
      const sink = new HttpSink(response);
      sink.write("one ");
      await nextTurn();
      sink.write("two");
      sink.done();
    });
    const { body } = await sendRaw(port, "GET / HTTP/1.0\r\n\r\n");
    expect(body).toBe("one two");
  });

  it("sends no content as the response to HEAD", async () => {
    const port = await serve((_, response) => {
      const sink = new HttpSink(response);
      sink.write("content");
      sink.done();
    });
    expect((await sendRaw(port, rawRequest("HEAD /"))).body).toBe("");
  });

  it("waits until the connection has taken what was written", async () => {
    const large = Buffer.alloc(1024 * 1024, "x");
    const pending: number[] = [];
    const port = await serve(async (_, response) => {
      const sink = new HttpSink(response);
      for (let round = 0; round < 4; round += 1) {
        sink.write(large);
        await sink.drained();
        pending.push(sink.pendingBytes);
      }
      sink.done();
    });
    const { body } = await sendRaw(port, rawRequest("GET /"));
    expect(pending).toEqual([0, 0, 0, 0]);
    expect(body).toBe(`100000\r\n${large.toString()}\r\n`.repeat(4).concat("0\r\n\r\n"));
  });
});
