import type { Logger } from "../log/logger.ts";
import { ManagerTooLateError } from "./errors.ts";

/** A member of a group: what is started, and when it counts as started. */
export interface GroupMember {
  readonly name: string;
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when those that come after may start. */
  whenReady?(signal: AbortSignal): Promise<void>;
}

/** Runs members together; those that are added later start at once. */
export class RunnableGroup {
  readonly #log: Logger;
  readonly #onError: (error: unknown) => void;
  readonly #stop = new AbortController();
  readonly #running = new Map<GroupMember, Promise<void>>();
  #waiting: GroupMember[] = [];
  #hasStarted = false;

  constructor(log: Logger, onError: (error: unknown) => void) {
    this.#log = log;
    this.#onError = onError;
  }

  /** The names of the members that were told to end and have not. */
  get stragglers(): readonly string[] {
    return this.#stop.signal.aborted ? [...this.#running.keys()].map(({ name }) => name) : [];
  }

  /** Adds a member. Fails: {@link ManagerTooLateError} when the group is stopping. */
  add(member: GroupMember): void {
    if (this.#stop.signal.aborted) {
      throw new ManagerTooLateError(member.name, "is stopping");
    }
    if (this.#hasStarted) {
      this.#start(member);
    } else {
      this.#waiting.push(member);
    }
  }

  /** Starts the members; resolves when all are ready. A group that was stopped before starts nothing. */
  async start(): Promise<void> {
    if (this.#stop.signal.aborted) {
      return;
    }
    this.#hasStarted = true;
    const members = this.#waiting;
    this.#waiting = [];
    for (const member of members) {
      this.#start(member);
    }
    await Promise.all(members.map(async (member) => await member.whenReady?.(this.#stop.signal)));
  }

  /** Tells the members to end, without waiting for it. */
  abandon(): void {
    this.#stop.abort();
  }

  /** Ends the members; resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running.values());
  }

  #start(member: GroupMember): void {
    this.#log.debug("starting a runnable", { runnable: member.name });
    this.#running.set(member, this.#run(member));
  }

  async #run(member: GroupMember): Promise<void> {
    try {
      await member.start(this.#stop.signal);
    } catch (error) {
      this.#onError(error);
    }
    this.#running.delete(member);
  }
}
