import { gzipSync } from "node:zlib";

import type { Dispatcher } from "undici";
import { describe, expect, it } from "vitest";

import { podLogs } from "../../src/expansions/pod-logs.ts";
import { parseJsonLines } from "../../src/rest/json-lines.ts";
import { LARGEST_ANSWER_BYTES, LARGEST_REFUSAL_BYTES, limited } from "../../src/rest/response-body.ts";
import type { RestClient } from "../../src/rest/rest-client.ts";
import { sendForWholeAnswer } from "../../src/rest/whole-answer.ts";

const PIECE = Buffer.alloc(1024 * 1024, "x");

/** Answers with the same piece again and again, until the client ends the response; returns how often. */
function endlessDispatcher(status: number): { readonly dispatcher: Dispatcher; readonly sent: () => number } {
  let sent = 0;
  const dispatch = (_options: unknown, handler: Required<Dispatcher.DispatchHandler>): boolean => {
    const failures: Error[] = [];
    const controller = { abort: (reason: Error) => failures.push(reason) } as unknown as Dispatcher.DispatchController;
    handler.onRequestStart(controller, undefined);
    handler.onResponseStart(controller, status, {}, "");
    while (failures.length === 0 && sent < 10_000) {
      sent += 1;
      handler.onResponseData(controller, PIECE);
    }
    handler.onResponseError(controller, failures[0] ?? new Error("the client read everything"));
    return true;
  };
  return { dispatcher: { dispatch } as unknown as Dispatcher, sent: () => sent };
}

describe("a response that never ends", () => {
  it.each([
    [200, LARGEST_ANSWER_BYTES],
    [500, LARGEST_REFUSAL_BYTES],
  ])("with the status %i is read up to %i bytes", async (status, limit) => {
    const { dispatcher, sent } = endlessDispatcher(status);
    const request = { signal: new AbortController().signal };
    const response = await sendForWholeAnswer(dispatcher, { path: "/", method: "GET" }, request);
    await expect(response.text()).rejects.toMatchObject({ code: "CLIENT_ANSWER_TOO_LARGE" });
    expect(sent()).toBe(Math.floor(limit / PIECE.byteLength) + 1);
  });

  it("piece by piece is read up to a limit", async () => {
    let count = 0;
    const pieces = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      for (; count < 10_000; count++) yield PIECE;
    };
    const read = async (): Promise<void> => {
      for await (const piece of limited(pieces(), LARGEST_REFUSAL_BYTES)) expect(piece).toBe(PIECE);
    };
    await expect(read()).rejects.toMatchObject({ code: "CLIENT_ANSWER_TOO_LARGE" });
    expect(count).toBe(16);
  });
});

it("a compressed refusal is decompressed up to a limit", async () => {
  const body = gzipSync(Buffer.alloc(LARGEST_REFUSAL_BYTES + 1));
  const dispatch = (_options: unknown, handler: Required<Dispatcher.DispatchHandler>): boolean => {
    const controller = {} as Dispatcher.DispatchController;
    handler.onRequestStart(controller, undefined);
    handler.onResponseStart(controller, 500, { "content-encoding": "gzip" }, "");
    handler.onResponseData(controller, body);
    handler.onResponseEnd(controller, {});
    return true;
  };
  const request = { signal: new AbortController().signal };
  const dispatcher = { dispatch } as unknown as Dispatcher;
  const response = await sendForWholeAnswer(dispatcher, { path: "/", method: "GET" }, request);
  await expect(response.text()).rejects.toMatchObject({ code: "CLIENT_ANSWER_TOO_LARGE" });
});

it("an event of a watch without an end is read up to 16 MiB, like client-go", async () => {
  let count = 0;
  const chunks = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for (; count < 10_000; count++) yield PIECE;
  };
  await expect(parseJsonLines(chunks()).next()).rejects.toMatchObject({ code: "CLIENT_ANSWER_TOO_LARGE" });
  expect(count).toBe(16);
});

it("a line of a log without an end comes in parts", async () => {
  const rest = {
    bytes: async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      for (let count = 0; count < 3; count++) yield PIECE;
      yield Buffer.from("end\nnext\n");
    },
  } as unknown as RestClient;
  const lengths: number[] = [];
  for await (const line of podLogs(rest, { namespace: "a", name: "b" }).lines()) lengths.push(line.length);
  expect(lengths).toEqual([PIECE.byteLength, PIECE.byteLength, PIECE.byteLength, 3, 4]);
});
