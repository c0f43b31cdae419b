import type { GroupVersionKind } from "@kubescaffold/k8s";
import { apiVersionOf, printLosslessJson } from "@kubescaffold/k8s";
import type { KubernetesObject, Status } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";
import { type Clock, onAbort } from "@kubescaffold/platform/clock";

import { ConnectionError, UnreadableEventError } from "../rest/errors.ts";
import type { RestClient, RestRequest } from "../rest/rest-client.ts";
import type { WatchEvent } from "./client.ts";
import { partialObject } from "./partial-object.ts";

/** Milliseconds after the timeout of a watch after which a connection that is still open counts as dead. */
export const WATCH_GRACE_MS = 60_000;

/**
 * Opens a watch when the first event is requested and yields its events.
 *
 * Fails: {@link UnreadableEventError} for anything but an event; {@link ConnectionError} when the server has not ended the watch a minute after its timeout.
 */
export async function* watchStream<T extends KubernetesObject>(watch: {
  readonly rest: RestClient;
  readonly clock: Clock;
  readonly timeoutSeconds: number;
  /** Finds the endpoint of the kind. */
  readonly request: () => RestRequest | Promise<RestRequest>;
  /** The kind of the objects, where the server returns `PartialObjectMetadata`. */
  readonly metadataOf?: GroupVersionKind;
}): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const { rest, clock, timeoutSeconds, metadataOf } = watch;
  const request = await watch.request();
  const guard = new AbortController();
  const stopListening = onAbort(request.signal, () => guard.abort(request.signal?.reason));
  const timer = clock.setTimeout(
    () => guard.abort(silentConnection(rest, timeoutSeconds)),
    timeoutSeconds * 1000 + WATCH_GRACE_MS,
  );
  try {
    for await (const event of rest.stream({ ...request, signal: guard.signal })) {
      yield readEvent<T>(event as WireEvent, metadataOf);
    }
  } finally {
    timer.cancel();
    stopListening();
  }
}

/** Returns a time between 5 and 10 minutes in seconds, so that the watches of many clients do not end together. */
export function randomWatchSeconds(): number {
  return Math.floor(300 + Math.random() * 300);
}

function silentConnection(rest: RestClient, timeoutSeconds: number): ConnectionError {
  return new ConnectionError(rest.config.server, {
    failure: "timeout",
    detail: `a watch of ${String(timeoutSeconds)} s did not end; the connection is probably dead`,
  });
}

interface WireEvent {
  readonly type: string;
  readonly object: unknown;
}

function readEvent<T extends KubernetesObject>(
  event: WireEvent,
  metadataOf: GroupVersionKind | undefined,
): WatchEvent<T> {
  if (!isRecord(event) || typeof event.type !== "string" || !isRecord(event.object)) {
    throw new UnreadableEventError(printLosslessJson(event));
  }
  if (event.type === "ERROR") {
    return { type: "ERROR", object: event.object as unknown as Status };
  }
  if (!isRecord(event.object["metadata"])) {
    throw new UnreadableEventError(printLosslessJson(event));
  }
  const object = event.object as unknown as KubernetesObject;
  return {
    type: event.type,
    object: metadataOf === undefined ? object : partialObject(object, metadataOf),
  } as WatchEvent<T>;
}

/** Returns an object with the apiVersion and kind of a kind. */
export function withKind<T extends KubernetesObject>(object: T, gvk: GroupVersionKind): T {
  const { apiVersion: _apiVersion, kind: _kind, ...content } = object;
  return { apiVersion: apiVersionOf(gvk), kind: gvk.kind, ...content } as unknown as T;
}
