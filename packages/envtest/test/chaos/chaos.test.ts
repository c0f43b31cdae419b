import { get, type IncomingMessage } from "node:http";

import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import {
  ConnectionError,
  createClient,
  createRestClient,
  type RestRequest,
  type WatchEvent,
  type LiveClient,
} from "@kubescaffold/runtime";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { type Chaos, type ChaosOptions, startChaos } from "../../src/chaos/chaos.ts";
import type { FaultKind } from "../../src/chaos/faults.ts";
import type { ScriptedFault } from "../../src/chaos/script.ts";
import { Environment } from "../../src/environment/environment.ts";
import { ChaosOptionsError } from "../../src/failures/errors.ts";

const NAMESPACE = "default";
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

const environment = new Environment({ controllers: false });
let target: RestConfig;
let direct: LiveClient;
let count = 0;
const proxies: Chaos[] = [];

beforeAll(async () => {
  target = await environment.start();
  direct = createClient(target);
});

afterEach(async () => {
  await Promise.all(proxies.splice(0).map(async (chaos) => await chaos.stop()));
});

afterAll(async () => {
  await environment.stop();
});

async function start(options: Partial<ChaosOptions> = {}): Promise<Chaos> {
  const chaos = await startChaos({ target, seed: 1, faults: {}, tls: false, ...options });
  proxies.push(chaos);
  return chaos;
}

// A proxy with one scripted fault, and a client behind it whose discovery is done.
async function startWith(
  fault: ScriptedFault,
  options: Partial<ChaosOptions> = {},
): Promise<{ readonly chaos: Chaos; readonly client: LiveClient }> {
  const chaos = await start(options);
  const client = createClient(chaos.restConfig);
  await client.isNamespaced(ConfigMap);
  chaos.script([fault]);
  return { chaos, client };
}

function configMap(data: Record<string, string> = {}): ConfigMap {
  count += 1;
  return ConfigMap.create({ metadata: { namespace: NAMESPACE, name: `object-${String(count)}` }, data });
}

function keyOf({ metadata }: ConfigMap): { readonly namespace: string; readonly name: string } {
  return { namespace: NAMESPACE, name: metadata.name ?? "" };
}

interface RawAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

async function send(chaos: Chaos, path: string): Promise<RawAnswer> {
  const authorization = authorizationOf(chaos);
  const response = await fetch(`${chaos.restConfig.server}${path}`, { headers: { authorization } });
  return { status: response.status, retryAfter: response.headers.get("retry-after"), text: await response.text() };
}

function authorizationOf({ restConfig: { credentials } }: Chaos): string {
  return credentials?.kind === "token" ? `Bearer ${credentials.token}` : "";
}

async function resourceVersion(): Promise<string> {
  return (await direct.list(ConfigMap, { namespace: NAMESPACE })).metadata.resourceVersion ?? "";
}

// The lines of a watch, up to a number of them or its end; a cut line is left as it is.
async function watchLines(chaos: Chaos, from: string, limit: number = Number.POSITIVE_INFINITY): Promise<string[]> {
  const url = `${chaos.restConfig.server}${CONFIG_MAPS}?watch=true&resourceVersion=${from}`;
  let text = "";
  try {
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers: { authorization: authorizationOf(chaos) } }, resolve).on("error", reject);
    });
    for await (const chunk of message.setEncoding("utf8")) {
      text += String(chunk);
      if (text.split("\n").length > limit) break;
    }
  } catch {
    // The connection was closed in the middle.
  }
  return text.split("\n").filter((line) => line !== "");
}

function nameOf(line: string): string {
  const { type, object } = JSON.parse(line) as WatchEvent<ConfigMap>;
  return type === "ERROR" ? `ERROR ${String(object.code)}` : `${type} ${object.metadata.name ?? ""}`;
}

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function failureOf(error: unknown): string {
  return error instanceof ConnectionError ? error.failure : String(error);
}

describe("a proxy without faults", () => {
  it.each([false, true])("passes requests and watches unchanged (TLS: %s)", async (tls) => {
    const chaos = await start({ tls });
    const client = createClient(chaos.restConfig);
    const from = await resourceVersion();
    const created = await client.create(configMap({ text: "ü".repeat(100_000) }));
    expect(await client.get(ConfigMap, keyOf(created))).toEqual(await direct.get(ConfigMap, keyOf(created)));
    const stopping = new AbortController();
    const watch = client.watch(ConfigMap, { namespace: NAMESPACE, resourceVersion: from, signal: stopping.signal });
    for await (const { type, object } of watch) {
      expect([type, object]).toEqual(["ADDED", created]);
      break;
    }
    stopping.abort();
    const { faults, events, requests } = chaos.report();
    expect(Object.values(faults).every((number) => number === 0)).toBe(true);
    expect([events, requests > 2]).toEqual([1, true]);
  });

  it("forwards to a server with TLS, with the credentials of its config", async () => {
    const listening = await environment.listen();
    const chaos = await startChaos({ target: listening, faults: {} });
    proxies.push(chaos);
    expect(chaos.restConfig.server).toMatch(/^https:/u);
    expect(chaos.restConfig.credentials).toEqual(listening.credentials);
    await createClient(chaos.restConfig).create(configMap());
  });

  it("passes the status of the server", async () => {
    const chaos = await start();
    const { status, text } = await send(chaos, `${CONFIG_MAPS}/missing`);
    expect([status, (JSON.parse(text) as { reason: string }).reason]).toEqual([404, "NotFound"]);
  });

  it("closes the connection and counts a failure if the target does not answer", async () => {
    const chaos = await start({
      target: { ...target, transport: () => Promise.reject(new Error("the target is down")) },
    });
    await expect(send(chaos, "/version")).rejects.toThrow("fetch failed");
    expect(chaos.report().targetFailures).toBe(1);
  });
});

describe("faults of requests", () => {
  it("dropRequest closes the connection before the server receives the request", async () => {
    const { client } = await startWith({ fault: "dropRequest" });
    const object = configMap();
    expect(failureOf(await rejectionOf(client.create(object)))).toBe("closed");
    await expect(direct.get(ConfigMap, keyOf(object))).rejects.toThrow("not found");
  });

  it("dropResponse closes the connection after the server has processed the request", async () => {
    const { client } = await startWith({ fault: "dropResponse" });
    const object = configMap();
    expect(failureOf(await rejectionOf(client.create(object)))).toBe("closed");
    expect((await direct.get(ConfigMap, keyOf(object))).metadata.name).toBe(object.metadata.name);
  });

  it("truncateResponse closes the connection in the middle of the body", async () => {
    const { client } = await startWith({ fault: "truncateResponse" });
    expect(failureOf(await rejectionOf(client.create(configMap())))).toBe("closed");
  });

  it("hangRequest never answers, until the proxy is healed", async () => {
    const { chaos, client } = await startWith({ fault: "hangRequest" });
    let isPending = true;
    const hanging = rejectionOf(client.create(configMap())).finally(() => {
      isPending = false;
    });
    await expect.poll(() => chaos.report().faults.hangRequest).toBe(1);
    await client.create(configMap());
    expect(isPending).toBe(true);
    await chaos.heal();
    expect(failureOf(await hanging)).toBe("closed");
  });

  it.each(["delayRequest", "delayResponse"] as const)("%s waits on the clock of the proxy", async (fault) => {
    const clock = new FakeClock();
    const { chaos, client } = await startWith({ fault, ms: 1000 }, { clock, speed: 10 });
    const answer = client.create(configMap());
    await expect.poll(() => clock.nextDelayMs).toBe(100);
    clock.step(100);
    expect((await answer).metadata.uid).toBeDefined();
    expect(chaos.report().faults[fault]).toBe(1);
  });

  it.each([
    ["tooManyRequests", 429, "1", "TooManyRequests"],
    ["internalError", 500, null, "InternalError"],
    ["unavailable", 503, null, "ServiceUnavailable"],
  ] as const)("%s answers %i", async (fault, code, retryAfter, reason) => {
    const { chaos } = await startWith({ fault });
    const { status, retryAfter: header, text } = await send(chaos, CONFIG_MAPS);
    expect([status, header]).toEqual([code, retryAfter]);
    expect(JSON.parse(text)).toMatchObject({ kind: "Status", code, reason });
    expect((await send(chaos, CONFIG_MAPS)).status).toBe(200);
  });

  it("expired answers 410 to pages and watches, not to requests that continue nothing", async () => {
    const { chaos } = await startWith({ fault: "expired", times: 2 });
    expect((await send(chaos, CONFIG_MAPS)).status).toBe(200);
    expect((await send(chaos, `${CONFIG_MAPS}?resourceVersion=0`)).status).toBe(200);
    expect((await send(chaos, `${CONFIG_MAPS}?limit=1&continue=token`)).status).toBe(410);
    const lines = await watchLines(chaos, await resourceVersion());
    expect(lines.map(nameOf)).toEqual(["ERROR 410"]);
  });

  it("staleList answers with an earlier list, never older than the request demands", async () => {
    const { chaos } = await startWith({ fault: "staleList", times: 1000 });
    const earlier = await send(chaos, CONFIG_MAPS);
    await direct.create(configMap());
    const latest = await resourceVersion();
    expect((await send(chaos, `${CONFIG_MAPS}?resourceVersion=0`)).text).toBe(earlier.text);
    expect((await send(chaos, `${CONFIG_MAPS}?resourceVersion=${latest}`)).text).not.toBe(earlier.text);
    expect((await send(chaos, CONFIG_MAPS)).text).not.toBe(earlier.text);
    expect(chaos.report().faults.staleList).toBe(1);
  });
});

describe("faults of watches", () => {
  async function eventsWith(fault: ScriptedFault, options: Partial<ChaosOptions> = {}, limit = 3): Promise<string[]> {
    const { chaos } = await startWith(fault, options);
    const from = await resourceVersion();
    for (let index = 0; index < 3; index += 1) await direct.create(configMap());
    const first = count - 2;
    const lines = await watchLines(chaos, from, limit);
    return lines.map((line) => {
      try {
        return nameOf(line).replace(/\d+$/u, (digits) =>
          line.includes('"ERROR"') ? digits : String(Number(digits) - first),
        );
      } catch {
        return "part of an event";
      }
    });
  }

  it("closeWatch ends the watch before an event", async () => {
    expect(await eventsWith({ fault: "closeWatch", skip: 2 })).toEqual(["ADDED object-0", "ADDED object-1"]);
  });

  it("expireWatch ends the watch with an ERROR event", async () => {
    expect(await eventsWith({ fault: "expireWatch", skip: 1 })).toEqual(["ADDED object-0", "ERROR 410"]);
  });

  it.each([1, 2, 3, 4])("truncateWatch ends the watch in the middle of an event (seed %i)", async (seed) => {
    const events = await eventsWith({ fault: "truncateWatch", skip: 1 }, { seed });
    expect(events).toEqual(["ADDED object-0", "part of an event"]);
  });

  it("hangWatch sends nothing more, until the proxy is healed", async () => {
    const { chaos } = await startWith({ fault: "hangWatch", skip: 1 });
    const from = await resourceVersion();
    await direct.create(configMap());
    await direct.create(configMap());
    const lines = watchLines(chaos, from);
    await expect.poll(() => chaos.report().faults.hangWatch).toBe(1);
    await chaos.heal();
    expect(await lines).toHaveLength(1);
  });

  it("delayEvent delays an event and those after it", async () => {
    const clock = new FakeClock();
    const { chaos } = await startWith({ fault: "delayEvent", ms: 1000 }, { clock });
    const from = await resourceVersion();
    await direct.create(configMap());
    await direct.create(configMap());
    const lines = watchLines(chaos, from, 2);
    await expect.poll(() => clock.nextDelayMs).toBe(1000);
    expect(chaos.report().events).toBe(1);
    clock.step(1000);
    expect(await lines).toHaveLength(2);
  });

  it("duplicateEvent sends an event twice", async () => {
    const events = await eventsWith({ fault: "duplicateEvent", skip: 1 }, { illegal: true }, 4);
    expect(events).toEqual(["ADDED object-0", "ADDED object-1", "ADDED object-1", "ADDED object-2"]);
  });

  it("reorderEvents sends an event after the next one", async () => {
    const events = await eventsWith({ fault: "reorderEvents", skip: 1 }, { illegal: true });
    expect(events).toEqual(["ADDED object-0", "ADDED object-2", "ADDED object-1"]);
  });

  it("reorderEvents sends an event late if none follows", async () => {
    const events = await eventsWith({ fault: "reorderEvents", skip: 2, ms: 1 }, { illegal: true });
    expect(events).toEqual(["ADDED object-0", "ADDED object-1", "ADDED object-2"]);
  });

  it("replayEvents repeats events at the start of a watch that resumes", async () => {
    const { chaos } = await startWith({ fault: "replayEvents" }, { illegal: true });
    const from = await resourceVersion();
    const { metadata } = await direct.create(configMap());
    const [first = ""] = await watchLines(chaos, from, 1);
    const resumed = metadata.resourceVersion ?? "";
    expect(await watchLines(chaos, resumed, 1)).toEqual([first]);
  });
});

describe("scripts", () => {
  it("affect the matching requests after those to skip, as often as planned", async () => {
    const chaos = await start();
    const script = chaos.script([
      { fault: "unavailable", match: { verb: "list", resource: "configmaps" }, skip: 1, times: 2 },
    ]);
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      statuses.push((await send(chaos, CONFIG_MAPS)).status, (await send(chaos, "/version")).status);
    }
    await script.injected;
    expect(statuses).toEqual([200, 200, 503, 200, 503, 200, 200, 200]);
  });

  it("end when they are canceled", async () => {
    const chaos = await start();
    const script = chaos.script([{ fault: "unavailable", times: 1000 }]);
    expect((await send(chaos, "/version")).status).toBe(503);
    script.cancel();
    await script.injected;
    expect((await send(chaos, "/version")).status).toBe(200);
  });

  it("without faults have ended already", async () => {
    const chaos = await start();
    await expect(chaos.script([]).injected).resolves.toBeUndefined();
  });

  it("work while the seed is paused", async () => {
    const chaos = await start({ faults: { unavailable: 1 } });
    chaos.pause();
    expect((await send(chaos, "/version")).status).toBe(200);
    chaos.script([{ fault: "internalError" }]);
    expect((await send(chaos, "/version")).status).toBe(500);
    chaos.resume();
    expect((await send(chaos, "/version")).status).toBe(503);
  });
});

describe("seeds", () => {
  const FAULTS = { unavailable: 0.3, internalError: 0.2 };
  const PATHS = ["/version", CONFIG_MAPS, "/api/v1/namespaces"];

  async function injected(seed: number, paths: readonly string[]): Promise<readonly string[]> {
    const chaos = await start({ seed, faults: FAULTS });
    for (const path of paths) await send(chaos, path);
    return chaos
      .report()
      .injected.map(({ fault, path, occurrence }) => `${path} ${String(occurrence)} ${fault}`)
      .toSorted();
  }

  it("select the same faults for the same requests, in any order of paths", async () => {
    const byPath = PATHS.flatMap((path) => Array.from({ length: 20 }, () => path));
    const inTurns = Array.from({ length: 20 }, () => PATHS).flat();
    const faults = await injected(7, byPath);
    expect(faults.length).toBeGreaterThan(15);
    expect(await injected(7, inTurns)).toEqual(faults);
    expect(await injected(8, byPath)).not.toEqual(faults);
  });

  it("select faults of matching requests only", async () => {
    const chaos = await start({ faults: { unavailable: 1 }, match: { resource: "configmaps" } });
    expect((await send(chaos, "/version")).status).toBe(200);
    expect((await send(chaos, CONFIG_MAPS)).status).toBe(503);
  });
});

describe("certificates", () => {
  const VERSION: RestRequest = { method: "GET", path: "/version" };

  it("are replaced by a new one of the same authority", async () => {
    const chaos = await start({ tls: true, speed: 20 });
    const client = createRestClient(chaos.restConfig, { clock: chaos.clock });
    await client.request(VERSION);
    await chaos.rotateCertificate();
    await client.request(VERSION);
    chaos.script([{ fault: "rotateCertificate" }]);
    await client.request(VERSION);
    expect(chaos.report().faults.rotateCertificate).toBe(1);
    await client.close();
  });

  it("of a foreign authority are not trusted, until the proxy is healed", async () => {
    const chaos = await start({ tls: true, speed: 20 });
    const client = createRestClient(chaos.restConfig, { clock: chaos.clock });
    await client.request(VERSION);
    await chaos.rotateCertificate({ isTrusted: false });
    expect(failureOf(await rejectionOf(client.request(VERSION)))).toBe("untrusted");
    await chaos.heal();
    await client.request(VERSION);
    await client.close();
  });
});

describe("the clock", () => {
  it("jumps with its wall-clock time only, and is corrected when the proxy is healed", async () => {
    const base = new FakeClock(1_000_000);
    const chaos = await start({ clock: base });
    const monotonic = chaos.clock.monotonic();
    chaos.script([{ fault: "jumpClock", ms: -5000 }]);
    await send(chaos, "/version");
    chaos.jumpClock(1000);
    expect([chaos.clock.now(), chaos.clock.monotonic()]).toEqual([996_000, monotonic]);
    await chaos.heal();
    expect(chaos.clock.now()).toBe(1_000_000);
  });

  it("passes faster by the speed", async () => {
    const base = new FakeClock(1_000_000);
    const { clock } = await start({ clock: base, speed: 20 });
    const monotonic = clock.monotonic();
    let isDue = false;
    clock.setTimeout(() => {
      isDue = true;
    }, 2000);
    base.step(100);
    expect([isDue, clock.now(), clock.monotonic() - monotonic]).toEqual([true, 1_002_000, 2000]);
  });
});

describe("stopping", () => {
  it("closes connections that hang and watches, and does nothing the second time", async () => {
    const chaos = await start();
    chaos.script([{ fault: "hangRequest", match: { path: "/version" } }]);
    const hanging = rejectionOf(send(chaos, "/version"));
    const lines = watchLines(chaos, await resourceVersion());
    await expect.poll(() => chaos.report().requests).toBe(2);
    await chaos.stop();
    await chaos.stop();
    expect(await hanging).toBeInstanceOf(TypeError);
    expect(await lines).toEqual([]);
    await expect(send(chaos, "/version")).rejects.toThrow("fetch failed");
  });

  it("closeConnections closes watches, which may be opened again", async () => {
    const chaos = await start();
    const lines = watchLines(chaos, await resourceVersion());
    await expect.poll(() => chaos.report().requests).toBe(1);
    chaos.closeConnections();
    expect(await lines).toEqual([]);
    expect((await send(chaos, "/version")).status).toBe(200);
  });
});

describe("invalid options", () => {
  it.each<[Partial<ChaosOptions>, string]>([
    [{ faults: { unavailable: 2 } }, "cannot inject unavailable with probability 2: use 0 to 1"],
    [{ faults: { unavailable: 0.6, internalError: 0.6 } }, "the sum is 1.2"],
    [{ faults: { reorderEvents: 0.1 } }, "cannot inject reorderEvents: API servers do not behave like this"],
    [{ faults: { rotateCertificate: 0.1 } }, "cannot inject rotateCertificate: the proxy serves HTTP"],
    [{ faults: { unknown: 0.1 } as Partial<Record<FaultKind, number>> }, "cannot inject unknown"],
    [{ target: { server: "ftp://host" } }, "cannot use the target ftp://host"],
    [{ target: { server: "http://host", proxyUrl: "http://proxy" } }, "through the proxy http://proxy"],
  ])("%j", async (options, message) => {
    const error = await rejectionOf(start(options));
    expect(error).toBeInstanceOf(ChaosOptionsError);
    expect((error as Error).message).toContain(message);
  });

  it("a script names a fault that needs an option", async () => {
    const chaos = await start();
    expect(() => chaos.script([{ fault: "duplicateEvent" }])).toThrow(ChaosOptionsError);
    await expect(chaos.rotateCertificate()).rejects.toThrow(ChaosOptionsError);
  });
});
