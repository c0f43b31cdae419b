import { apiVersionOf, StatusError } from "@kubescaffold/k8s";
import type { Timer } from "@kubescaffold/platform/clock";

import type { EventCounter, RequestMetrics } from "../metrics/request-metrics.ts";
import { type EventEncoder, eventEncoder } from "../output/encode-event.ts";
import { createTransform, type ObjectTransform } from "../output/transform.ts";
import { expired, notAcceptable } from "../request/failures.ts";
import { type RequestContext, streamTypeNames } from "../request/request-context.ts";
import type { ResponseSink, ServerResponse } from "../request/server-request.ts";
import type { ResourceType } from "../resources/registry.ts";
import { parseSelection, type Selection } from "../resources/selection.ts";
import type { WatchRegistry } from "../resources/watch-registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { keyRange } from "../storage/object-key.ts";
import type { StoreEvent } from "../storage/object-reader.ts";
import { checkNotFuture, exactVersion, parseWatchOptions, type WatchOptions } from "./list-options.ts";
import type { ReadEnvironment } from "./stale-reads.ts";
import { isWatchSocket, watchSocketAnswer } from "./watch-socket.ts";

/** Dependencies of watches. */
interface WatchEnvironment extends ReadEnvironment {
  readonly watches: WatchRegistry;
  readonly metrics: RequestMetrics;
}

/** Checks a watch and returns the stream of its events. */
export async function handleWatch(
  environment: WatchEnvironment,
  { context, type }: { readonly context: RequestContext; readonly type: ResourceType },
): Promise<ServerResponse> {
  const output = context.output();
  if (output.mediaType === "application/yaml") {
    throw notAcceptable(streamTypeNames(context));
  }
  const { query } = context.request;
  const options = parseWatchOptions(query);
  const selection = parseSelection(query, type);
  const transform = await createTransform({ output, type, query, clock: environment.clock });
  const isSocket = isWatchSocket(context.request);
  const encoder = await eventEncoder(output, { isFramed: !isSocket });
  const start = (sink: ResponseSink, signal: AbortSignal): void => {
    new Watch({ environment, context, type, options, selection, transform, encoder, sink }).run(signal);
  };
  return isSocket
    ? watchSocketAnswer(context.request, { start })
    : { code: 200, contentType: encoder.contentType, body: { start } };
}

interface WatchInput {
  readonly environment: WatchEnvironment;
  readonly context: RequestContext;
  readonly type: ResourceType;
  readonly options: WatchOptions;
  readonly selection: Selection;
  readonly transform: ObjectTransform | undefined;
  readonly encoder: EventEncoder;
  readonly sink: ResponseSink;
}

// Beyond this much unread data a client is cut off, and lists again.
const MOST_PENDING_BYTES = 4 * 1024 * 1024;
const BOOKMARK_BEFORE_END_MS = 2000;

class Watch {
  readonly #input: WatchInput;
  readonly #events: EventCounter;
  readonly #timers = new Map<string, Timer>();
  readonly #endings: ((by: "client" | "server") => void)[] = [];
  #isDone = false;
  #lastRevision = 0;
  // Where a webhook converts, what is sent waits for its answer, and for all that is to be sent before.
  #sending: Promise<void> = Promise.resolve();

  constructor(input: WatchInput) {
    this.#input = input;
    this.#events = input.environment.metrics.eventsOf(input.type);
  }

  run(signal: AbortSignal): void {
    const { environment, type, context } = this.#input;
    const abort = (): void => this.#end("client");
    signal.addEventListener("abort", abort, { once: true });
    this.#endings.push(
      () => signal.removeEventListener("abort", abort),
      environment.watches.add({
        context,
        type,
        reads: environment.store,
        end: () => this.#end(),
        expire: () => this.#fail(this.#tooOld(0)),
      }),
    );
    try {
      this.#begin();
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#startTimers();
    if (signal.aborted) {
      this.#end("client");
    }
  }

  #begin(): void {
    const { environment, type, options, context } = this.#input;
    const table = environment.store.table(type.storedAs);
    const { resourceVersion, sendsInitialEvents } = options;
    const isFromNow = sendsInitialEvents === false && (resourceVersion ?? 0) === 0;
    const isLegacyStart = sendsInitialEvents === undefined && (resourceVersion ?? 0) === 0;
    this.#lastRevision = environment.store.revision;
    if (sendsInitialEvents === true) {
      checkNotFuture(exactVersion(context.request.query), environment.store.revision);
    }
    if (isLegacyStart || sendsInitialEvents === true) {
      this.#sendCurrent();
    } else if (!isFromNow && resourceVersion !== undefined) {
      if (resourceVersion < table.watchesFrom) {
        throw this.#tooOld(resourceVersion);
      }
      table.since(resourceVersion).forEach((event) => this.#onEvent(event));
    }
    // A version of another server may be later than what this one has seen.
    const seen = isFromNow || sendsInitialEvents === true ? 0 : (resourceVersion ?? 0);
    this.#endings.push(
      environment.store.observe(type.storedAs, (event) => {
        if (event.revision > seen) this.#onEvent(event);
      }),
    );
  }

  #sendCurrent(): void {
    const { environment, type, options, context } = this.#input;
    const { keys, objects } = environment.store.table(type.storedAs).current();
    const { start, end } = keyRange(keys, context.info.namespace);
    const current = keys.slice(start, end).map((key) => objects.get(key) as ApiObject);
    const { revision } = environment.store;
    this.#whenConverted(current, () => {
      current.map((stored) => this.#read(stored)).forEach((object) => this.#sendIfSelected(object));
      if (options.sendsInitialEvents === true && options.allowsBookmarks) {
        this.#bookmark(revision, { "k8s.io/initial-events-end": "true" });
      }
    });
  }

  #sendIfSelected(object: ApiObject): void {
    if (this.#isSelected(object)) {
      this.#send("ADDED", object);
    }
  }

  #whenConverted(stored: readonly ApiObject[], send: () => void): void {
    const { prepareRead } = this.#input.type.strategy();
    if (prepareRead === undefined) {
      send();
      return;
    }
    this.#sending = this.#sending
      .then(() => (this.#isDone ? undefined : prepareRead(stored, { reuses: true })))
      .then(() => (this.#isDone ? undefined : send()))
      .catch((error: unknown) => this.#fail(error));
  }

  #onEvent(event: StoreEvent): void {
    if (this.#isDone || !this.#isInNamespace(event.key)) {
      return;
    }
    try {
      const { object, previous } = event;
      this.#whenConverted(previous === undefined ? [object] : [object, previous], () => this.#sendEvent(event));
    } catch (error) {
      this.#fail(error);
    }
  }

  #sendEvent(event: StoreEvent): void {
    this.#lastRevision = event.revision;
    const object = this.#read(event.object);
    const previous = event.previous === undefined ? undefined : this.#read(event.previous);
    const was = previous !== undefined && this.#isSelected(previous);
    const is = event.kind !== "deleted" && this.#isSelected(object);
    if (is) {
      this.#send(was ? "MODIFIED" : "ADDED", object);
    } else if (was) {
      // One that has left the selection is shown as it was, at the revision of the change.
      this.#send("DELETED", event.kind === "deleted" ? object : atRevision(previous, event.revision));
    }
  }

  #isInNamespace(key: string): boolean {
    const { namespace } = this.#input.context.info;
    return namespace === "" || !this.#input.type.isNamespaced || key.startsWith(`${namespace}/`);
  }

  #isSelected(object: ApiObject): boolean {
    const { selection, context } = this.#input;
    const { name } = context.info;
    return (name === "" || object.metadata.name === name) && (selection.isEverything || selection.matches(object));
  }

  #read(stored: ApiObject): ApiObject {
    return this.#input.type.strategy().fromStored(stored);
  }

  #send(kind: "ADDED" | "MODIFIED" | "DELETED", object: ApiObject): void {
    const { transform, sink } = this.#input;
    this.#write(kind, transform === undefined ? object : transform.one(object));
    if (sink.pendingBytes > MOST_PENDING_BYTES) {
      this.#end();
    }
  }

  #queueBookmark(): void {
    const { revision } = this.#input.environment.store;
    this.#whenConverted([], () => this.#bookmark(revision));
  }

  #bookmark(revision: number, annotations?: Readonly<Record<string, string>>): void {
    const { type, transform } = this.#input;
    const object: ApiObject = {
      kind: type.kind,
      apiVersion: apiVersionOf(type),
      metadata: {
        resourceVersion: String(Math.max(this.#lastRevision, revision)),
        ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      },
    };
    this.#write("BOOKMARK", transform?.bookmark(object) ?? object);
  }

  #write(kind: string, object: object): void {
    if (!this.#isDone) {
      this.#events.count += 1;
      this.#input.sink.write(this.#input.encoder.encode(kind, object));
    }
  }

  #startTimers(): void {
    const { environment, options } = this.#input;
    const { clock, bookmarkIntervalMs } = environment;
    if (options.timeoutMs !== undefined) {
      this.#timers.set("end", clock.setTimeout(() => this.#end(), options.timeoutMs).unref());
    }
    if (options.allowsBookmarks) {
      this.#repeatBookmarks(bookmarkIntervalMs);
      const beforeEnd = options.timeoutMs === undefined ? undefined : options.timeoutMs - BOOKMARK_BEFORE_END_MS;
      if (beforeEnd !== undefined && beforeEnd > 0 && beforeEnd < bookmarkIntervalMs) {
        this.#timers.set("last-bookmark", clock.setTimeout(() => this.#queueBookmark(), beforeEnd).unref());
      }
    }
  }

  #repeatBookmarks(intervalMs: number): void {
    const next = this.#input.environment.clock.setTimeout(() => {
      this.#queueBookmark();
      if (!this.#isDone) {
        this.#repeatBookmarks(intervalMs);
      }
    }, intervalMs);
    this.#timers.set("bookmark", next.unref());
  }

  #tooOld(requested: number): Error {
    const { environment, type } = this.#input;
    return expired(`too old resource version: ${requested} (${environment.store.table(type.storedAs).watchesFrom})`);
  }

  #fail(error: unknown): void {
    const status = error instanceof StatusError ? error.status : undefined;
    this.#write(
      "ERROR",
      status ?? { kind: "Status", apiVersion: "v1", status: "Failure", message: String(error), code: 500 },
    );
    this.#end();
  }

  #end(by: "client" | "server" = "server"): void {
    if (this.#isDone) {
      return;
    }
    this.#isDone = true;
    this.#endings.forEach((end) => end(by));
    this.#timers.forEach((timer) => timer.cancel());
    this.#input.sink.done();
  }
}

function atRevision(object: ApiObject, revision: number): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}
