import type { RequestContext } from "../request/request-context.ts";
import type { ResourceType } from "./registry.ts";

/** A running watch, as those see it who end it. */
export interface RunningWatch {
  readonly context: RequestContext;
  readonly type: ResourceType;
  /** Ends the stream without an error. */
  readonly end: () => void;
  /** Ends the stream with 410. */
  readonly expire: () => void;
}

/** Knows the running watches of a server. */
export class WatchRegistry {
  readonly #watches = new Set<RunningWatch>();

  /** Adds a watch and returns what removes it. */
  add(watch: RunningWatch): () => void {
    this.#watches.add(watch);
    return () => {
      this.#watches.delete(watch);
    };
  }

  /** Ends the watches that fulfil a condition. */
  endWhere(condition: (watch: RunningWatch) => boolean): void {
    [...this.#watches].filter(condition).forEach((watch) => watch.end());
  }

  /** Ends all watches with 410, so that clients list again. */
  expireAll(): void {
    [...this.#watches].forEach((watch) => watch.expire());
  }
}
