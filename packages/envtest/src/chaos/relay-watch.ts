import { once } from "node:events";
import type { ServerResponse } from "node:http";

import { expiredEvent } from "./failure-answers.ts";
import type { WatchFaultKind } from "./faults.ts";
import type { Held } from "./held.ts";
import type { CountedRequest, DueFault, Injector } from "./injector.ts";

/** A watch that a client receives through the proxy. */
export interface RelayedWatch {
  /** The request of the watch. */
  readonly counted: CountedRequest;
  /** The response to the client; its head is written. */
  readonly response: ServerResponse;
  /** The bytes of the server. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
  /** Receives each event that the client receives unchanged. */
  readonly onEvent: (event: Buffer) => void;
}

/** Relays the events of a watch, and injects their faults; resolves when the watch has ended. */
export async function relayWatch(
  watch: RelayedWatch,
  { injector, held }: { readonly injector: Injector; readonly held: Held },
): Promise<void> {
  const relay = new WatchRelay(watch, held);
  let count = 0;
  for await (const event of eventsOf(watch.body)) {
    count += 1;
    injector.log.events += 1;
    if ((await relay.pass(event, injector.watchFault(watch.counted, count))) === "ended") return;
  }
  await relay.end();
}

type Passed = "open" | "ended";

class WatchRelay {
  readonly #watch: RelayedWatch;
  readonly #held: Held;
  // The event that waits for the next one.
  #overtaken: Buffer | undefined;

  constructor(watch: RelayedWatch, held: Held) {
    this.#watch = watch;
    this.#held = held;
  }

  async pass(event: Buffer, fault: DueFault<WatchFaultKind> | undefined): Promise<Passed> {
    if (fault === undefined) return await this.#send(event);
    switch (fault.kind) {
      case "delayEvent":
        await this.#held.wait(fault.ms, this.#watch.signal);
        return await this.#send(event);
      case "duplicateEvent":
        await this.#send(event);
        return await this.#send(event);
      case "reorderEvents":
        if (this.#overtaken !== undefined) return await this.#send(event);
        this.#overtake(event, fault.ms);
        return "open";
      case "closeWatch":
        return await this.end();
      case "expireWatch":
        await this.#write(Buffer.from(expiredEvent()));
        return await this.end();
      case "hangWatch":
        await this.#held.forever(this.#watch.signal);
        this.#watch.response.destroy();
        return "ended";
      case "truncateWatch":
      default:
        return await this.#truncate(event, fault.random);
    }
  }

  // The last event of a burst has no next one, so it is late only.
  #overtake(event: Buffer, delayMs: number): void {
    this.#overtaken = event;
    void this.#held.wait(delayMs, this.#watch.signal).then(async () => {
      if (this.#overtaken === event) await this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const late = this.#overtaken;
    this.#overtaken = undefined;
    if (late !== undefined) await this.#write(late);
  }

  async end(): Promise<Passed> {
    await this.#flush();
    this.#watch.response.end();
    return "ended";
  }

  async #send(event: Buffer): Promise<Passed> {
    await this.#write(event);
    this.#watch.onEvent(event);
    await this.#flush();
    return this.#watch.signal.aborted ? "ended" : "open";
  }

  // A proxy in between may end the response properly, even in the middle of an event.
  async #truncate(event: Buffer, random: () => number): Promise<Passed> {
    const { response } = this.#watch;
    const part = event.subarray(0, 1 + Math.floor(random() * (event.length - 2)));
    const isEnded = random() < 0.5;
    // The part must leave before the connection does, unless the client has left.
    await new Promise((resolve) => {
      response.once("close", resolve);
      response.write(part, resolve);
    });
    if (isEnded) response.end();
    else response.destroy();
    return "ended";
  }

  async #write(bytes: Buffer): Promise<void> {
    const { response, signal } = this.#watch;
    if (signal.aborted || response.writableEnded || response.write(bytes)) return;
    await once(response, "drain", { signal }).catch(() => undefined);
  }
}

const NEWLINE = 0x0a;

// Splits the stream into lines, with their line feeds.
async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  let pending: Buffer[] = [];
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...pending, bytes.subarray(start, end + 1)]);
      pending = [];
      start = end + 1;
    }
    if (start < bytes.length) pending.push(bytes.subarray(start));
  }
  if (pending.length > 0) yield Buffer.concat(pending);
}
