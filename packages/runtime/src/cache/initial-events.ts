import { StatusError } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { type Clock, TurnShare } from "@kubescaffold/platform/clock";

import type { WatchEvent } from "../client/client.ts";
import { ObjectMap } from "./indexer.ts";
import type { WatchSession } from "./watch-session.ts";

const END_ANNOTATION = "k8s.io/initial-events-end";
// Servers that do not know initial events may send nothing, or no end.
const LONGEST_SILENCE_MS = 10_000;

/** The objects that a watch began with. */
export interface InitialObjects<T extends KubernetesObject> {
  readonly items: Iterable<T>;
  /** The resourceVersion of the objects. */
  readonly resourceVersion: string;
}

/**
 * Reads the initial events of a watch up to the bookmark that ends them; undefined if the server does not send it.
 *
 * Fails: `StatusError` for an event of type `ERROR`, or like the watch.
 *
 * client-go: tools/cache.Reflector
 */
export async function readInitialEvents<T extends KubernetesObject>(
  session: WatchSession<T>,
  options: { readonly clock: Clock; readonly accepts: (event: WatchEvent<T>) => boolean },
): Promise<InitialObjects<T> | undefined> {
  const objects = new ObjectMap<T>();
  const turns = TurnShare.ofTime();
  const watchdog = createWatchdog(session, options.clock);
  try {
    for (let event = await session.next(); event !== undefined; event = await session.next()) {
      watchdog.reset();
      if (event.type === "ERROR") {
        throw new StatusError(event.object);
      }
      if (event.type === "BOOKMARK") {
        if (event.object.metadata.annotations?.[END_ANNOTATION] === "true") {
          return { items: objects.values(), resourceVersion: event.object.metadata.resourceVersion ?? "" };
        }
      } else if (options.accepts(event)) {
        change(objects, event);
      }
      const pause = turns.step();
      if (pause !== undefined) {
        await pause;
      }
    }
    return undefined;
  } catch (error) {
    if (watchdog.hasBarked()) {
      return undefined;
    }
    throw error;
  } finally {
    watchdog.stop();
  }
}

function change<T extends KubernetesObject>(
  objects: ObjectMap<T>,
  event: Extract<WatchEvent<T>, { readonly object: T }>,
): void {
  if (event.type === "DELETED") {
    objects.delete(event.object.metadata);
  } else {
    objects.set(event.object);
  }
}

function createWatchdog<T extends KubernetesObject>(
  session: WatchSession<T>,
  clock: Clock,
): { reset(): void; hasBarked(): boolean; stop(): void } {
  let lastEventAt = clock.monotonic();
  let isSilent = false;
  const check = (): void => {
    const silentMs = clock.monotonic() - lastEventAt;
    if (silentMs >= LONGEST_SILENCE_MS) {
      isSilent = true;
      session.abort();
    } else {
      timer = clock.setTimeout(check, LONGEST_SILENCE_MS - silentMs).unref();
    }
  };
  let timer = clock.setTimeout(check, LONGEST_SILENCE_MS).unref();
  return {
    reset: () => {
      lastEventAt = clock.monotonic();
    },
    hasBarked: () => isSilent,
    stop: () => timer.cancel(),
  };
}
