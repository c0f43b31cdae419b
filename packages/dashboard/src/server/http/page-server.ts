import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { printServerJson } from "@kubescaffold/k8s";
import { dropUnreadBody, readBody } from "@kubescaffold/platform/http-server";

import { DashboardListenError } from "./errors.ts";
import { PageFiles } from "./page-files.ts";
import { isCrossSite, isOwnHost, isOwnPost, PageSessions, SECURITY_HEADERS } from "./page-security.ts";

/** The response of a request below `/api`. */
export interface ApiAnswer {
  readonly status: number;
  /** JSON; missing for 204. */
  readonly body?: unknown;
}

/** What the pages of a server can do. */
interface PageApi {
  /** Answers a GET below `/api`; the route is what follows, such as `object`. */
  readonly get: (route: string, query: URLSearchParams) => Promise<ApiAnswer>;
  /** Answers a POST below `/api`. */
  readonly post: (route: string, body: unknown) => Promise<ApiAnswer>;
  /** Sends server-sent events, after the headers were written; returns false if there are too many pages. */
  readonly stream: (response: ServerResponse) => boolean;
}

/** Options of {@link startPageServer}. */
export interface PageServerOptions {
  readonly api: PageApi;
  /** The folder with `index.html` and `assets`. */
  readonly pageDirectory: string;
  /** The port on 127.0.0.1; with 0 the system chooses one. */
  readonly port: number;
}

/** A server of a page. */
export interface PageServer {
  readonly port: number;
  /** Returns a URL that opens the page once. */
  readonly newAddress: () => string;
  readonly close: () => Promise<void>;
}

const HOST = "127.0.0.1";
const MOST_BODY_BYTES = 3 * 1024 * 1024;

/**
 * Serves a page on the loopback address to those who have its one-time address.
 *
 * Fails: {@link DashboardListenError} when the port is in use.
 */
export async function startPageServer({ api, pageDirectory, port }: PageServerOptions): Promise<PageServer> {
  const files = new PageFiles(pageDirectory);
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 });
  server.maxConnections = 100;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new DashboardListenError(port, error)));
    server.listen({ host: HOST, port }, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  const sessions = new PageSessions(actual);
  server.on("request", (request, response) => {
    dropUnreadBody(request, response);
    void new PageRequest(request, response, { api, files, sessions, port: actual }).serve().catch(() => {
      response.destroy();
    });
  });
  return {
    port: actual,
    newAddress: () => `http://${HOST}:${String(actual)}${sessions.path}?token=${sessions.newToken()}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

interface PageParts {
  readonly api: PageApi;
  readonly files: PageFiles;
  readonly sessions: PageSessions;
  readonly port: number;
}

// The page itself leads on: a browser that came from a file sends no strict cookie with a redirect.
const EXCHANGED = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=./">
<title>Dashboard</title>
<a href="./">Open the dashboard</a>
`;

/** One request to the server of a page. */
class PageRequest {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #parts: PageParts;

  constructor(request: IncomingMessage, response: ServerResponse, parts: PageParts) {
    this.#request = request;
    this.#response = response;
    this.#parts = parts;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  }

  async serve(): Promise<void> {
    const { method = "", url = "/", headers } = this.#request;
    const { port, sessions } = this.#parts;
    // A page of another origin whose name resolves to this address has another host.
    if (!isOwnHost(headers.host, port))
      return this.#text(421, "this server only answers requests for 127.0.0.1 and localhost");
    if (!/^\/(?!\/)/u.test(url) || !URL.canParse(url, "http://page")) return this.#text(400, "the URL is malformed");
    const { pathname, searchParams } = new URL(url, "http://page");
    const token = searchParams.get("token");
    const route = sessions.routeOf(pathname);
    if (route === "/" && token !== null && method === "GET") return this.#exchange(token);
    if (isCrossSite(headers)) return this.#text(403, "requests of other sites are refused");
    if (route === undefined || !sessions.isKnown(headers.cookie)) {
      return this.#text(
        401,
        "open the address that the terminal shows; it is valid once, and at the terminal, the key o opens another one",
      );
    }
    await this.#serveRoute(route, searchParams);
  }

  async #serveRoute(route: string, query: URLSearchParams): Promise<void> {
    const { method = "" } = this.#request;
    if (method === "POST") return await this.#post(route);
    if (method !== "GET" && method !== "HEAD")
      return this.#text(405, "method not allowed", { allow: "GET, HEAD, POST" });
    if (route === "/events") return this.#stream();
    if (route.startsWith("/api/")) return this.#answer(await this.#parts.api.get(route.slice(5), query));
    return await this.#file(route);
  }

  #exchange(token: string): void {
    const { sessions } = this.#parts;
    const isKnown = sessions.isKnown(this.#request.headers.cookie);
    const cookie = isKnown ? undefined : sessions.exchange(token);
    if (!isKnown && cookie === undefined) {
      return this.#text(
        401,
        "this address was used already, or is wrong; at the terminal, the key o opens another one",
      );
    }
    const headers = {
      "content-type": "text/html; charset=utf-8",
      ...(cookie === undefined ? {} : { "set-cookie": cookie }),
    };
    this.#response.writeHead(200, headers).end(EXCHANGED);
  }

  async #post(pathname: string): Promise<void> {
    const { headers } = this.#request;
    if (!isOwnPost(headers, this.#parts.port)) return this.#text(403, "requests of other sites are refused");
    if (!pathname.startsWith("/api/")) return this.#text(404, "not found");
    const bytes = await readBody(this.#request, MOST_BODY_BYTES);
    if (bytes === undefined) return this.#text(413, "the body is too large");
    let body: unknown;
    try {
      body = JSON.parse(bytes.toString("utf8"));
    } catch {
      return this.#text(400, "the body is not JSON");
    }
    this.#answer(await this.#parts.api.post(pathname.slice(5), body));
  }

  #stream(): void {
    const { api } = this.#parts;
    const response = this.#response;
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.flushHeaders();
    // The browser tries again after a while.
    if (!api.stream(response)) response.end("event: refused\ndata: too many pages are open\n\n");
  }

  #answer({ status, body }: ApiAnswer): void {
    if (body === undefined) {
      this.#response.writeHead(status).end();
      return;
    }
    this.#response
      .writeHead(status, { "content-type": "application/json; charset=utf-8" })
      .end(this.#request.method === "HEAD" ? undefined : printServerJson(body));
  }

  async #file(pathname: string): Promise<void> {
    const file = await this.#parts.files.read(pathname);
    if (file === undefined) return this.#text(404, "not found");
    this.#response
      .writeHead(200, { "content-type": file.contentType, "content-length": file.bytes.byteLength })
      .end(this.#request.method === "HEAD" ? undefined : file.bytes);
  }

  #text(status: number, text: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(`${text}\n`);
  }
}
