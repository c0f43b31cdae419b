import { afterEach, describe, expect, it } from "vitest";

import type { AdmissionPlugin } from "../../src/pipeline/extension-points.ts";
import type { ApiServerOptions } from "../../src/server/api-server.ts";
import { CONFIG_MAPS, configMap, TestServer, type Answer } from "../support/test-server.ts";

let releases: (() => void)[] = [];

/** Holds every write in admission until the test lets it go on. */
const holdBack: AdmissionPlugin = {
  name: "HoldBack",
  mutate: async () => {
    await new Promise<void>((resolve) => {
      releases.push(resolve);
    });
    return undefined;
  },
};

function letGo(): void {
  releases.forEach((release) => release());
  releases = [];
}

function heldServer(options: ApiServerOptions = {}): TestServer {
  return new TestServer({ admission: [() => holdBack], ...options });
}

async function untilHeld(count: number): Promise<void> {
  while (releases.length < count) await new Promise((resolve) => setImmediate(resolve));
}

afterEach(letGo);

describe("the time of a request", () => {
  it.each([
    ["", 60_000],
    ["?timeout=5s", 5000],
    ["?timeout=1.5m", 60_000],
    ["?timeout=0s", 60_000],
    ["?timeout=-3s", 60_000],
    ["?timeout=250ms", 250],
  ])("of a create with %o is over after %i ms with 504, and nothing is stored", async (query, timeoutMs) => {
    const server = heldServer();
    const creating = server.post(`${CONFIG_MAPS}${query}`, configMap("a"));
    await untilHeld(1);
    server.clock.step(timeoutMs - 1);
    expect(releases).toHaveLength(1);
    server.clock.step(1);
    const answer = await creating;
    expect([answer.code, JSON.parse(answer.text)]).toEqual([
      504,
      {
        metadata: {},
        status: "Failure",
        message: "Timeout: request did not complete within the allotted timeout",
        reason: "Timeout",
        details: {},
        code: 504,
      },
    ]);
    letGo();
    await server.server.idle();
    expect((await server.get(`${CONFIG_MAPS}/a`)).code).toBe(404);
  });

  it("does not limit watches", async () => {
    const server = new TestServer();
    const watch = await server.watch(`${CONFIG_MAPS}?watch=true&timeout=nonsense`);
    server.clock.step(600_000);
    await server.post(CONFIG_MAPS, configMap("a"));
    expect(await watch.take(1)).toMatchObject([{ type: "ADDED" }]);
    watch.stop();
  });

  it.each([
    ["5", String.raw`time: missing unit in duration "5"`],
    ["x", String.raw`time: invalid duration "x"`],
    ["5x", String.raw`time: unknown unit "x" in duration "5x"`],
    ["1s1", String.raw`time: missing unit in duration "1s1"`],
    ["%00", String.raw`time: invalid duration "\x00"`],
    ["9999999999h", String.raw`time: invalid duration "9999999999h"`],
    ["5constructor", String.raw`time: unknown unit "constructor" in duration "5constructor"`],
  ])("cannot be %s", async (text, problem) => {
    const { code, body } = await new TestServer().get(`${CONFIG_MAPS}?timeout=${text}`);
    expect([code, body.message]).toEqual([400, `invalid timeout specified in the request URL - ${problem}`]);
  });
});

describe("the requests that are handled at once", () => {
  const named = (options: ApiServerOptions = {}): TestServer =>
    heldServer({
      authenticators: [
        () => ({
          authenticate: (request) => {
            const name = request.header("x-user") ?? "";
            return { kind: "user", user: { name, groups: name === "admin" ? ["system:masters"] : [] } };
          },
        }),
      ],
      ...options,
    });
  const create = async (server: TestServer, name: string, user: string): Promise<Answer> =>
    server.post(CONFIG_MAPS, configMap(name), { "X-User": user });

  it("are 200 that write, beyond which others get 429 and administrators do not", async () => {
    const server = named();
    const held = Array.from({ length: 200 }, (_, index) => create(server, `c-${String(index)}`, "jane"));
    await untilHeld(200);
    const refused = await create(server, "one-more", "jane");
    expect([refused.code, refused.text, refused.headers.get("retry-after")]).toEqual([
      429,
      "Too many requests, please try again later.\n",
      "1",
    ]);
    expect((await server.get(`${CONFIG_MAPS}/c-0`, { "X-User": "jane" })).code).toBe(404);
    const admin = create(server, "admin", "admin");
    await untilHeld(201);
    letGo();
    expect((await admin).code).toBe(201);
    expect(new Set((await Promise.all(held)).map(({ code }) => code))).toEqual(new Set([201]));
    const later = create(server, "later", "jane");
    await untilHeld(1);
    letGo();
    expect((await later).code).toBe(201);
  });

  it("do not count watches", async () => {
    const server = named({ requestLimits: { maxRequestsInFlight: 1 } });
    const watches = await Promise.all(
      Array.from({ length: 5 }, () => server.server.handle(new Request(`http://server.test${CONFIG_MAPS}?watch=1`))),
    );
    expect(watches.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await server.get(CONFIG_MAPS)).code).toBe(200);
    await server.server.close();
  });
});

describe("a defect of the server", () => {
  it("is answered in upstream's words, and reported with its stack elsewhere", async () => {
    const reported: unknown[] = [];
    const defect = new TypeError("x is not a function in /home/me/project");
    const server = new TestServer({
      reportPanic: (error) => reported.push(error),
      admission: [
        () => ({
          name: "Defect",
          mutate: () => {
            throw defect;
          },
        }),
      ],
    });
    const answer = await server.post(CONFIG_MAPS, configMap("a"));
    expect([answer.code, answer.text, answer.headers.get("content-type")]).toEqual([
      500,
      "This request caused apiserver to panic. Look in the logs for details.\n",
      "text/plain; charset=utf-8",
    ]);
    expect(reported).toEqual([defect]);
  });
});
