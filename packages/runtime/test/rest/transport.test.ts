import type { PlainRequest, PlainResponse } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import type { WarningHandler } from "../../src/rest/headers.ts";
import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";

describe("a transport in place of sockets", () => {
  it("gets web requests with credentials, body and signal, and its answers count as a server's", async () => {
    const seen: Request[] = [];
    const client = createRestClient({
      server: "http://embedded/",
      credentials: { kind: "token", token: "t" },
      transport: async (request) => {
        seen.push(request.clone());
        return Response.json({ echoed: await request.json() }, { status: 201 });
      },
    });
    expect(
      await client.request({ method: "POST", path: "/api/v1/x", query: { dryRun: "All" }, body: { a: 1 } }),
    ).toEqual({
      echoed: { a: 1 },
    });
    expect(seen[0]?.url).toBe("http://embedded/api/v1/x?dryRun=All");
    expect(seen[0]?.headers.get("authorization")).toBe("Bearer t");
  });

  it("streams, and leaving the iteration cancels the body", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('{"n":1}\n{"n":2}\n')),
      cancel: () => {
        isCancelled = true;
      },
    });
    const client = createRestClient({
      server: "http://embedded",
      transport: () => Promise.resolve(new Response(body)),
    });
    const values: unknown[] = [];
    for await (const value of client.stream({ method: "GET", path: "/watch" })) {
      values.push(value);
      if (values.length === 2) break;
    }
    expect(values).toEqual([{ n: 1 }, { n: 2 }]);
    expect(isCancelled).toBe(true);
  });

  it("a transport that throws is an unreachable server", async () => {
    const client = createRestClient({
      server: "http://embedded",
      transport: () =>
        Promise.reject(
          new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) }),
        ),
    });
    await expect(client.request({ method: "GET", path: "/" })).rejects.toMatchObject({ failure: "refused" });
  });
});

describe("a transport with plain requests", () => {
  it("gets a request whose copy has all of it, and whose signal aborts with the caller's", async () => {
    const caller = new AbortController();
    const seen: PlainRequest[] = [];
    const client = clientOf(async (request) => {
      seen.push(request, { ...request });
      return await new Promise(() => undefined);
    });
    const answer = client.request({ method: "POST", path: "/a", body: { b: 1 }, signal: caller.signal });
    await expect.poll(() => seen.length).toBe(2);
    const [own, copy] = [seen[0] as PlainRequest, seen[1] as PlainRequest];
    expect(copy).toEqual({
      method: "POST",
      path: "/a",
      headers: own.headers,
      body: '{"b":1}',
      signal: own.signal,
      isAborted: own.isAborted,
    });
    expect([copy.isAborted?.(), copy.signal.aborted]).toEqual([false, false]);
    caller.abort(new Error("stop"));
    await expect(answer).rejects.toThrow("stop");
    expect([copy.isAborted?.(), copy.signal.aborted, own.signal]).toEqual([true, true, copy.signal]);
  });

  it("gets those in place of web requests, with credentials, body, and signal", async () => {
    const seen: PlainRequest[] = [];
    const client = clientOf(async (request) => {
      seen.push(request);
      return await Promise.resolve(answer(201, `{"echoed":${request.body ?? ""}}`));
    });
    const query = { dryRun: "All" };
    expect(await client.request({ method: "POST", path: "/api/v1/x", query, body: { a: 1 } })).toEqual({
      echoed: { a: 1 },
    });
    expect(seen[0]).toMatchObject({
      method: "POST",
      path: "/api/v1/x?dryRun=All",
      headers: { authorization: "Bearer t", accept: "application/json", "content-type": "application/json" },
      body: '{"a":1}',
    });
    expect(seen[0]?.signal.aborted).toBe(false);
  });

  it.each([
    ["text", '{"a":"é"}'],
    ["bytes", new Uint8Array(Buffer.from('{"a":"é"}'))],
    ["a stream", chunksOf(['{"a":', '"é"}'])],
  ])("reads a body of %s", async (_kind, body) => {
    const client = clientOf(async () => await Promise.resolve(answer(200, body)));
    expect(await client.request({ method: "GET", path: "/" })).toEqual({ a: "é" });
  });

  it("throws the Status of a response, and joins repeated headers", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason: "NotFound",
      message: "gone",
      code: 404,
    };
    const warnings: string[] = [];
    const exchange = async (): Promise<PlainResponse> =>
      await Promise.resolve({
        status: 404,
        headers: { "content-type": "application/json", warning: ['299 - "one"', '299 - "two"'] },
        body: JSON.stringify(status),
      });
    const client = clientOf(exchange, ({ text }) => warnings.push(text));
    await expect(client.request({ method: "GET", path: "/" })).rejects.toMatchObject({
      status: { reason: "NotFound" },
    });
    expect(warnings).toEqual(["one", "two"]);
  });

  it("streams, and leaving the iteration ends the body, even if it does not end", async () => {
    let hasEnded = false;
    const body: AsyncIterableIterator<Uint8Array> = {
      [Symbol.asyncIterator]: () => body,
      next: async () => await Promise.resolve({ done: false, value: Buffer.from('{"n":1}\n') }),
      return: async () => {
        hasEnded = true;
        return await new Promise(() => undefined);
      },
    };
    const client = clientOf(async () => await Promise.resolve(answer(200, body)));
    for await (const value of client.stream({ method: "GET", path: "/watch" })) {
      expect(value).toEqual({ n: 1 });
      break;
    }
    expect(hasEnded).toBe(true);
  });

  it("ends a stream with the signal's reason, even if the transport ignores the signal", async () => {
    const silent: AsyncIterableIterator<Uint8Array> = {
      [Symbol.asyncIterator]: () => silent,
      next: async () => await new Promise(() => undefined),
    };
    const client = clientOf(async () => await Promise.resolve(answer(200, silent)));
    const stop = new AbortController();
    const next = client.stream({ method: "GET", path: "/watch", signal: stop.signal })[Symbol.asyncIterator]().next();
    setImmediate(() => stop.abort(new Error("stop")));
    await expect(next).rejects.toThrow("stop");
  });
});

function clientOf(
  exchange: (request: PlainRequest) => Promise<PlainResponse>,
  warningHandler?: WarningHandler,
): RestClient {
  const transport = Object.assign(() => Promise.reject(new Error("a web request")), { exchange });
  const config = { server: "http://embedded/", credentials: { kind: "token", token: "t" }, transport } as const;
  return createRestClient(config, warningHandler === undefined ? {} : { warningHandler });
}

function answer(status: number, body: PlainResponse["body"]): PlainResponse {
  return { status, headers: { "content-type": "application/json" }, body };
}

async function* chunksOf(texts: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}
