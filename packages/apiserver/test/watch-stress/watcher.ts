import type { StoreEvent } from "../../src/storage/object-reader.ts";
import type { Body } from "../support/test-server.ts";
import { expectedEvents, shownEvent, type ShownEvent, type WatchSelection } from "./watch-model.ts";
import { pathOf, type WatchedKind } from "./watched-kinds.ts";
import { LAST, NAMESPACES, type Send } from "./writer.ts";

/** How a watch starts. */
export type WatchStart =
  | { readonly kind: "legacy" }
  | { readonly kind: "version"; readonly revision: number; readonly hasBookmarks: boolean }
  | { readonly kind: "initial-events" };

interface WatcherOptions {
  readonly send: Send;
  readonly watched: WatchedKind;
  readonly selection: WatchSelection;
  readonly start: WatchStart;
  /** After so many events, the watch is ended, and goes on from the last version with another one. */
  readonly resumesAfter: number | undefined;
  /** Resolves when reading may begin. */
  readonly mayRead: Promise<void>;
  readonly history: readonly StoreEvent[];
}

/** One watcher: what it was sent, and between which revisions it started. */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #events: ShownEvent[] = [];
  readonly #problems: string[] = [];
  #earliest = 0;
  #latest = 0;
  #initialEnd: number | undefined;
  #lastVersion = 0;
  #isOver = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Watches until the last object of its namespaces. */
  async run(): Promise<void> {
    const { start, resumesAfter, mayRead } = this.#options;
    const first = await this.#open(queryOf(start));
    await mayRead;
    await this.#read(first, resumesAfter ?? Number.POSITIVE_INFINITY);
    while (!this.#isOver) {
      const next = await this.#open(`&resourceVersion=${String(this.#lastVersion)}`, { isResumed: true });
      await this.#read(next, resumesAfter ?? Number.POSITIVE_INFINITY);
    }
  }

  /** Returns what is wrong with the events: undefined if the history of the store has led to them. */
  problem(contentOf: (stored: Body) => unknown): string | undefined {
    const { history, selection, start } = this.#options;
    if (this.#problems.length > 0) return this.#describe(this.#problems.join("; "));
    const hasInitialEvents = start.kind !== "version";
    const revisions = this.#possibleRevisions();
    const expected = revisions.map((revision) =>
      expectedEvents({ history, selection, revision, hasInitialEvents, contentOf }),
    );
    if (expected.some((events) => isSame(events, this.#events))) return undefined;
    return this.#describe(firstDifference(expected.at(-1) ?? [], this.#events));
  }

  get eventCount(): number {
    return this.#events.length;
  }

  // Without a bookmark after the initial events, the start lies between the request and its answer.
  #possibleRevisions(): readonly number[] {
    const { start } = this.#options;
    if (start.kind === "version") return [start.revision];
    if (this.#initialEnd !== undefined) return [this.#initialEnd];
    return Array.from({ length: this.#latest - this.#earliest + 1 }, (_each, index) => this.#earliest + index);
  }

  #describe(problem: string): string {
    const { watched, selection, start, resumesAfter } = this.#options;
    return JSON.stringify({ watched: watched.title, ...selection, start, resumesAfter, problem });
  }

  async #open(query: string, { isResumed = false } = {}): Promise<OpenWatch> {
    const { send, watched, selection, history } = this.#options;
    if (!isResumed) this.#earliest = history.at(-1)?.revision ?? 0;
    const aborted = new AbortController();
    const path = `${pathOf(watched, selection.namespace)}?watch=true${selection.selector}${query}`;
    const response = await send(path, { signal: aborted.signal });
    if (response.status !== 200) throw new TypeError(`a watch failed with ${String(response.status)}`);
    if (!isResumed) this.#latest = history.at(-1)?.revision ?? 0;
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    return { lines: linesOf(reader), stop: () => aborted.abort() };
  }

  async #read({ lines, stop }: OpenWatch, most: number): Promise<void> {
    let count = 0;
    for await (const line of lines) {
      const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: Body };
      this.#take(type, object);
      count += 1;
      if (this.#isOver || this.#problems.length > 0 || (count >= most && this.#lastVersion > 0)) break;
    }
    stop();
    if (this.#problems.length > 0) this.#isOver = true;
  }

  #take(type: string, object: Body): void {
    if (type === "ERROR") {
      this.#problems.push(`the watch ended with ${String(object.message)}`);
      return;
    }
    const version = Number(object.metadata.resourceVersion);
    const isInitial = this.#options.start.kind === "initial-events" && this.#initialEnd === undefined;
    if (type === "BOOKMARK") {
      if (object.metadata.annotations?.["k8s.io/initial-events-end"] === "true") this.#initialEnd = version;
      // A bookmark may repeat the version of the last event, but not go back.
      if (version < this.#lastVersion) this.#problems.push(`a bookmark went back to ${String(version)}`);
      this.#lastVersion = Math.max(this.#lastVersion, version);
      return;
    }
    const { watched, selection } = this.#options;
    this.#events.push(shownEvent(type, object, watched.contentOf(object)));
    // Initial events have the versions of their objects; a watch from one of them would miss others.
    if (!isInitial && this.#options.start.kind !== "legacy") {
      if (version <= this.#lastVersion && this.#lastVersion > 0)
        this.#problems.push(`an event of ${String(version)} came after ${String(this.#lastVersion)}`);
      this.#lastVersion = version;
    }
    const lastNamespace = selection.namespace === "" ? NAMESPACES.at(-1) : selection.namespace;
    if (object.metadata.name === LAST && object.metadata.namespace === lastNamespace) this.#isOver = true;
  }
}

interface OpenWatch {
  readonly lines: AsyncIterable<string>;
  readonly stop: () => void;
}

function queryOf(start: WatchStart): string {
  switch (start.kind) {
    case "legacy":
      return "";
    case "version":
      return `&resourceVersion=${String(start.revision)}&allowWatchBookmarks=${String(start.hasBookmarks)}`;
    case "initial-events":
      return "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  }
}

async function* linesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncIterable<string> {
  let text = "";
  const decoder = new TextDecoder();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const lines = (text + decoder.decode(chunk.value, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((event, index) => event === right[index]);
}

function firstDifference(expected: readonly string[], actual: readonly string[]): string {
  const index = actual.findIndex((event, at) => event !== expected[at]);
  const at = index < 0 ? actual.length : index;
  return `event ${String(at)} is ${String(actual[at])}, not ${String(expected[at])}`;
}
