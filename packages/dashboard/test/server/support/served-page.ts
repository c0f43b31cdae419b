import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

import type { DashboardMessage } from "../../../src/server/contract/protocol.ts";

/** Writes a page with an asset, and a file beside it that is no part of it; returns the folder of the page. */
export async function writePage(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "dashboard-page-"));
  const folder = path.join(root, "page");
  await mkdir(path.join(folder, "assets"), { recursive: true });
  await writeFile(path.join(folder, "index.html"), "<!doctype html><title>page</title>");
  await writeFile(path.join(folder, "assets", "main.js"), "export {};");
  await writeFile(path.join(folder, "assets", ".hidden.js"), "hidden");
  await writeFile(path.join(root, "secret.js"), "secret");
  return folder;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with exactly these headers and path, as a browser's `fetch` would not. */
export async function send(
  port: number,
  target: string,
  { method = "GET", headers = {}, body }: Sent = {},
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, path: target, method, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const { statusCode = 0, headers: received } = response;
          resolve({ status: statusCode, headers: received, body: Buffer.concat(chunks).toString() });
        });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** A page that has exchanged its address for a session. */
export interface OpenPage {
  readonly port: number;
  readonly cookie: string;
  /** The path that all targets of the page start with, without the last slash. */
  readonly base: string;
  readonly get: (target: string) => Promise<Answer>;
  readonly post: (target: string, body: unknown) => Promise<Answer>;
  /** Opens the stream. */
  readonly stream: () => OpenStream;
}

interface OpenStream {
  /** The messages so far. */
  readonly messages: readonly DashboardMessage[];
  /** The number of messages of each event so far. */
  readonly events: readonly number[];
  /** Resolves with the first message that passes. */
  readonly until: <M extends DashboardMessage>(test: (message: DashboardMessage) => message is M) => Promise<M>;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  readonly close: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** Opens a page at its one-time address. */
export async function openPage(address: string): Promise<OpenPage> {
  const url = new URL(address);
  const port = Number(url.port);
  const { headers } = await send(port, `${url.pathname}${url.search}`);
  const cookie = headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
  const base = url.pathname.slice(0, -1);
  return {
    port,
    cookie,
    base,
    get: async (target) => await send(port, base + target, { headers: { cookie } }),
    post: async (target, body) =>
      await send(port, base + target, {
        method: "POST",
        headers: {
          cookie,
          origin: `http://127.0.0.1:${String(port)}`,
          "content-type": "application/json",
          "x-kubescaffold-dashboard": "1",
        },
        body: JSON.stringify(body),
      }),
    stream: () => openStream(port, `${base}/events`, cookie),
  };
}

function openStream(port: number, target: string, cookie: string): OpenStream {
  const messages: DashboardMessage[] = [];
  const events: number[] = [];
  const waiting = new Set<() => void>();
  let pause = (): void => undefined;
  let resume = (): void => undefined;
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, path: target, headers: { cookie }, agent: false },
      (response) => {
        let rest = "";
        pause = () => void response.pause();
        resume = () => void response.resume();
        response.on("data", (chunk: Buffer) => {
          const parts = (rest + chunk.toString()).split("\n\n");
          rest = parts.pop() ?? "";
          for (const part of parts.filter((each) => each.startsWith("data: ["))) {
            const batch = JSON.parse(part.slice(6)) as readonly DashboardMessage[];
            events.push(batch.length);
            messages.push(...batch);
          }
          for (const check of waiting) check();
        });
        response.on("error", () => undefined);
        response.on("close", resolve);
      },
    );
    request.on("error", () => resolve());
    request.end();
    close = () => request.destroy();
  });
  return {
    messages,
    events,
    closed,
    close: () => close(),
    pause: () => pause(),
    resume: () => resume(),
    until: async (test) =>
      await new Promise((resolve) => {
        const check = (): void => {
          const found = messages.find(test);
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}
