import type { ServerResponse } from "node:http";

import { StatusError } from "@kubescaffold/k8s";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";
import { sendJson, startServer, until, type Answer, type RecordingServer } from "./recording-server.ts";

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) {
    await cleanUp();
  }
});

async function setUp(answer: Answer): Promise<{ readonly server: RecordingServer; readonly client: RestClient }> {
  const server = await startServer(answer);
  const client = createRestClient({ server: server.url }, { clock: new FakeClock() });
  cleanUps.push(() => server.close());
  cleanUps.push(() => client.close());
  return { server, client };
}

async function collect(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const collected: unknown[] = [];
  for await (const value of values) {
    collected.push(value);
  }
  return collected;
}

const WATCH = { method: "GET", path: "/watch" } as const;

describe("streams", () => {
  it("each line is a value, and the end of the answer is the end", async () => {
    const { client } = await setUp((response) => {
      response.end('{"a":1}\n{"a":2}\n\n{"a":"last without newline"}');
    });
    expect(await collect(client.stream(WATCH))).toEqual([{ a: 1 }, { a: 2 }, { a: "last without newline" }]);
  });

  it("values arrive as the server sends them", async () => {
    let open: ServerResponse | undefined;
    const { client } = await setUp((response) => {
      open = response;
      response.write('{"n":1}\n');
    });
    const values = client.stream(WATCH)[Symbol.asyncIterator]();
    expect(await values.next()).toEqual({ done: false, value: { n: 1 } });
    open?.write('{"n":');
    open?.write("2}\n");
    expect(await values.next()).toEqual({ done: false, value: { n: 2 } });
    await values.return?.();
  });

  it("leaving the iteration closes the connection", async () => {
    let isClosed = false;
    const { client } = await setUp((response) => {
      response.on("close", () => {
        isClosed = true;
      });
      response.write('{"n":1}\n');
    });
    for await (const _value of client.stream(WATCH)) {
      break;
    }
    await until(() => isClosed);
    expect(isClosed).toBe(true);
  });

  it("aborting ends an open stream with the reason", async () => {
    const { client } = await setUp((response) => {
      response.write('{"n":1}\n');
    });
    const controller = new AbortController();
    const values = client.stream({ ...WATCH, signal: controller.signal })[Symbol.asyncIterator]();
    await values.next();
    const next = values.next();
    controller.abort(new Error("stopped"));
    await expect(next).rejects.toThrow("stopped");
  });

  it("a connection that is cut is an error", async () => {
    const { client } = await setUp((response) => {
      response.write('{"n":1}\n');
      setImmediate(() => response.socket?.destroy());
    });
    await expect(collect(client.stream(WATCH))).rejects.toMatchObject({
      code: "CLIENT_UNREACHABLE",
      failure: "closed",
    });
  });

  it("a refused watch is the server's error", async () => {
    const { client } = await setUp((response) =>
      sendJson(response, { kind: "Status", status: "Failure", reason: "Expired", code: 410, message: "too old" }, 410),
    );
    await expect(collect(client.stream(WATCH))).rejects.toThrow(StatusError);
    await expect(collect(client.stream(WATCH))).rejects.toThrow("too old");
  });

  it("two hundred open streams do not keep a request waiting", async () => {
    let watches = 0;
    const { client } = await setUp((response, request) => {
      if (request.url === "/watch") {
        watches += 1;
        response.write('{"n":1}\n');
      } else {
        sendJson(response, { ok: true });
      }
    });
    const streams = Array.from({ length: 200 }, () => client.stream(WATCH)[Symbol.asyncIterator]());
    await Promise.all(streams.map((stream) => stream.next()));
    expect(watches).toBe(200);
    expect(await client.request({ method: "GET", path: "/x" })).toEqual({ ok: true });
    await Promise.all(streams.map(async (stream) => stream.return?.()));
  });

  it("a paused reader pauses the server", async () => {
    const line = `${JSON.stringify({ text: "x".repeat(64 * 1024) })}\n`;
    let written = 0;
    let isPaused = false;
    const { client } = await setUp((response) => {
      const pump = (): void => {
        while (written < 2000) {
          written += 1;
          if (!response.write(line)) {
            isPaused = true;
            response.once("drain", pump);
            return;
          }
        }
        response.end();
      };
      pump();
    });
    const values = client.stream(WATCH)[Symbol.asyncIterator]();
    await values.next();
    await until(() => isPaused);
    for (let turn = 0; turn < 2000; turn += 1) {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    }
    expect(written).toBeLessThan(500);
    let rest = 1;
    for (let next = await values.next(); next.done !== true; next = await values.next()) {
      rest += 1;
    }
    expect(rest).toBe(2000);
  });
});
