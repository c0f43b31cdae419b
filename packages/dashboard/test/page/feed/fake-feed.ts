import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";

import type {
  DashboardMessage,
  KindInfo,
  ObjectDetail,
  ObjectHistory,
  WriteResult,
} from "../../../src/page/feed/protocol.ts";

/** The files of the built page. */
export const PAGE_FOLDER: string = fileURLToPath(new URL("../../../dist/page", import.meta.url));

/** The policy that the dashboard's process sends. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The answers of the process. */
export interface FeedAnswers {
  readonly messages: readonly DashboardMessage[];
  readonly kinds: readonly KindInfo[];
  readonly object: (name: string) => ObjectDetail | undefined;
  readonly history: (uid: string) => ObjectHistory;
  readonly apply: (text: string, isDryRun: boolean) => WriteResult;
}

/** A request that the page sent to change something. */
export interface SentRequest {
  readonly path: string;
  readonly body: unknown;
}

/** A process that speaks the contract of the dashboard, with answers of the test. */
export class FakeFeed {
  readonly sent: SentRequest[] = [];
  /** Refuses every stream and request, as after the end of a session. */
  isRefusing = false;
  #answers: FeedAnswers;
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();

  private constructor(answers: FeedAnswers) {
    this.#answers = answers;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
  }

  static async start(answers: FeedAnswers): Promise<FakeFeed> {
    const feed = new FakeFeed(answers);
    await new Promise<void>((resolve) => feed.#server.listen(0, "127.0.0.1", resolve));
    return feed;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/`;
  }

  /** Sends messages to every open stream, in events of at most 500. */
  push(messages: readonly DashboardMessage[]): void {
    for (const stream of this.#streams) writeMessages(stream, messages);
  }

  /** Changes what new streams begin with. */
  setAnswers(answers: Partial<FeedAnswers>): void {
    this.#answers = { ...this.#answers, ...answers };
  }

  /** Ends every open stream. */
  dropStreams(): void {
    for (const stream of this.#streams) stream.destroy();
    this.#streams.clear();
  }

  async stop(): Promise<void> {
    this.dropStreams();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    response.setHeader("content-security-policy", CONTENT_SECURITY_POLICY);
    if (url.pathname === "/events" || url.pathname.startsWith("/api/")) {
      if (this.isRefusing) response.writeHead(401).end("no session");
      else if (url.pathname === "/events") this.#openStream(response);
      else if (request.method === "POST") await this.#change(request, url.pathname, response);
      else this.#answer(url, response);
      return;
    }
    const file = path.join(PAGE_FOLDER, url.pathname === "/" ? "index.html" : path.normalize(url.pathname));
    try {
      const content = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  }

  #openStream(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    writeMessages(response, this.#answers.messages);
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
  }

  #answer(url: URL, response: ServerResponse): void {
    const query = (name: string): string => url.searchParams.get(name) ?? "";
    if (url.pathname === "/api/kinds") sendJson(response, 200, this.#answers.kinds);
    else if (url.pathname === "/api/history") sendJson(response, 200, this.#answers.history(query("uid")));
    else {
      const detail = this.#answers.object(query("name"));
      sendJson(response, detail === undefined ? 404 : 200, detail ?? { message: "not found" });
    }
  }

  async #change(request: IncomingMessage, pathname: string, response: ServerResponse): Promise<void> {
    if (request.headers["x-kubescaffold-dashboard"] !== "1") {
      response.writeHead(403).end("the header is missing");
      return;
    }
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    this.sent.push({ path: pathname, body });
    if (pathname === "/api/apply") {
      const result = this.#answers.apply(String(body["text"]), body["isDryRun"] === true);
      sendJson(response, result.kind === "written" ? 200 : 422, result);
    } else if (pathname === "/api/delete") sendJson(response, 200, { kind: "written", yaml: "", warnings: [] });
    else response.writeHead(204).end();
  }
}

function writeMessages(stream: ServerResponse, messages: readonly DashboardMessage[]): void {
  for (let start = 0; start < messages.length; start += 500)
    stream.write(`data: ${JSON.stringify(messages.slice(start, start + 500))}\n\n`);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
