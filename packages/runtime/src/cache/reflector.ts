import {
  type GroupVersionKind,
  gvkToString,
  isInstance,
  messageOf,
  StatusError,
  checkNumbers,
} from "@kubescaffold/k8s";
import type { KubernetesObject, Status } from "@kubescaffold/k8s/meta/v1";
import { type Clock, sleep, TurnShare } from "@kubescaffold/platform/clock";

import type { WatchEvent } from "../client/client.ts";
import type { WatchOptions } from "../client/options.ts";
import type { Logger } from "../log/logger.ts";
import { reflectorMetrics, type ReflectorMetrics } from "../metrics/client-metrics.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { ConnectionError, UnreadableEventError } from "../rest/errors.ts";
import { type InitialObjects, readInitialEvents } from "./initial-events.ts";
import {
  type CompleteList,
  isExpired,
  isExpiredStatus,
  isTooLargeResourceVersion,
  isTooManyRequestsStatus,
  isTransient,
  isUnsupported,
  listAllPages,
  type ListWatch,
} from "./list-watch.ts";
import { WatchSession } from "./watch-session.ts";

/**
 * Receives the objects of a reflector; implemented by informers.
 *
 * client-go: tools/cache.ReflectorStore
 */
export interface ReflectorStore<T extends KubernetesObject> {
  /** Replaces all objects with those of a resourceVersion. Fails: if it cannot; the objects stay, and the reflector lists again. */
  replace(objects: Iterable<T>, resourceVersion: string): void | Promise<void>;
  /** Stores a new or changed object. */
  upsert(object: T): void;
  /** Removes an object. */
  delete(object: T): void;
  /** Records that nothing has changed up to this resourceVersion. */
  bookmark(resourceVersion: string): void;
}

/**
 * Options of a {@link Reflector}.
 *
 * client-go: tools/cache.ReflectorOptions
 */
export interface ReflectorOptions<T extends KubernetesObject> {
  /** The kind of the objects. */
  readonly kind: GroupVersionKind;
  /** Accepts objects of any kind, for a resource whose kind is not known; `kind` is a name for messages. Default: false. */
  readonly acceptsAnyKind?: boolean;
  /** Lists and watches the objects. */
  readonly listWatch: ListWatch<T>;
  /** Receives the objects. */
  readonly store: ReflectorStore<T>;
  /** The clock of timeouts and backoff. */
  readonly clock: Clock;
  /** The logger. */
  readonly log: Logger;
  /** Items per page of a list. Default: 500 where the server paginates, otherwise everything at once. */
  readonly pageSize?: number;
  /** Requests bookmarks; without them, the objects are listed, not streamed. Default: true. */
  readonly enableWatchBookmarks?: boolean;
  /** Receives the error of each list or watch that could not be opened; the reflector always retries. */
  readonly onError?: (error: unknown) => void;
  /** The registry of the metrics. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
  /** Returns a random number from 0 up to 1; replaced in tests. Default: `Math.random`. */
  readonly random?: () => number;
}

const PAGE_SIZE = 500;
const SHORTEST_WATCH_TIMEOUT_SECONDS = 300;
const VERY_SHORT_MS = 1000;

// The end of a watch, which determines the next step.
type WatchEnd =
  // The server ended the watch, or the connection broke: resume the watch immediately.
  | { readonly kind: "closed"; readonly reason: "closed" | "silent" }
  // The server is overloaded: wait, then resume the watch.
  | { readonly kind: "busy"; readonly reason: string }
  // Events may be missing: wait, then list again.
  | { readonly kind: "lost"; readonly reason: string }
  // The watch could not be opened: report, wait, then list again.
  | { readonly kind: "refused"; readonly error: unknown };

/**
 * Synchronizes a store with a server: reads all objects once, then watches, and resumes after every failure.
 *
 * The objects are the initial events of the watch where the server supports that, otherwise a list in pages.
 *
 * Guarantees: it always retries, and it reopens a watch that outlives its timeout.
 * It lists again only when the server no longer has the changes since the last known version.
 *
 * client-go: tools/cache.Reflector
 */
export class Reflector<T extends KubernetesObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #metrics: ReflectorMetrics;
  readonly #nextDelayMs: () => number;
  readonly #label: string;
  #resourceVersion = "";
  // The server cannot list at the last known version.
  #isResourceVersionUnavailable = false;
  #isPaginated = false;
  // Paused for one attempt after a failure, or off where the server does not support it.
  #streaming: "on" | "paused" | "off" = "on";

  constructor(options: ReflectorOptions<T>) {
    checkNumbers("the reflector", options, { pageSize: "count" });
    this.#options = options;
    this.#metrics = reflectorMetrics(options.registry);
    this.#nextDelayMs = createReflectorBackoff(options.clock, options.random ?? Math.random);
    this.#label = gvkToString(options.kind);
  }

  /** The resourceVersion that the store is synchronized with. */
  get lastSyncResourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Synchronizes the store until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const session = await this.#stream(signal);
        if (session === undefined) {
          await this.#list(signal);
        }
        await this.#watch(session, signal);
      } catch (error) {
        this.#report(error, signal);
      }
      await this.#pause(signal);
    }
  }

  // Fills the store with the initial events of a watch, which then goes on; undefined if the objects must be listed.
  async #stream(signal: AbortSignal): Promise<WatchSession<T> | undefined> {
    const isOn = this.#streaming === "on" && this.#options.enableWatchBookmarks !== false;
    this.#streaming = this.#streaming === "paused" ? "on" : this.#streaming;
    if (!isOn) {
      return undefined;
    }
    const resourceVersion = this.#isResourceVersionUnavailable ? "" : this.#resourceVersion;
    const session = this.#open(
      {
        sendInitialEvents: true,
        resourceVersionMatch: "NotOlderThan",
        ...(resourceVersion === "" ? {} : { resourceVersion }),
      },
      signal,
    );
    let isFilled = false;
    try {
      const initial = await this.#readInitialEvents(session);
      if (initial !== undefined) {
        this.#metrics.lists.inc({ kind: this.#label });
        this.#metrics.watches.inc({ kind: this.#label });
        await this.#fill(initial.items, initial.resourceVersion, signal);
        isFilled = true;
      }
    } finally {
      await (isFilled ? undefined : session.close());
    }
    return isFilled ? session : undefined;
  }

  async #readInitialEvents(session: WatchSession<T>): Promise<InitialObjects<T> | undefined> {
    const { clock, log } = this.#options;
    try {
      const initial = await readInitialEvents(session, { clock, accepts: (event) => this.#isOfKind(event) });
      this.#streaming = initial === undefined ? "off" : this.#streaming;
      return initial;
    } catch (error) {
      if (session.isAborted) {
        return undefined;
      }
      this.#countUnreadable(error);
      if (isTransient(error) || isInstance(error, UnreadableEventError)) {
        this.#isResourceVersionUnavailable ||= isExpired(error) || isTooLargeResourceVersion(error);
        // A proxy may break long streams, so the next attempt lists.
        this.#streaming = "paused";
        throw error;
      }
      this.#streaming = isUnsupported(error) ? "off" : this.#streaming;
      log.debug("cannot stream the initial list, falling back to list requests", {
        kind: this.#label,
        error: messageOf(error),
      });
      return undefined;
    }
  }

  async #fill(items: Iterable<T>, resourceVersion: string, signal: AbortSignal): Promise<void> {
    if (!signal.aborted) {
      await this.#options.store.replace(items, resourceVersion);
      this.#isResourceVersionUnavailable = false;
      this.#resourceVersion = resourceVersion;
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const requested = this.#relistVersion();
    let list: CompleteList<T>;
    try {
      list = await this.#listAt(requested, signal);
    } catch (error) {
      if (!isExpired(error) && !isTooLargeResourceVersion(error)) {
        throw error;
      }
      this.#isResourceVersionUnavailable = true;
      list = await this.#listAt(this.#relistVersion(), signal);
    }
    this.#isPaginated ||= requested === "0" && list.isPaginated;
    await this.#fill(list.items, list.resourceVersion, signal);
  }

  async #listAt(resourceVersion: string, signal: AbortSignal): Promise<CompleteList<T>> {
    this.#metrics.lists.inc({ kind: this.#label });
    return await listAllPages(this.#options.listWatch, {
      resourceVersion,
      pageSize: this.#pageSizeAt(resourceVersion),
      signal,
    });
  }

  // "0" reads the server's cache, which is cheap; the last known version prevents going back in time.
  #relistVersion(): string {
    if (this.#isResourceVersionUnavailable) {
      return "";
    }
    return this.#resourceVersion === "" ? "0" : this.#resourceVersion;
  }

  // The server's cache serves a list at a concrete version, unless it is paginated.
  #pageSizeAt(resourceVersion: string): number {
    const isConcrete = resourceVersion !== "" && resourceVersion !== "0";
    return this.#options.pageSize ?? (isConcrete && !this.#isPaginated ? 0 : PAGE_SIZE);
  }

  async #watch(first: WatchSession<T> | undefined, signal: AbortSignal): Promise<void> {
    let session = first;
    while (!signal.aborted) {
      const end = await this.#follow(session ?? this.#openWatch(signal));
      session = undefined;
      if (signal.aborted) {
        return;
      }
      if (end.kind === "refused") {
        throw end.error;
      }
      this.#metrics.watchReconnects.inc({ kind: this.#label, reason: end.reason });
      this.#options.log.debug("a watch ended", { kind: this.#label, reason: end.reason });
      if (end.kind === "lost") {
        return;
      }
      if (end.kind === "busy") {
        await this.#pause(signal);
      }
    }
    await session?.close();
  }

  #openWatch(signal: AbortSignal): WatchSession<T> {
    this.#metrics.watches.inc({ kind: this.#label });
    return this.#open({ resourceVersion: this.#resourceVersion }, signal);
  }

  #open(request: WatchOptions, signal: AbortSignal): WatchSession<T> {
    const { clock, listWatch, enableWatchBookmarks = true, random = Math.random } = this.#options;
    const timeoutSeconds = Math.floor(SHORTEST_WATCH_TIMEOUT_SECONDS * (1 + random()));
    return new WatchSession<T>({
      listWatch,
      clock,
      signal,
      request: { ...request, allowWatchBookmarks: enableWatchBookmarks, timeoutSeconds },
    });
  }

  async #follow(session: WatchSession<T>): Promise<WatchEnd> {
    try {
      const end = await this.#applyAll(session);
      return session.isAborted ? { kind: "closed", reason: "silent" } : end;
    } catch (error) {
      return session.isAborted ? { kind: "closed", reason: "silent" } : this.#judge(error, session);
    } finally {
      await session.close();
    }
  }

  async #applyAll(session: WatchSession<T>): Promise<WatchEnd> {
    const turns = TurnShare.ofTime();
    for (let event = await session.next(); event !== undefined; event = await session.next()) {
      if (event.type === "ERROR") {
        return this.#judgeStatus(event.object);
      }
      this.#apply(event);
      const pause = turns.step();
      if (pause !== undefined) {
        await pause;
      }
    }
    return session.events === 0 && session.ageMs < VERY_SHORT_MS
      ? { kind: "lost", reason: "very short watch" }
      : { kind: "closed", reason: "closed" };
  }

  #apply(event: Exclude<WatchEvent<T>, { type: "ERROR" }>): void {
    if (!this.#isOfKind(event)) {
      return;
    }
    const resourceVersion = event.object.metadata.resourceVersion ?? this.#resourceVersion;
    if (event.type === "BOOKMARK") {
      this.#options.store.bookmark(resourceVersion);
    } else if (event.type === "DELETED") {
      this.#options.store.delete(event.object);
    } else if (event.type === "ADDED" || event.type === "MODIFIED") {
      this.#options.store.upsert(event.object);
    } else {
      this.#options.log.info("skipping an event of unknown type in a watch", { event });
      return;
    }
    this.#resourceVersion = resourceVersion;
  }

  #isOfKind(event: WatchEvent<T>): boolean {
    if (this.#options.acceptsAnyKind === true) {
      return true;
    }
    const reported = (event.object as { readonly kind?: string }).kind;
    const isOfKind = reported === this.#options.kind.kind || reported === "PartialObjectMetadata";
    if (!isOfKind) {
      this.#options.log.info("skipping an object of another kind in a watch", { kind: this.#label, reported });
    }
    return isOfKind;
  }

  #judgeStatus(status: Status): WatchEnd {
    if (isExpiredStatus(status)) {
      return { kind: "lost", reason: "expired" };
    }
    if (isTooManyRequestsStatus(status)) {
      return { kind: "busy", reason: "too many requests" };
    }
    this.#options.log.error(new StatusError(status), "a watch ended with an error", { kind: this.#label });
    return { kind: "lost", reason: "error" };
  }

  #judge(error: unknown, session: WatchSession<T>): WatchEnd {
    this.#countUnreadable(error);
    if (isInstance(error, StatusError)) {
      return isTooManyRequestsStatus(error.status)
        ? { kind: "busy", reason: "too many requests" }
        : { kind: "refused", error };
    }
    if (!isInstance(error, ConnectionError) || error.failure === "untrusted" || error.failure === "unresolved") {
      return { kind: "refused", error };
    }
    const wasOpen = session.events > 0 || session.ageMs >= VERY_SHORT_MS;
    return wasOpen ? { kind: "closed", reason: "closed" } : { kind: "busy", reason: error.failure };
  }

  #countUnreadable(error: unknown): void {
    if (isInstance(error, UnreadableEventError)) {
      this.#metrics.unreadableEvents.inc({ kind: this.#label });
    }
  }

  #report(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) {
      return;
    }
    this.#options.onError?.(error);
    if (isExpired(error)) {
      this.#options.log.debug("the last resourceVersion has expired", { kind: this.#label });
    } else {
      this.#options.log.error(error, "cannot list or watch, retrying", { kind: this.#label });
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await sleep(this.#options.clock, this.#nextDelayMs(), signal).catch(() => undefined);
  }
}

const INITIAL_MS = 800;
const LONGEST_MS = 30_000;
const FACTOR = 2;
const JITTER = 1;
const RESET_AFTER_MS = 120_000;

/** Returns a function that returns the next delay in milliseconds: 0.8 s doubling up to 30 s, with up to 100% jitter, reset every 2 minutes. */
function createReflectorBackoff(clock: Clock, random: () => number): () => number {
  let nextMs = INITIAL_MS;
  let resetAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    if (now - resetAt > RESET_AFTER_MS) {
      nextMs = INITIAL_MS;
      resetAt = now;
    }
    const delayMs = nextMs;
    nextMs = Math.min(nextMs * FACTOR, LONGEST_MS);
    return delayMs * (1 + random() * JITTER);
  };
}
