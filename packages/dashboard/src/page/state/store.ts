import type { Connection } from "../feed/event-stream.ts";
import type { DashboardMessage } from "../feed/protocol.ts";
import { INITIAL_STATE, type State } from "./model.ts";
import { inOwnTask } from "./own-task.ts";
import { reduce } from "./reduce.ts";

/** Messages that are reduced at once: the work of a chunk stays below a few milliseconds. */
const CHUNK = 500;
/** The time per frame that reducing may take. */
const BUDGET_MS = 6;

/** What schedules work and tells the time; replaced in tests. */
export interface Scheduler {
  readonly schedule: (run: () => void) => void;
  /** Runs something in a separate task. */
  readonly task: (run: () => void) => void;
  readonly now: () => number;
}

/**
 * The state of the page with its subscribers.
 *
 * Messages are queued and reduced once per frame, in chunks within a budget of time, so that a burst neither renders often nor blocks input. What was reduced is
 * rendered in another task.
 */
export class Store {
  #state: State = INITIAL_STATE;
  #queue: DashboardMessage[] = [];
  #isScheduled = false;
  readonly #listeners = new Set<() => void>();
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  get state(): State {
    return this.#state;
  }

  /** Calls back after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Queues messages of the stream. */
  receive(messages: readonly DashboardMessage[]): void {
    for (const message of messages) this.#queue.push(message);
    this.#wake();
  }

  /** Records the state of the connection at once. */
  setConnection(connection: Connection): void {
    this.#state = reduce(this.#state, { kind: "connection", connection });
    this.#notify();
  }

  #wake(): void {
    if (this.#isScheduled || this.#queue.length === 0) return;
    this.#isScheduled = true;
    this.#scheduler.schedule(() => {
      this.#isScheduled = false;
      this.#drain();
      this.#wake();
    });
  }

  #drain(): void {
    const start = this.#scheduler.now();
    let done = 0;
    while (done < this.#queue.length && this.#scheduler.now() - start < BUDGET_MS) {
      const messages = this.#queue.slice(done, done + CHUNK);
      this.#state = reduce(this.#state, { kind: "messages", messages, now: this.#scheduler.now() });
      done += messages.length;
    }
    this.#queue = this.#queue.slice(done);
    this.#scheduler.task(() => this.#notify());
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Schedules after the next frame, in a task without its layout, or soon when the page is hidden and has no frames. */
export const BROWSER_SCHEDULER: Scheduler = {
  schedule: (run) => {
    if (document.hidden) setTimeout(run, 200);
    else requestAnimationFrame(() => inOwnTask(run));
  },
  task: inOwnTask,
  now: () => Date.now(),
};
