import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { isAlreadyExists, isConflict, isNotFound, StatusError, type RestConfig } from "@kubescaffold/k8s";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { createRecordingLogger } from "../../src/log/logger.ts";
import { ConnectionError, RequestTimeoutError, UnreadableAnswerError } from "../../src/rest/errors.ts";
import { createWarningLogger } from "../../src/rest/headers.ts";
import { createRestClient, type RestClient, type RestClientOptions } from "../../src/rest/rest-client.ts";
import { sendJson, startServer, until, type Answer, type RecordingServer } from "./recording-server.ts";

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) {
    await cleanUp();
  }
});

interface Setup {
  readonly config?: Partial<RestConfig>;
  readonly options?: RestClientOptions;
}

async function setUp(
  answer: Answer,
  { config, options }: Setup = {},
): Promise<{
  readonly server: RecordingServer;
  readonly client: RestClient;
}> {
  const server = await startServer(answer);
  const client = createRestClient({ server: server.url, ...config }, options);
  cleanUps.push(() => server.close());
  cleanUps.push(() => client.close());
  return { server, client };
}

const VERSION = { method: "GET", path: "/version" } as const;
// The only timer is then the wait before the next attempt.
const NO_IDLE_TIMEOUT = { idleTimeoutMs: 0 } as const;

describe("requests", () => {
  it("fifty calls in a row make no handshake each: a second connection at most", async () => {
    const { server, client } = await setUp((response) => sendJson(response, { ok: true }));
    for (let call = 0; call < 50; call += 1) {
      expect(await client.request(VERSION)).toEqual({ ok: true });
    }
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it("a path prefix of the server, query and body arrive as given", async () => {
    const server = await startServer((response) => sendJson(response, {}));
    cleanUps.push(() => server.close());
    const client = createRestClient({ server: `${server.url}/clusters/one/` });
    cleanUps.push(() => client.close());
    await client.request({ method: "POST", path: "/api/v1", query: { a: "x y", b: undefined }, body: { c: "é" } });
    const [request] = server.requests;
    expect(request?.url).toBe("/clusters/one/api/v1?a=x+y");
    expect(JSON.parse(request?.body ?? "")).toEqual({ c: "é" });
    expect(request?.headers).toMatchObject({ "content-type": "application/json", accept: "application/json" });
  });

  it("the user agent contains program, system, and architecture unless the config sets one", async () => {
    const { server, client } = await setUp((response) => sendJson(response, {}));
    await client.request(VERSION);
    expect(server.requests[0]?.headers["user-agent"]).toMatch(/^[\w.-]+\/\S+ \(\w+\/\w+\) kubescaffold$/u);
    const named = await setUp((response) => sendJson(response, {}), { config: { userAgent: "mine/1" } });
    await named.client.request(VERSION);
    expect(named.server.requests[0]?.headers["user-agent"]).toBe("mine/1");
  });

  it("impersonated names are sent as UTF-8, and those with a line break are refused", async () => {
    const server = await startServer((response, request) => {
      const user = String(request.headers["impersonate-user"]);
      sendJson(response, { user: Buffer.from(user, "latin1").toString("utf8") });
    });
    cleanUps.push(() => server.close());
    const client = createRestClient({ server: server.url, impersonate: { userName: "zoë 日" } });
    cleanUps.push(() => client.close());
    expect(await client.request({ method: "GET", path: "/version" })).toEqual({ user: "zoë 日" });
    expect(() => createRestClient({ server: server.url, impersonate: { userName: "a\nb" } })).toThrow(
      "impersonate contains a character that an HTTP header cannot contain",
    );
  });

  it("impersonated groups stay apart and keys of extras are escaped", async () => {
    const { server, client } = await setUp((response) => sendJson(response, {}), {
      config: {
        impersonate: { userName: "ann", uid: "7", groups: ["a, b", "c"], extra: { "Acme.com/Role": ["x", "y"] } },
      },
    });
    await client.request(VERSION);
    const raw = server.requests[0]?.rawHeaders ?? [];
    const values = (name: string): string[] =>
      raw.flatMap((each, index) => (index % 2 === 0 && each.toLowerCase() === name ? [raw[index + 1] ?? ""] : []));
    expect(values("impersonate-user")).toEqual(["ann"]);
    expect(values("impersonate-uid")).toEqual(["7"]);
    expect(values("impersonate-group")).toEqual(["a, b", "c"]);
    expect(values("impersonate-extra-acme.com%2Frole".toLowerCase())).toEqual(["x", "y"]);
  });

  it("basic credentials and tokens become headers", async () => {
    const basic = await setUp((response) => sendJson(response, {}), {
      config: { credentials: { kind: "basic", username: "ann", password: "pä" } },
    });
    await basic.client.request(VERSION);
    expect(basic.server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("ann:pä").toString("base64")}`);
    const token = await setUp((response) => sendJson(response, {}), {
      config: { credentials: { kind: "token", token: "secret" } },
    });
    await token.client.request(VERSION);
    expect(token.server.requests[0]?.headers.authorization).toBe("Bearer secret");
  });

  it("warnings of an answer are logged, each of them", async () => {
    const log = createRecordingLogger();
    const { client } = await setUp(
      (response) => {
        response.setHeader("warning", ['299 - "v1beta1 is \\"old\\""', '299 - "two", 199 - "other"']);
        sendJson(response, {});
      },
      { options: { log } },
    );
    await client.request(VERSION);
    expect(log.records.map(({ message }) => message)).toEqual(['v1beta1 is "old"', "two"]);
  });

  it("row 95: repeated warnings are logged once if the handler is to deduplicate them", async () => {
    const warn: Answer = (response) => {
      response.setHeader("warning", ['299 - "old"', '299 - "other"']);
      sendJson(response, {});
    };
    const messages = async (deduplicate: boolean): Promise<readonly string[]> => {
      const log = createRecordingLogger();
      const { client } = await setUp(warn, { options: { warningHandler: createWarningLogger(log, { deduplicate }) } });
      await client.request(VERSION);
      await client.request(VERSION);
      return log.records.map(({ message }) => message);
    };
    expect(await messages(false)).toEqual(["old", "other", "old", "other"]);
    expect(await messages(true)).toEqual(["old", "other"]);
  });

  it("requests beyond rate and burst wait for their turn", async () => {
    const clock = new FakeClock();
    const { server, client } = await setUp((response) => sendJson(response, {}), {
      config: { qps: 2, burst: 2 },
      options: { clock },
    });
    const calls = Promise.all([1, 2, 3, 4].map(() => client.request(VERSION)));
    await until(() => server.requests.length === 2 && clock.pendingTimers === 2);
    await clock.advance(500);
    await until(() => server.requests.length === 3);
    await clock.advance(500);
    await calls;
    expect(server.requests).toHaveLength(4);
  });
});

describe("failures", () => {
  it("a Status becomes an error with its reason and message", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason: "NotFound",
      code: 404,
      message: "gone",
    };
    const { client } = await setUp((response) => sendJson(response, status, 404));
    const error = await client.request(VERSION).catch((each: unknown) => each);
    expect(isNotFound(error)).toBe(true);
    expect((error as StatusError).message).toBe("gone");
    expect((error as StatusError).status).toEqual(status);
  });

  it.each([
    [400, "GET", "BadRequest"],
    [401, "GET", "Unauthorized"],
    [403, "GET", "Forbidden"],
    [404, "GET", "NotFound"],
    [405, "GET", "MethodNotAllowed"],
    [409, "PUT", "Conflict"],
    [409, "POST", "AlreadyExists"],
    [415, "PATCH", "UnsupportedMediaType"],
    [422, "POST", "Invalid"],
    [429, "GET", "TooManyRequests"],
    [500, "GET", "InternalError"],
    [502, "GET", "InternalError"],
    [503, "GET", "ServiceUnavailable"],
    [504, "GET", "Timeout"],
  ] as const)("a %i without a Status to %s has the reason %s", async (code, method, reason) => {
    const { client } = await setUp((response) => {
      response.writeHead(code, { "content-type": "text/plain" });
      response.end("no such thing");
    });
    const error = await client
      .request({ method, path: "/apis/apps/v1/namespaces/a/deployments/b" })
      .catch((each: unknown) => each);
    expect(error).toBeInstanceOf(StatusError);
    expect((error as StatusError).status).toMatchObject({
      code,
      reason,
      status: "Failure",
      details: {
        group: "apps",
        kind: "deployments",
        name: "b",
        causes: [{ reason: "UnexpectedServerResponse", message: "no such thing" }],
      },
    });
    expect(isConflict(error)).toBe(reason === "Conflict");
    expect(isAlreadyExists(error)).toBe(reason === "AlreadyExists");
  });

  it("a successful response that is not JSON is an error with its body", async () => {
    const { client } = await setUp((response) => {
      response.end("<html>log in</html>");
    });
    await expect(client.request(VERSION)).rejects.toThrow(UnreadableAnswerError);
    await expect(client.request(VERSION)).rejects.toThrow("<html>log in</html>");
  });

  it("a refused connection is an error with the address and a hint", async () => {
    const server = await startServer((response) => sendJson(response, {}));
    await server.close();
    const error = await createRestClient({ server: server.url })
      .request(VERSION)
      .catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "CLIENT_UNREACHABLE", failure: "refused", server: server.url });
    expect((error as ConnectionError).message).toContain(`${server.url}: connection refused (ECONNREFUSED)`);
    expect((error as ConnectionError).hint).toContain("server address and port");
  });

  it("an unresolved host name is reported", async () => {
    const client = createRestClient({ server: "http://nowhere.invalid:1" });
    await expect(client.request(VERSION)).rejects.toMatchObject({ failure: "unresolved" });
  });

  it("a request ends with the reason of its signal, and the connection with it", async () => {
    let isClosed = false;
    const { server, client } = await setUp((response) => {
      response.on("close", () => {
        isClosed = true;
      });
    });
    const controller = new AbortController();
    const call = client.request({ ...VERSION, signal: controller.signal });
    await until(() => server.requests.length === 1);
    controller.abort(new Error("stopped"));
    await expect(call).rejects.toThrow("stopped");
    await until(() => isClosed);
  });

  it("a request whose time is over fails and leaves no timer behind", async () => {
    const clock = new FakeClock();
    const { server, client } = await setUp(() => undefined, { config: { timeoutMs: 5000 }, options: { clock } });
    const call = client.request(VERSION).catch((each: unknown) => each);
    await until(() => server.requests.length === 1);
    await clock.advance(5000);
    const error = await call;
    expect(error).toBeInstanceOf(RequestTimeoutError);
    expect((error as Error).message).toBe("GET /version got no complete response within 5 s");
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("repeating", () => {
  it("row 72: a 429 with Retry-After is repeated after that time, ten times, and then is the error", async () => {
    const clock = new FakeClock();
    const { server, client } = await setUp(
      (response) => {
        response.setHeader("retry-after", "3");
        sendJson(response, { kind: "Status", status: "Failure", reason: "TooManyRequests", code: 429 }, 429);
      },
      { config: { idleTimeoutMs: 0 }, options: { clock } },
    );
    const call = client.request({ method: "POST", path: "/x", body: {} }).catch((each: unknown) => each);
    for (let retry = 1; retry <= 10; retry += 1) {
      await until(() => server.requests.length === retry && clock.pendingTimers === 1);
      expect(clock.nextDelayMs).toBe(3000);
      await clock.advance(2999);
      expect(server.requests).toHaveLength(retry);
      await clock.advance(1);
    }
    expect(await call).toMatchObject({ status: { reason: "TooManyRequests" } });
    expect(server.requests).toHaveLength(11);
  });

  it("row 72: a 503 with Retry-After is repeated until it succeeds", async () => {
    const clock = new FakeClock();
    let calls = 0;
    const { client } = await setUp(
      (response) => {
        calls += 1;
        response.setHeader("retry-after", "1");
        sendJson(response, { calls }, calls < 3 ? 503 : 200);
      },
      { config: NO_IDLE_TIMEOUT, options: { clock } },
    );
    const call = client.request(VERSION);
    await until(() => clock.pendingTimers === 1);
    await clock.advance(1000);
    await until(() => clock.pendingTimers === 1);
    await clock.advance(1000);
    expect(await call).toEqual({ calls: 3 });
  });

  it.each([
    ["429 without Retry-After", 429, {}],
    ["500 without Retry-After", 500, {}],
    ["409 with Retry-After", 409, { "retry-after": "1" }],
    ["503 with a date", 503, { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }],
  ])("a %s is not repeated", async (_title, code, headers) => {
    const { server, client } = await setUp((response) => {
      response.writeHead(code, headers);
      response.end("{}");
    });
    await expect(client.request(VERSION)).rejects.toThrow(StatusError);
    expect(server.requests).toHaveLength(1);
  });

  it("a GET whose connection is cut is repeated, a POST is not", async () => {
    const clock = new FakeClock();
    let calls = 0;
    const { server, client } = await setUp(
      (response) => {
        calls += 1;
        if (calls === 2) {
          sendJson(response, { calls });
        } else {
          response.socket?.destroy();
        }
      },
      { config: NO_IDLE_TIMEOUT, options: { clock } },
    );
    const call = client.request(VERSION);
    await until(() => clock.pendingTimers === 1);
    await clock.advance(1000);
    expect(await call).toEqual({ calls: 2 });
    await expect(client.request({ method: "POST", path: "/x", body: {} })).rejects.toMatchObject({ failure: "closed" });
    expect(server.requests).toHaveLength(3);
  });

  it("aborting while waiting for the next attempt ends the call at once", async () => {
    const clock = new FakeClock();
    const { client } = await setUp(
      (response) => {
        response.setHeader("retry-after", "60");
        sendJson(response, {}, 503);
      },
      { config: NO_IDLE_TIMEOUT, options: { clock } },
    );
    const controller = new AbortController();
    const call = client.request({ ...VERSION, signal: controller.signal });
    await until(() => clock.pendingTimers === 1);
    controller.abort(new Error("stopped"));
    await expect(call).rejects.toThrow("stopped");
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("waiting", () => {
  it("guarantee 23: closing the client ends the wait for the next attempt, and leaves no timer", async () => {
    const clock = new FakeClock();
    const { server, client } = await setUp(
      (response) => {
        response.setHeader("retry-after", "86400");
        sendJson(response, {}, 429);
      },
      { config: NO_IDLE_TIMEOUT, options: { clock } },
    );
    const call = client.request(VERSION).catch((error: unknown) => error);
    await until(() => server.requests.length === 1 && clock.pendingTimers === 1);
    await client.close();
    expect(await call).toMatchObject({ code: "CLIENT_CLOSED" });
    expect(clock.pendingTimers).toBe(0);
  });

  it("guarantee 23: closing the client ends the wait for a turn, and leaves no timer", async () => {
    const clock = new FakeClock();
    const { client } = await setUp((response) => sendJson(response, {}), {
      config: { ...NO_IDLE_TIMEOUT, qps: 0.001, burst: 1 },
      options: { clock },
    });
    await client.request(VERSION);
    const call = client.request(VERSION).catch((error: unknown) => error);
    await until(() => clock.pendingTimers === 1);
    await client.close();
    expect(await call).toMatchObject({ code: "CLIENT_CLOSED" });
    expect(clock.pendingTimers).toBe(0);
  });

  it.each(["request", "stream"] as const)(
    "guarantee 23: a %s that waits for a connection ends with its signal",
    async (form) => {
      // Accepts connections, and never completes the handshake.
      const sockets = new Set<Socket>();
      const silent = createTcpServer((socket) => void sockets.add(socket));
      await new Promise<void>((resolve) => {
        silent.listen(0, "127.0.0.1", resolve);
      });
      const { port } = silent.address() as AddressInfo;
      const client = createRestClient({ server: `https://127.0.0.1:${String(port)}` });
      cleanUps.push(async () => {
        for (const socket of sockets) socket.destroy();
        await client.close();
        silent.close();
      });
      const abort = new AbortController();
      const reason = new Error("enough");
      const watch = (): AsyncIterator<unknown> =>
        client.stream({ ...VERSION, signal: abort.signal })[Symbol.asyncIterator]();
      const call: Promise<unknown> =
        form === "request" ? client.request({ ...VERSION, signal: abort.signal }) : watch().next();
      const outcome = call.catch((error: unknown) => error);
      await until(() => sockets.size === 1);
      abort.abort(reason);
      expect(await outcome).toBe(reason);
      // The connection is not there yet.
      expect([...sockets].every(({ destroyed }) => !destroyed)).toBe(true);
    },
  );

  it("guarantee 23: a request that waits because all connections are busy ends with its signal", async () => {
    const { server, client } = await setUp(() => undefined);
    const abort = new AbortController();
    const ended = new AbortController();
    const busy = Array.from(
      { length: 64 },
      async () => await client.request({ ...VERSION, signal: ended.signal }).catch((error: unknown) => error),
    );
    await until(() => server.requests.length === 64);
    const reason = new Error("enough");
    const waiting = client.request({ ...VERSION, signal: abort.signal }).catch((error: unknown) => error);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    abort.abort(reason);
    expect(await waiting).toBe(reason);
    expect(server.requests).toHaveLength(64);
    ended.abort(reason);
    expect(new Set(await Promise.all(busy))).toEqual(new Set([reason]));
  });
});

describe("credentials that no header can contain", () => {
  it("are refused by name, and nothing is sent", async () => {
    const { server, client } = await setUp((response) => sendJson(response, {}), {
      config: { credentials: { kind: "token", token: "one\ntwo" } },
    });
    await expect(client.request(VERSION)).rejects.toMatchObject({
      code: "CLIENT_INVALID_CONFIG",
      message: expect.stringContaining("the token contains a character that an HTTP header cannot contain") as string,
    });
    expect(server.requests).toEqual([]);
  });
});

describe("token files", () => {
  async function tokenFile(content: string): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), "token-"));
    cleanUps.push(() => rm(folder, { recursive: true }));
    const file = path.join(folder, "token");
    await writeFile(file, content);
    return file;
  }

  it("a token file with two lines is refused by its path", async () => {
    const file = await tokenFile("one\ntwo\n");
    const { client } = await setUp((response) => sendJson(response, {}), {
      config: { credentials: { kind: "token-file", path: file } },
    });
    await expect(client.request(VERSION)).rejects.toMatchObject({
      code: "CLIENT_TOKEN_FILE",
      message: expect.stringContaining(file) as string,
    });
  });

  it("a token file is read again within a minute, and not for every request", async () => {
    const clock = new FakeClock();
    const file = await tokenFile("one\n");
    const { server, client } = await setUp((response) => sendJson(response, {}), {
      config: { credentials: { kind: "token-file", path: file } },
      options: { clock },
    });
    await client.request(VERSION);
    await writeFile(file, "two\n");
    await client.request(VERSION);
    clock.step(60_000);
    await client.request(VERSION);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer one",
      "Bearer one",
      "Bearer two",
    ]);
  });

  it("a token that the server no longer takes is read again at once", async () => {
    const file = await tokenFile("old");
    const { server, client } = await setUp(
      (response, request) =>
        request.headers.authorization === "Bearer new" ? sendJson(response, { ok: true }) : sendJson(response, {}, 401),
      { config: { credentials: { kind: "token-file", path: file } } },
    );
    await expect(client.request(VERSION)).rejects.toMatchObject({ status: { reason: "Unauthorized" } });
    expect(server.requests).toHaveLength(1);
    await writeFile(file, "new");
    expect(await client.request(VERSION)).toEqual({ ok: true });
  });

  it("a file that vanishes for a moment leaves the token in use", async () => {
    const clock = new FakeClock();
    const file = await tokenFile("one");
    const { server, client } = await setUp((response) => sendJson(response, {}), {
      config: { credentials: { kind: "token-file", path: file } },
      options: { clock },
    });
    await client.request(VERSION);
    await rm(file);
    clock.step(60_000);
    await client.request(VERSION);
    expect(server.requests[1]?.headers.authorization).toBe("Bearer one");
  });

  it("a file that is not there is an error that names it", async () => {
    const client = createRestClient({
      server: "http://127.0.0.1:1",
      credentials: { kind: "token-file", path: "/nowhere/token" },
    });
    await expect(client.request(VERSION)).rejects.toMatchObject({ code: "CLIENT_TOKEN_FILE" });
    await expect(client.request(VERSION)).rejects.toThrow("/nowhere/token");
  });
});
