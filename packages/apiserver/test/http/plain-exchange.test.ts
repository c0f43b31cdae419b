import { setImmediate } from "node:timers/promises";

import type { PlainRequest, PlainResponse } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { createInProcessTransport } from "../../src/http/plain-exchange.ts";
import { createApiServer } from "../../src/index.ts";
import type { ResponseSink, ServerRequest } from "../../src/request/server-request.ts";

const NEVER: AbortSignal = new AbortController().signal;
const NAMESPACES = "/api/v1/namespaces";
const JSON_HEADERS = { accept: "application/json", "content-type": "application/json" };

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const REQUESTS: readonly Sent[] = [
  { path: NAMESPACES },
  { path: `${NAMESPACES}/default?pretty=true` },
  { path: `${NAMESPACES}/absent` },
  { path: `${NAMESPACES}?limit=1&labelSelector=a%20in%20(b)` },
  { path: "/api/v1//namespaces" },
  { path: "/api/v1/namespaces/../namespaces" },
  { path: "/api/v1/namespaces/a%2Fb" },
  { path: "/api/v1/namespaces/%C3%A9" },
  { path: "/api/v1/namespaces/é" },
  { path: "/version", headers: { accept: "text/html, application/json;q=0.9" } },
  { path: NAMESPACES, headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } },
  { path: NAMESPACES, headers: { accept: "application/vnd.kubernetes.protobuf" } },
  { method: "POST", path: NAMESPACES, body: "{" },
  { method: "POST", path: NAMESPACES, body: JSON.stringify({ kind: "Pod" }) },
  { method: "POST", path: NAMESPACES, headers: { "content-type": "text/plain" }, body: "{}" },
  { method: "POST", path: `${NAMESPACES}/default/configmaps?dryRun=All`, body: configMap("a", "größe") },
  { method: "POST", path: `${NAMESPACES}/default/configmaps`, body: configMap("a", "x".repeat(3 * 1024 * 1024)) },
  { method: "POST", path: `${NAMESPACES}/default/configmaps`, body: configMap("a", "€".repeat(1024 * 1024)) },
  { method: "DELETE", path: `${NAMESPACES}/default/configmaps/absent` },
  { method: "PATCH", path: `${NAMESPACES}/default`, body: "[]" },
];

function configMap(name: string, value: string): string {
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value } });
}

describe("plain requests", () => {
  it("get the responses of web requests", async () => {
    const server = createApiServer();
    server.start();
    const { transport } = server.restConfig();
    for (const { method = "GET", path, headers = {}, body } of REQUESTS) {
      const all = { ...JSON_HEADERS, ...headers };
      const init = { method, headers: all, ...(body === undefined ? {} : { body }) };
      const web = await transport?.(new Request(`http://embedded.invalid${path}`, init));
      const plain = await transport?.exchange?.({ method, path, headers: all, body, signal: NEVER });
      const { "audit-id": _id, ...plainHeaders } = plain?.headers ?? {};
      const { "audit-id": _webId, ...webHeaders } = Object.fromEntries(web?.headers ?? []);
      expect({ status: plain?.status, headers: plainHeaders, text: timeless(textOf(plain?.body)) }).toEqual({
        status: web?.status,
        headers: webHeaders,
        text: timeless((await web?.text()) ?? ""),
      });
    }
    await server.close();
  });

  it("decode headers as UTF-8, and join repeated ones", async () => {
    let seen: ServerRequest | undefined;
    const { exchange } = createInProcessTransport(async (request) => {
      seen = request;
      return await Promise.resolve({
        code: 200,
        contentType: "text/plain",
        body: "",
        headers: { Warning: ["a", "é"] },
      });
    });
    const headers = { "impersonate-group": ["a", "b"], "user-agent": Buffer.from("é").toString("latin1") };
    const response = await exchange?.(get("/a?b=c&b=d", { headers }));
    expect(seen?.headerValues("impersonate-group")).toEqual(["a", "b"]);
    expect(seen?.header("user-agent")).toBe("é");
    expect(seen?.headerNames()).toEqual(["impersonate-group", "user-agent"]);
    expect(seen?.query.getAll("b")).toEqual(["c", "d"]);
    expect(response?.headers["warning"]).toEqual(["a", Buffer.from("é").toString("latin1")]);
  });

  it("fail with the reason of a signal that has aborted", async () => {
    const { exchange } = createInProcessTransport(() => Promise.reject(new Error("not called")));
    await expect(exchange?.(get("/", { signal: AbortSignal.abort(new Error("stop")) }))).rejects.toThrow("stop");
  });

  it.each(["as web requests", "as plain requests"])(
    "leave turns to everything else in the process, sent %s",
    async (form) => {
      const transport = createInProcessTransport(() =>
        Promise.resolve({ code: 200, contentType: "text/plain", body: "" }),
      );
      const { exchange } = transport;
      const send = async (): Promise<unknown> =>
        form === "as web requests"
          ? await transport(new Request("http://embedded.invalid/version"))
          : await exchange?.({ method: "GET", path: "/version", headers: {}, body: undefined, signal: NEVER });
      const turns: number[] = [];
      let sent = 0;
      const turn = setImmediate().then(() => turns.push(sent));
      for (; sent < 100; sent += 1) await send();
      await turn;
      expect(turns[0]).toBeLessThan(100);
    },
  );

  it("fail if the server closes the connection", async () => {
    const { exchange } = createInProcessTransport(() => Promise.resolve(undefined));
    await expect(exchange?.(get("/"))).rejects.toMatchObject({ code: "APISERVER_DISCONNECTED" });
  });
});

describe("a plain stream", () => {
  it("passes on what is written before and after the consumer waits, and ends", async () => {
    const { sink, chunks } = await openStream();
    sink.write("a");
    const [first, second, third] = [chunks.next(), chunks.next(), chunks.next()];
    expect(await first).toEqual({ done: false, value: Buffer.from("a") });
    sink.write(Buffer.from("é"));
    expect(await second).toEqual({ done: false, value: new Uint8Array(Buffer.from("é")) });
    sink.done();
    expect(await third).toEqual({ done: true, value: undefined });
    expect(await chunks.next()).toEqual({ done: true, value: undefined });
  });

  it("lets the server wait until the consumer has taken what was written", async () => {
    const { sink, chunks } = await openStream();
    sink.write("abc");
    expect(sink.pendingBytes).toBe(3);
    let isDrained = false;
    void sink.drained().then(() => {
      isDrained = true;
    });
    await setImmediate();
    expect(isDrained).toBe(false);
    await chunks.next();
    void chunks.next();
    await setImmediate();
    expect(isDrained).toBe(true);
    expect(sink.pendingBytes).toBe(0);
  });

  it("tells the server that the consumer has left", async () => {
    const { sink, chunks, signal } = await openStream();
    sink.write("a");
    await chunks.return?.();
    expect(signal.aborted).toBe(true);
    await sink.drained();
    sink.write("b");
    expect(await chunks.next()).toEqual({ done: true, value: undefined });
  });

  it("fails with the reason of the request's signal once the server has ended it", async () => {
    const request = new AbortController();
    const { sink, chunks, signal } = await openStream(request.signal);
    const next = chunks.next();
    request.abort(new Error("stop"));
    expect(signal.aborted).toBe(true);
    sink.done();
    await expect(next).rejects.toThrow("stop");
    await expect(chunks.next()).rejects.toThrow("stop");
  });
});

function get(path: string, options: Partial<PlainRequest> = {}): PlainRequest {
  return { method: "GET", path, headers: {}, body: undefined, signal: NEVER, ...options };
}

function textOf(body: PlainResponse["body"] | undefined): string {
  if (body === undefined || (typeof body === "object" && Symbol.asyncIterator in body))
    throw new Error("no whole body");
  return typeof body === "string" ? body : Buffer.from(body).toString("utf8");
}

// Two writes differ in their times and versions.
function timeless(text: string): string {
  return text.replaceAll(/"(?:creationTimestamp|time|uid|resourceVersion)":"[^"]*"/gu, "").replaceAll(/AGE[^]*/gu, "");
}

interface OpenStream {
  readonly sink: ResponseSink;
  readonly signal: AbortSignal;
  readonly chunks: AsyncIterator<Uint8Array>;
}

async function openStream(signal: AbortSignal = NEVER): Promise<OpenStream> {
  const started: { sink?: ResponseSink; signal?: AbortSignal } = {};
  const { exchange } = createInProcessTransport(
    async () =>
      await Promise.resolve({
        code: 200,
        contentType: "text/plain",
        body: { start: (sink, ended) => Object.assign(started, { sink, signal: ended }) },
      }),
  );
  const response = await exchange?.(get("/", { signal }));
  if (started.sink === undefined || started.signal === undefined) throw new Error("not started");
  const body = response?.body as AsyncIterable<Uint8Array>;
  return { sink: started.sink, signal: started.signal, chunks: body[Symbol.asyncIterator]() };
}
