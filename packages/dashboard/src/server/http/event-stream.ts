import type { ServerResponse } from "node:http";

import { printServerJson } from "@kubescaffold/k8s";

import type { DashboardMessage } from "../contract/protocol.ts";

/** The limits of an event stream. */
export interface EventStreamLimits {
  /** How long messages are collected for one event. Default: 100. */
  readonly flushMs?: number;
  /** Bytes that wait for a page that reads slowly; beyond, its connection is closed. Default: 8 MiB. */
  readonly waitingBytes?: number;
  /** The number of pages. Default: 16. */
  readonly pages?: number;
}

// A page parses an event at once, and must not stall.
const MOST_MESSAGES = 500;
const MOST_CHARACTERS = 250_000;
const HEARTBEAT_MS = 20_000;

/**
 * Sends messages to pages as server-sent events: first a snapshot, then what is published, in batches.
 *
 * Guarantees: memory is bounded for each page; one that reads too slowly loses its connection, and gets a new snapshot when it connects again.
 */
export class EventStream {
  readonly #snapshot: () => readonly DashboardMessage[];
  readonly #limits: Required<EventStreamLimits>;
  readonly #pages = new Set<Page>();
  #pending: DashboardMessage[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(
    snapshot: () => readonly DashboardMessage[],
    { flushMs = 100, waitingBytes = 8 * 1024 * 1024, pages = 16 }: EventStreamLimits = {},
  ) {
    this.#snapshot = snapshot;
    this.#limits = { flushMs, waitingBytes, pages };
    this.#heartbeat = setInterval(() => this.#sendAll(":\n\n"), HEARTBEAT_MS).unref();
  }

  /** The number of connected pages. */
  get size(): number {
    return this.#pages.size;
  }

  /** Adds a page, whose headers are written; returns false if there are too many. */
  add(response: ServerResponse): boolean {
    if (this.#pages.size >= this.#limits.pages) return false;
    // What happened before is in the snapshot.
    this.#flush();
    const page = new Page(response, eventsOf(this.#snapshot()), this.#limits.waitingBytes);
    this.#pages.add(page);
    response.once("close", () => this.#pages.delete(page));
    page.pump();
    return true;
  }

  /** Sends a message to all pages, soon. */
  publish(message: DashboardMessage): void {
    if (this.#pages.size === 0) return;
    this.#pending.push(message);
    this.#timer ??= setTimeout(() => this.#flush(), this.#limits.flushMs).unref();
    if (this.#pending.length >= MOST_MESSAGES) this.#flush();
  }

  /** Closes all connections. */
  close(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    for (const page of this.#pages) page.end();
    this.#pages.clear();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages = this.#pending;
    this.#pending = [];
    for (const event of eventsOf(messages)) this.#sendAll(event);
  }

  #sendAll(event: string): void {
    for (const page of this.#pages) page.send(event);
  }
}

/** The connection of a page. */
class Page {
  readonly #response: ServerResponse;
  readonly #first: Iterator<string>;
  readonly #waitingBytes: number;
  #waiting: string[] = [];
  #bytes = 0;
  #isBlocked = false;

  constructor(response: ServerResponse, first: Iterator<string>, waitingBytes: number) {
    this.#response = response;
    this.#first = first;
    this.#waitingBytes = waitingBytes;
    response.on("drain", () => {
      this.#isBlocked = false;
      this.pump();
    });
  }

  send(event: string): void {
    this.#waiting.push(event);
    this.#bytes += event.length;
    if (this.#bytes > this.#waitingBytes) this.#response.destroy();
    else this.pump();
  }

  /** Writes until the connection is full. */
  pump(): void {
    while (!this.#isBlocked && !this.#response.destroyed) {
      const next = this.#next();
      if (next === undefined) return;
      this.#isBlocked = !this.#response.write(next);
    }
  }

  end(): void {
    this.#response.end();
    // A page that does not read would keep the server open.
    this.#response.destroy();
  }

  #next(): string | undefined {
    const first = this.#first.next();
    if (first.done !== true) return first.value;
    const next = this.#waiting.shift();
    this.#bytes -= next?.length ?? 0;
    return next;
  }
}

function* eventsOf(messages: readonly DashboardMessage[]): Generator<string, void, undefined> {
  let batch: string[] = [];
  let characters = 0;
  for (const message of messages) {
    const text = printServerJson(message);
    if (batch.length > 0 && (batch.length >= MOST_MESSAGES || characters + text.length > MOST_CHARACTERS)) {
      yield eventOf(batch);
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield eventOf(batch);
}

function eventOf(texts: readonly string[]): string {
  return `data: [${texts.join(",")}]\n\n`;
}
