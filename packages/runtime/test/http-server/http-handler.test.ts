import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";

import { describe, expect, it } from "vitest";

import { type HttpHandler, nodeListener } from "../../src/http-server/http-handler.ts";
import { createRecordingLogger, type RecordingLogger } from "../../src/log/logger.ts";

async function serve(handler: HttpHandler): Promise<{
  readonly url: string;
  readonly log: RecordingLogger;
  readonly close: () => void;
}> {
  const log = createRecordingLogger();
  const server = createServer(nodeListener(handler, log)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/`, log, close: () => server.close() };
}

const CHUNK = new Uint8Array(256 * 1024);

describe("nodeListener", () => {
  it("streams long bodies no faster than the client reads them, and cancels them when it disconnects", async () => {
    let pulled = 0;
    let isCanceled = false;
    const body = (): ReadableStream =>
      new ReadableStream({
        pull: (controller) => {
          pulled += 1;
          controller.enqueue(CHUNK);
        },
        cancel: () => {
          isCanceled = true;
        },
      });
    const { url, log, close } = await serve(() => Promise.resolve(new Response(body())));
    const client = new AbortController();
    const response = await fetch(url, { signal: client.signal });
    const reader = response.body?.getReader();
    for (let read = 0; read < 4 * 1024 * 1024;) read += (await reader?.read())?.value?.byteLength ?? 0;
    let before = -1;
    await expect
      .poll(() => {
        const isStill = before === pulled;
        before = pulled;
        return isStill;
      })
      .toBe(true);
    client.abort();
    await expect.poll(() => isCanceled, { timeout: 20_000 }).toBe(true);
    expect(log.records).toEqual([]);
    close();
  });

  it("cuts the connection if a body fails after its first part, and logs the failure", async () => {
    let pulled = 0;
    const failing = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        if (pulled > 8) throw new Error("no more");
        controller.enqueue(CHUNK);
      },
    });
    const { url, log, close } = await serve(() => Promise.resolve(new Response(failing)));
    const response = await fetch(url);
    await expect(response.arrayBuffer()).rejects.toThrow("terminated");
    expect(log.records.map(({ error }) => String(error))).toEqual(["Error: no more"]);
    close();
  });

  it("is not told of a client that disconnects while it sends its request", async () => {
    const outcomes: string[] = [];
    let hasStarted = false;
    const { url, log, close } = await serve(async (request) => {
      hasStarted = true;
      try {
        outcomes.push(await request.text());
      } catch (error) {
        outcomes.push(request.signal.aborted ? "disconnected" : "failed");
        throw error;
      }
      return new Response();
    });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{");
    await expect.poll(() => hasStarted, { timeout: 20_000 }).toBe(true);
    socket.destroy();
    await expect.poll(() => outcomes, { timeout: 20_000 }).toHaveLength(1);
    expect(log.records).toEqual([]);
    close();
  });
});
