import type { Transport } from "@kubescaffold/k8s";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";

import type { ServerView } from "../../src/server/server-view.ts";
import {
  type Body,
  CONFIG_MAPS,
  configMap,
  fooCrd,
  FOOS,
  foo,
  type TestEvent,
  TestServer,
  TestWatch,
} from "../support/test-server.ts";

const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(async ({ server }) => await server.close()));
});

function testServer(): TestServer {
  const server = new TestServer();
  servers.push(server);
  return server;
}

interface Read {
  readonly code: number;
  readonly body: Body;
}

async function read(
  { handle }: { readonly handle: Transport },
  path: string,
  accept = "application/json",
): Promise<Read> {
  const response = await handle(new Request(`http://view.test${path}`, { headers: { accept } }));
  return { code: response.status, body: accept === "application/json" ? await response.json() : await response.text() };
}

async function write({ handle }: ServerView, path: string, body: object): Promise<number> {
  const headers = { "Content-Type": "application/json" };
  return (await handle(new Request(`http://view.test${path}`, { method: "POST", headers, body: JSON.stringify(body) })))
    .status;
}

async function watch({ handle }: { readonly handle: Transport }, path: string): Promise<TestWatch> {
  const aborted = new AbortController();
  return new TestWatch(await handle(new Request(`http://view.test${path}`, { signal: aborted.signal })), aborted);
}

const namesOf = ({ body }: Read): readonly string[] => body.items.map((each: Body) => each.metadata.name);
const versionOf = ({ body }: Read): number => Number(body.metadata.resourceVersion);
const eventOf = ({ type, object }: TestEvent): string => `${type} ${String(object.metadata.name)}`;

/** A server with `a` before a snapshot, and `b` after it. */
async function lagging(): Promise<{
  readonly server: TestServer;
  readonly view: ServerView;
  readonly version: number;
}> {
  const server = testServer();
  await server.post(CONFIG_MAPS, configMap("a"));
  const version = Number((await server.get(CONFIG_MAPS)).body.metadata.resourceVersion);
  const view = server.server.viewAt(server.server.snapshot());
  await server.post(CONFIG_MAPS, configMap("b"));
  await server.delete(`${CONFIG_MAPS}/a`);
  return { server, view, version };
}

describe("viewAt", () => {
  it("answers reads that a cache may answer as of the snapshot", async () => {
    const { view, version } = await lagging();
    for (const query of ["resourceVersion=0", `resourceVersion=${String(version)}`, "resourceVersion=0&limit=1"]) {
      const list = await read(view, `${CONFIG_MAPS}?${query}`);
      expect([namesOf(list), versionOf(list)]).toEqual([["a"], version]);
    }
    expect((await read(view, `${CONFIG_MAPS}/a?resourceVersion=0`)).code).toBe(200);
    expect((await read(view, `${CONFIG_MAPS}/b?resourceVersion=0`)).code).toBe(404);
  });

  it("answers protobuf and tables as of the snapshot", async () => {
    const { view } = await lagging();
    const protobuf = await read(view, `${CONFIG_MAPS}?resourceVersion=0`, "application/vnd.kubernetes.protobuf");
    expect(protobuf.body.startsWith("k8s\0")).toBe(true);
    const present = await read(view, CONFIG_MAPS, "application/vnd.kubernetes.protobuf");
    // A name of one character between its tag with its length, and an empty generateName.
    const namesIn = ({ body }: Read): readonly boolean[] =>
      ["\n\u0001a\u0012\0", "\n\u0001b\u0012\0"].map((name) => body.includes(name));
    expect([namesIn(protobuf), namesIn(present)]).toEqual([
      [true, false],
      [false, true],
    ]);
    const table = await read(view, `${CONFIG_MAPS}?resourceVersion=0`, "application/json;as=Table;g=meta.k8s.io;v=v1");
    expect(table.body).toContain('"name":"a"');
  });

  it("answers consistent reads, exact versions, and further pages in the present", async () => {
    const { server, view, version } = await lagging();
    expect(namesOf(await read(view, CONFIG_MAPS))).toEqual(["b"]);
    expect(namesOf(await read(view, `${CONFIG_MAPS}?limit=1`))).toEqual(["b"]);
    expect((await read(view, `${CONFIG_MAPS}/a`)).code).toBe(404);
    const present = (await server.get(CONFIG_MAPS)).body.metadata.resourceVersion as string;
    const exact = `${CONFIG_MAPS}?resourceVersionMatch=Exact&resourceVersion=`;
    expect(namesOf(await read(view, exact + present))).toEqual(["b"]);
    expect(namesOf(await read(view, exact + String(version)))).toEqual(["a"]);
  });

  it("stores writes, and shows them only where the view has caught up", async () => {
    const { server, view } = await lagging();
    expect(await write(view, CONFIG_MAPS, configMap("c"))).toBe(201);
    expect((await server.get(`${CONFIG_MAPS}/c`)).code).toBe(200);
    expect(namesOf(await read(view, `${CONFIG_MAPS}?resourceVersion=0`))).toEqual(["a"]);
  });

  it("refuses a version that the view has not reached, like a server that lags behind", async () => {
    const { server, view } = await lagging();
    const version = (await server.get(CONFIG_MAPS)).body.metadata.resourceVersion as string;
    const answers = await Promise.all(
      [CONFIG_MAPS, `${CONFIG_MAPS}/b`].map((path) => read(view, `${path}?resourceVersion=${version}`)),
    );
    expect(answers.map(({ code, body }) => [code, body.reason])).toEqual([
      [504, "Timeout"],
      [504, "Timeout"],
    ]);
  });

  it("holds watches, each resource on its own, until they catch up", async () => {
    const { server, view, version } = await lagging();
    const configMaps = await watch(view, `${CONFIG_MAPS}?watch=1&resourceVersion=${String(version)}`);
    const namespaces = await watch(view, `/api/v1/namespaces?watch=1&resourceVersion=${String(version)}`);
    await server.post("/api/v1/namespaces", { metadata: { name: "late" } });
    view.catchUp({ group: "", resource: "namespaces" });
    expect((await namespaces.take(1)).map(eventOf)).toEqual(["ADDED late"]);
    expect(namesOf(await read(view, `${CONFIG_MAPS}?resourceVersion=0`))).toEqual(["a"]);
    view.catchUp({ group: "", resource: "configmaps" });
    expect((await configMaps.take(2)).map(eventOf)).toEqual(["ADDED b", "DELETED a"]);
    await server.post(CONFIG_MAPS, configMap("d"));
    expect((await configMaps.take(1)).map(eventOf)).toEqual(["ADDED d"]);
    configMaps.stop();
    namespaces.stop();
  });

  it("starts watches of version 0 with the objects of the view, and streaming lists with a consistent version in the present", async () => {
    const { view, version } = await lagging();
    const legacy = await watch(view, `${CONFIG_MAPS}?watch=1&resourceVersion=0`);
    expect((await legacy.take(1)).map(eventOf)).toEqual(["ADDED a"]);
    const streaming = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const cached = await watch(view, `${CONFIG_MAPS}?${streaming}&resourceVersion=0`);
    const [first, end] = await cached.take(2);
    expect([eventOf(first as TestEvent), Number(end?.object.metadata.resourceVersion)]).toEqual(["ADDED a", version]);
    const consistent = await watch(view, `${CONFIG_MAPS}?${streaming}`);
    expect((await consistent.take(1)).map(eventOf)).toEqual(["ADDED b"]);
    for (const each of [legacy, cached, consistent]) each.stop();
  });

  it("holds the later events of a watch that starts with the present", async () => {
    const { server, view } = await lagging();
    const streaming = `${CONFIG_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
    const held = await watch(view, streaming);
    const isClosed = await watch(view, `${CONFIG_MAPS}?watch=1`);
    expect((await held.take(2)).map(({ type }) => type)).toEqual(["ADDED", "BOOKMARK"]);
    expect((await isClosed.take(1)).map(eventOf)).toEqual(["ADDED b"]);
    await server.post(CONFIG_MAPS, configMap("f"));
    const present = await watch(view, streaming);
    expect((await present.take(2)).map(eventOf)).toEqual(["ADDED b", "ADDED f"]);
    await server.delete(`${CONFIG_MAPS}/b`);
    view.catchUp();
    expect((await held.take(2)).map(eventOf)).toEqual(["ADDED f", "DELETED b"]);
    expect((await present.take(2)).map(({ type }) => type)).toEqual(["BOOKMARK", "DELETED"]);
    for (const each of [held, present]) each.stop();
    await view.close();
    expect((await isClosed.rest()).map(eventOf)).toEqual(["ADDED f", "DELETED b"]);
  });

  it("ends a watch with 410 that starts with the present, and cannot catch up", async () => {
    const { server, view } = await lagging();
    const held = await watch(view, `${CONFIG_MAPS}?watch=1`);
    server.server.faults.expireHistory();
    view.catchUp();
    expect((await held.rest()).map(({ type }) => type)).toEqual(["ADDED", "ERROR"]);
  });

  it("sends a watch from a later version only what is later still", async () => {
    const { server, view } = await lagging();
    const version = (await server.get(CONFIG_MAPS)).body.metadata.resourceVersion as string;
    const late = await watch(view, `${CONFIG_MAPS}?watch=1&resourceVersion=${version}`);
    await server.post(CONFIG_MAPS, configMap("e"));
    view.catchUp();
    expect((await late.take(1)).map(eventOf)).toEqual(["ADDED e"]);
    late.stop();
  });

  it("catches up to a snapshot, and stays there", async () => {
    const { server, view } = await lagging();
    const later = server.server.snapshot();
    await server.post(CONFIG_MAPS, configMap("c"));
    view.catchUp(undefined, later);
    expect(namesOf(await read(view, `${CONFIG_MAPS}?resourceVersion=0`))).toEqual(["b"]);
    view.catchUp();
    expect(namesOf(await read(view, `${CONFIG_MAPS}?resourceVersion=0`))).toEqual(["b", "c"]);
  });

  it("holds a resource again", async () => {
    const { server, view } = await lagging();
    view.catchUp();
    view.hold({ group: "", resource: "configmaps" });
    await server.post(CONFIG_MAPS, configMap("c"));
    await server.post("/api/v1/namespaces", { metadata: { name: "late" } });
    expect(namesOf(await read(view, `${CONFIG_MAPS}?resourceVersion=0`))).toEqual(["b"]);
    expect(namesOf(await read(view, "/api/v1/namespaces?resourceVersion=0"))).toContain("late");
  });

  it("ends watches with 410 that cannot catch up, since the changes are forgotten", async () => {
    const { server, view, version } = await lagging();
    const held = await watch(view, `${CONFIG_MAPS}?watch=1&resourceVersion=${String(version)}`);
    server.server.faults.expireHistory();
    view.catchUp();
    expect((await held.rest()).map(({ type, object }) => [type, object.code])).toEqual([["ERROR", 410]]);
  });

  it("shows custom resources, also to a client on a socket", async () => {
    const server = testServer();
    await server.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", fooCrd());
    await server.server.idle();
    await server.post(FOOS, foo("old"));
    const view = server.server.viewAt(server.server.snapshot());
    await server.post(FOOS, foo("new"));
    const { url } = await view.listen();
    const list = (await (await fetch(`${url}${FOOS}?resourceVersion=0`)).json()) as Body;
    expect(list.items.map((each: Body) => each.metadata.name)).toEqual(["old"]);
    await view.close();
    await expect(fetch(`${url}${FOOS}`)).rejects.toThrow("fetch failed");
  });

  it("refuses snapshots of other servers, and earlier ones", async () => {
    const { server, view } = await lagging();
    const earlier = server.server.snapshot();
    view.catchUp();
    await server.post(CONFIG_MAPS, configMap("c"));
    expect(() => view.catchUp(undefined, earlier)).toThrow(/already shows/u);
    expect(() => testServer().server.viewAt(earlier)).toThrow(/snapshot of another server/u);
  });

  it("gives a watch the same events as the server, whenever it catches up", async () => {
    const names = fc.constantFrom("a", "b", "c");
    const step = fc.oneof(
      fc.record({ kind: fc.constant("create" as const), name: names }),
      fc.record({ kind: fc.constant("delete" as const), name: names }),
      fc.constantFrom({ kind: "catchUp" as const }, { kind: "hold" as const }, { kind: "snapshot" as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const server = testServer();
        const { body } = await server.get(CONFIG_MAPS);
        const from = `${CONFIG_MAPS}?watch=1&resourceVersion=${String(body.metadata.resourceVersion)}`;
        const view = server.server.viewAt(server.server.snapshot());
        const [direct, viewed] = [await server.watch(from), await watch(view, from)];
        for (const each of steps) {
          if (each.kind === "create") await server.post(CONFIG_MAPS, configMap(each.name));
          else if (each.kind === "delete") await server.delete(`${CONFIG_MAPS}/${each.name}`);
          else if (each.kind === "hold") view.hold();
          else view.catchUp(undefined, each.kind === "snapshot" ? server.server.snapshot() : undefined);
        }
        view.catchUp();
        await server.server.close();
        const [expected, events] = [await direct.rest(), await viewed.rest()];
        expect(events.map((event) => JSON.stringify(event))).toEqual(expected.map((event) => JSON.stringify(event)));
      }),
      { numRuns: 15 },
    );
  });
});
