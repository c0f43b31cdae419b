import { handledLater } from "@kubescaffold/platform";

import { withoutCallScope } from "../log/call-scope.ts";
import { type ContextValues, withContextValues } from "../log/context-values.ts";
import type { Logger } from "../log/logger.ts";
import { WebhookServer } from "../webhook/webhook-server.ts";
import { ManagerCacheSyncError, ManagerTooLateError } from "./errors.ts";
import { type Runnable, RUNNABLE_GROUPS, type RunnableGroupName } from "./runnable.ts";

/** The groups of a manager's runnables, in order. */
export class RunnableGroups {
  readonly #groups: ReadonlyMap<RunnableGroupName, RunnableGroup>;

  constructor(log: Logger, onError: (error: unknown) => void, values: ContextValues) {
    this.#groups = new Map(RUNNABLE_GROUPS.map((name) => [name, new RunnableGroup(log, onError, values)]));
  }

  /** The names of the runnables that were stopped and have not ended. */
  get stragglers(): readonly string[] {
    return [...this.#groups.values()].flatMap((group) => group.stragglers);
  }

  /** Adds a runnable to its group. */
  add(runnable: Runnable): void {
    const group = groupOf(runnable);
    this.#group(group).add(memberOf(runnable));
    if (runnable.warmup !== undefined && group === "leaderElection") {
      this.#group("warmup").add(warmupOf(runnable));
    }
  }

  /** Starts all groups except that of the leader, one after the other. */
  async startAllButLeaderElection(isStopping: () => boolean): Promise<void> {
    for (const name of RUNNABLE_GROUPS) {
      if (name !== "leaderElection" && !isStopping()) {
        await this.#group(name).start();
      }
    }
  }

  async startLeaderElection(): Promise<void> {
    await this.#group("leaderElection").start();
  }

  /** Stops all groups: warm-ups immediately, the others in reverse order, so that dependencies stop after their users. */
  async stop(): Promise<void> {
    const warmup = handledLater(this.#group("warmup").stop());
    for (const name of ["others", "leaderElection", "caches", "webhooks", "httpServers"] as const) {
      await this.#group(name).stop();
    }
    await warmup;
  }

  /** Stops everything at once without waiting, so that nothing keeps the process alive. */
  abandon(): void {
    for (const group of this.#groups.values()) {
      group.abandon();
    }
  }

  #group(name: RunnableGroupName): RunnableGroup {
    const group = this.#groups.get(name);
    if (group === undefined) {
      throw new TypeError(`no group ${name}`);
    }
    return group;
  }
}

function groupOf(runnable: Runnable): RunnableGroupName {
  if (runnable.runnableGroup !== undefined) {
    return runnable.runnableGroup;
  }
  if (runnable.getCache !== undefined) {
    return "caches";
  }
  if (runnable instanceof WebhookServer) {
    return "webhooks";
  }
  return runnable.needLeaderElection?.() === false ? "others" : "leaderElection";
}

function memberOf(runnable: Runnable): GroupMember {
  const name = runnable.runnableName ?? (runnable.constructor === Object ? "runnable" : runnable.constructor.name);
  const start = async (signal: AbortSignal): Promise<void> => await runnable.start(signal);
  if (runnable.getCache === undefined) {
    return { name, start };
  }
  const cache = runnable.getCache();
  const whenReady = async (signal: AbortSignal): Promise<void> => {
    if (!(await cache.waitForCacheSync(signal)) && !signal.aborted) {
      throw new ManagerCacheSyncError();
    }
  };
  return { name, start, whenReady };
}

function warmupOf(runnable: Runnable): GroupMember {
  let done = (): void => undefined;
  const warm = new Promise<void>((resolve) => {
    done = resolve;
  });
  return {
    name: "warm-up",
    start: async (signal) => {
      try {
        await runnable.warmup?.(signal);
      } finally {
        done();
      }
    },
    whenReady: async () => await warm,
  };
}

/** A member of a group. */
interface GroupMember {
  readonly name: string;
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when the next group may start. */
  whenReady?(signal: AbortSignal): Promise<void>;
}

/** Runs members concurrently; members added later start immediately. */
class RunnableGroup {
  readonly #log: Logger;
  readonly #onError: (error: unknown) => void;
  readonly #values: ContextValues;
  readonly #stop = new AbortController();
  readonly #running = new Map<GroupMember, Promise<void>>();
  #waiting: GroupMember[] = [];
  #hasStarted = false;

  constructor(log: Logger, onError: (error: unknown) => void, values: ContextValues) {
    this.#log = log;
    this.#onError = onError;
    this.#values = values;
  }

  /** The names of the members that were stopped and have not ended. */
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

  /** Starts the members; resolves when all are ready. A stopped group starts nothing. */
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

  /** Stops the members without waiting. */
  abandon(): void {
    this.#stop.abort();
  }

  /** Stops the members; resolves when all have ended. */
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
      // A runnable outlives the reconcile that adds it.
      await withoutCallScope(() => withContextValues(this.#values, () => member.start(this.#stop.signal)));
    } catch (error) {
      // Passing on the reason of the stop is how a runnable ends.
      if (!this.#stop.signal.aborted || error !== this.#stop.signal.reason) {
        this.#onError(error);
      }
    }
    this.#running.delete(member);
  }
}
