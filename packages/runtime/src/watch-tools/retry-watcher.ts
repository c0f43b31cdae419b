import { isForbidden, isGone, isInstance, isResourceExpired, isUnauthorized, StatusError } from "@kubescaffold/k8s";
import type { KubernetesObject, Status } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";
import { type Clock, realClock, sleep } from "@kubescaffold/platform/clock";

import type { ListWatch } from "../cache/list-watch.ts";
import type { WatchEvent } from "../client/client.ts";
import { signalOf } from "../client/requests.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import { ConnectionError } from "../rest/errors.ts";
import { UnsupportedResourceVersionError } from "./errors.ts";

/**
 * Watches objects; implemented by every {@link ListWatch}.
 *
 * client-go: tools/cache.Watcher
 */
export type Watcher<T extends KubernetesObject> = Pick<ListWatch<T>, "watch">;

/** Options of {@link RetryWatcher}. */
export interface RetryWatcherOptions {
  /** Ends the iteration with its reason when it aborts. Default: the signal of the reconcile that iterates. */
  readonly signal?: AbortSignal;
  /** The clock of delays. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
  /** The logger of failed watches. Default: {@link log}. */
  readonly log?: Logger;
}

const MINIMAL_RESTART_DELAY_MS = 1000;

// The end of a watch: none can follow, or the next one starts after a delay.
type WatchEnd = { readonly kind: "done" } | { readonly kind: "retry"; readonly afterMs: number };

const RETRY: WatchEnd = { kind: "retry", afterMs: 0 };

/**
 * Watches without gaps: a watch that ends or fails is reopened at the last resourceVersion, at most once per second unless it lasted longer.
 *
 * Guarantees: every event arrives once and in order; bookmarks only advance the resourceVersion.
 * An expired resourceVersion (410), missing permissions (401, 403), and unreadable events end the iteration after an `ERROR` event.
 * Leaving the iteration closes the watch; a new iteration continues after the last event.
 * Fails: {@link UnsupportedResourceVersionError}, or the signal's reason.
 *
 * client-go: tools/watch.RetryWatcher
 *
 * @example
 * const pods = await client.list(Pod, { namespace: "default" });
 * const watcher = new RetryWatcher(pods.metadata.resourceVersion ?? "", createListWatch(client, Pod, { namespace: "default" }));
 * for await (const event of watcher) {
 *   console.log(event.type, event.object);
 * }
 */
export class RetryWatcher<T extends KubernetesObject> implements AsyncIterable<WatchEvent<T>> {
  readonly #watcher: Watcher<T>;
  readonly #options: RetryWatcherOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  #resourceVersion: string;

  constructor(resourceVersion: string, watcher: Watcher<T>, options: RetryWatcherOptions = {}) {
    if (resourceVersion === "" || resourceVersion === "0") {
      throw new UnsupportedResourceVersionError(resourceVersion);
    }
    this.#resourceVersion = resourceVersion;
    this.#watcher = watcher;
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#log = options.log ?? rootLog;
  }

  /** The resourceVersion of the last event or bookmark. */
  get lastResourceVersion(): string {
    return this.#resourceVersion;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const { signal } = signalOf(this.#options);
    for (;;) {
      signal?.throwIfAborted();
      const startedAt = this.#clock.monotonic();
      const end = yield* this.#watchOnce(signal);
      if (end.kind === "done") {
        return;
      }
      const restartMs = startedAt + MINIMAL_RESTART_DELAY_MS - this.#clock.monotonic();
      await sleep(this.#clock, Math.max(0, end.afterMs, restartMs), signal);
      this.#log.debug("reopening a watch", { resourceVersion: this.#resourceVersion });
    }
  }

  async *#watchOnce(signal: AbortSignal | undefined): AsyncGenerator<WatchEvent<T>, WatchEnd, undefined> {
    try {
      const events = this.#watcher.watch({
        resourceVersion: this.#resourceVersion,
        allowWatchBookmarks: true,
        ...(signal === undefined ? {} : { signal }),
      });
      for await (const event of events) {
        const end = yield* this.#receive(event);
        if (end !== undefined) {
          return end;
        }
      }
      return RETRY;
    } catch (error) {
      signal?.throwIfAborted();
      return yield* this.#judge(error);
    }
  }

  // Returns the end of the watch, if the event ends it.
  async *#receive(event: WatchEvent<T>): AsyncGenerator<WatchEvent<T>, WatchEnd | undefined, undefined> {
    switch (event.type) {
      case "ERROR":
        return yield* this.#receiveError(event);
      case "ADDED":
      case "MODIFIED":
      case "DELETED":
      case "BOOKMARK": {
        const { resourceVersion = "" } = event.object.metadata;
        if (resourceVersion === "") {
          yield internalError(`an event of type ${event.type} has no resourceVersion`);
          return { kind: "done" };
        }
        this.#resourceVersion = resourceVersion;
        if (event.type !== "BOOKMARK") {
          yield event;
        }
        return undefined;
      }
      default:
        yield internalError(`unknown event type ${JSON.stringify((event as { readonly type: unknown }).type)}`);
        return { kind: "done" };
    }
  }

  async *#receiveError(
    event: Extract<WatchEvent<T>, { type: "ERROR" }>,
  ): AsyncGenerator<WatchEvent<T>, WatchEnd, undefined> {
    const status: unknown = event.object;
    if (!isRecord(status) || status["kind"] !== "Status") {
      this.#log.error(undefined, "a watch ended with an error that is not a Status", { error: status });
      return RETRY;
    }
    if (event.object.code === 410) {
      yield event;
      return { kind: "done" };
    }
    this.#log.debug("a watch ended with an error", { status });
    return { kind: "retry", afterMs: (event.object.details?.retryAfterSeconds ?? 0) * 1000 };
  }

  // Only missing permissions are final: any other reason may pass.
  async *#judge(error: unknown): AsyncGenerator<WatchEvent<T>, WatchEnd, undefined> {
    if (isInstance(error, StatusError) && (isForbidden(error) || isUnauthorized(error))) {
      this.#log.error(error, "cannot watch: check the credentials and the permission to watch the resource");
      yield { type: "ERROR", object: error.status };
      return { kind: "done" };
    }
    if (isInstance(error, ConnectionError) || isResourceExpired(error) || isGone(error)) {
      this.#log.debug("a watch failed", { error });
    } else {
      this.#log.error(error, "a watch failed, retrying");
    }
    return RETRY;
  }
}

function internalError(message: string): { readonly type: "ERROR"; readonly object: Status } {
  return {
    type: "ERROR",
    object: {
      apiVersion: "v1",
      kind: "Status",
      metadata: {},
      status: "Failure",
      reason: "InternalError",
      code: 500,
      message: `internal error: ${message}`,
    },
  };
}
