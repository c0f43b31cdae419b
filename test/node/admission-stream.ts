import { setTimeout as delay } from "node:timers/promises";

import type { LiveClient } from "@kubescaffold/runtime";

const INTERVAL_MS = 50;

/** A steady stream of requests that webhooks must admit, until it is stopped. */
export class AdmissionStream {
  readonly #client: LiveClient;
  readonly #refused: string[] = [];
  readonly #pending = new Set<Promise<void>>();
  readonly #ended: Promise<void>;
  #admitted = 0;
  #isStopped = false;

  constructor(client: LiveClient) {
    this.#client = client;
    this.#ended = this.#run();
  }

  /** Ends the stream, and returns what was refused, and how often a request was admitted. */
  async stop(): Promise<{ readonly refused: readonly string[]; readonly admitted: number }> {
    this.#isStopped = true;
    await this.#ended;
    return { refused: this.#refused, admitted: this.#admitted };
  }

  async #run(): Promise<void> {
    for (let number = 1; !this.#isStopped; number += 1) {
      const request = this.#send(number).finally(() => this.#pending.delete(request));
      this.#pending.add(request);
      await delay(INTERVAL_MS);
    }
    await Promise.all(this.#pending);
  }

  async #send(number: number): Promise<void> {
    try {
      const metadata = { name: `admitted-${String(number)}`, namespace: "default" };
      await this.#client.create({ apiVersion: "webapp.demo/v1", kind: "Guestbook", metadata, spec: {} } as never, {
        dryRun: true,
      });
      this.#admitted += 1;
    } catch (error) {
      this.#refused.push(`${new Date().toISOString()} ${String(error)}`);
    }
  }
}
