import { FakeClock } from "@kubescaffold/platform/clock";

import type { ApiServer } from "../../src/server/api-server.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";
import type { StoreEvent } from "../../src/storage/object-reader.ts";
import { type Random, pick, seededRandom } from "./random.ts";
import type { WatchSelection } from "./watch-model.ts";
import {
  CONFIG_MAPS,
  CONVERTED_METERS,
  convertMeters,
  METER_DEFINITION,
  METERS,
  type WatchedKind,
} from "./watched-kinds.ts";
import { Watcher, type WatchStart } from "./watcher.ts";
import { NAMESPACES, runWriter, type Send, writeLast } from "./writer.ts";

/** The size of a run, which is the same work for the same numbers. */
export interface StressSize {
  readonly seed: number;
  readonly writers: number;
  readonly writes: number;
  readonly watchers: number;
}

/** What a run has found. */
export interface StressResult {
  readonly problems: readonly string[];
  readonly changes: number;
  readonly events: number;
}

const BOOKMARK_INTERVAL_MS = 1000;
const WRITES_PER_BOOKMARK = 10;
const WRITTEN_KINDS = [CONFIG_MAPS, METERS] as const;
const WATCHED_KINDS = [CONFIG_MAPS, METERS, CONVERTED_METERS] as const;

/** Runs writers and watchers at once, and compares the events of each watcher with the history of the store. */
export async function runStress(size: StressSize, transport: "in-process" | "http"): Promise<StressResult> {
  const random = seededRandom(size.seed);
  const delays = seededRandom(size.seed + 1);
  const clock = new FakeClock();
  const server = createApiServer({
    clock,
    bookmarkIntervalMs: BOOKMARK_INTERVAL_MS,
    namespaces: NAMESPACES,
    callWebhook: async ({ body }) => await convertMeters(body, Math.floor(delays() * 4)),
  });
  try {
    const send = await senderOf(server, transport);
    await define(server, send);
    return await compare({ server, send, clock, random, size });
  } finally {
    await server.close();
  }
}

async function senderOf(server: ApiServer, transport: "in-process" | "http"): Promise<Send> {
  if (transport === "http") {
    const { url } = await server.listen();
    return async (path, init) => await fetch(`${url.replace(/\/$/u, "")}${path}`, init);
  }
  return async (path, init) => await server.handle(new Request(`http://server.test${path}`, init));
}

async function define(server: ApiServer, send: Send): Promise<void> {
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const headers = { "content-type": "application/json" };
  await send(path, { method: "POST", headers, body: JSON.stringify(METER_DEFINITION) });
  await server.idle();
}

interface StressRun {
  readonly server: ApiServer;
  readonly send: Send;
  readonly clock: FakeClock;
  readonly random: Random;
  readonly size: StressSize;
}

async function compare(run: StressRun): Promise<StressResult> {
  const { server, send, random, size } = run;
  const histories = new Map(WRITTEN_KINDS.map((kind) => [kind.resource, [] as StoreEvent[]]));
  for (const { group, resource } of WRITTEN_KINDS)
    server.context.objects.observe({ group, resource }, (event) => histories.get(resource)?.push(event));
  const progress = new Progress(run.clock);
  const total = size.writers * size.writes;
  const watchers = Array.from({ length: size.watchers }, (_each, index) =>
    startWatcher(run, { histories, progress, after: Math.floor((total * index) / size.watchers) }),
  );
  const writers = Array.from({ length: size.writers }, async () => {
    const own = seededRandom(Math.floor(random() * 2 ** 32));
    await runWriter(send, { kinds: WRITTEN_KINDS, count: size.writes, random: own, onWrite: () => progress.add() });
  });
  await Promise.all(writers);
  await writeLast(send, WRITTEN_KINDS);
  progress.finish();
  const finished = await Promise.all(watchers);
  const problems = finished.flatMap(({ watcher, watched }) => {
    // The history has objects in the version that is stored.
    const stored = WRITTEN_KINDS.find(({ resource }) => resource === watched.resource) ?? watched;
    const problem = watcher.problem(stored.contentOf);
    return problem === undefined ? [] : [problem];
  });
  const changes = [...histories.values()].reduce((sum, events) => sum + events.length, 0);
  return { problems, changes, events: finished.reduce((sum, { watcher }) => sum + watcher.eventCount, 0) };
}

interface WatcherPlan {
  readonly histories: ReadonlyMap<string, readonly StoreEvent[]>;
  readonly progress: Progress;
  /** The number of writes before the watch starts. */
  readonly after: number;
}

async function startWatcher(
  { send, random }: StressRun,
  { histories, progress, after }: WatcherPlan,
): Promise<{ readonly watcher: Watcher; readonly watched: WatchedKind }> {
  const watched = pick(random, WATCHED_KINDS);
  const selection = selectionOf(random);
  const [startRoll, revisionRoll, isSlow] = [random(), random(), random() < 0.2];
  const resumesAfter = random() < 0.4 ? 1 + Math.floor(random() * 8) : undefined;
  await progress.reached(after);
  const history = histories.get(watched.resource) ?? [];
  // A version of any object will do, also one that this kind did not have.
  const [oldest, newest] = [history[0]?.revision ?? 0, history.at(-1)?.revision ?? 0];
  const revision = oldest + Math.floor(revisionRoll * (newest - oldest + 1));
  const start = startOf(startRoll, history.length === 0 ? 0 : revision);
  const watcher = new Watcher({
    send,
    watched,
    selection,
    start,
    history,
    resumesAfter: start.kind === "legacy" ? undefined : resumesAfter,
    mayRead: isSlow ? progress.finished : Promise.resolve(),
  });
  await watcher.run();
  return { watcher, watched };
}

function startOf(roll: number, revision: number): WatchStart {
  if (roll < 0.25) return { kind: "legacy" };
  if (roll < 0.5 || revision === 0) return { kind: "initial-events" };
  return { kind: "version", revision, hasBookmarks: roll < 0.75 };
}

const SELECTORS: readonly Pick<WatchSelection, "selector" | "isSelected">[] = [
  { selector: "", isSelected: () => true },
  { selector: "&labelSelector=tier%3Dx", isSelected: ({ tier }) => tier === "x" },
  { selector: "&labelSelector=tier%21%3Dy", isSelected: ({ tier }) => tier !== "y" },
  { selector: "&labelSelector=tier%20in%20%28x%2Cz%29", isSelected: ({ tier }) => tier === "x" || tier === "z" },
  { selector: "&labelSelector=tier", isSelected: ({ tier }) => tier !== undefined },
  { selector: "&fieldSelector=metadata.name%21%3Db", isSelected: (_labels, name) => name !== "b" },
];

function selectionOf(random: Random): WatchSelection {
  return { namespace: pick(random, ["", ...NAMESPACES]), ...pick(random, SELECTORS) };
}

/** Counts writes, and wakes those that wait for a number of them; time passes with them. */
class Progress {
  readonly #clock: FakeClock;
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  #count = 0;
  #finish: () => void = () => undefined;
  readonly finished: Promise<void>;

  constructor(clock: FakeClock) {
    this.#clock = clock;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  add(): void {
    this.#count += 1;
    if (this.#count % WRITES_PER_BOOKMARK === 0) this.#clock.step(BOOKMARK_INTERVAL_MS);
    for (const { count, resolve } of this.#waiting) if (count <= this.#count) resolve();
  }

  finish(): void {
    this.#finish();
  }

  async reached(count: number): Promise<void> {
    if (count <= this.#count) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ count, resolve });
    });
  }
}
