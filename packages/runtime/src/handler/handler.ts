import { type DeepReadonly, type GroupVersionKind, isInstance, messageOf, parseApiVersion } from "@kubescaffold/k8s";
import type { KubernetesObject, OwnerReference, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import type { Stored } from "../client/partial-object.ts";
import type { RestMapper } from "../discovery/rest-mapping.ts";
import type { EventContext } from "../event/event.ts";
import type { Request } from "../reconcile/reconcile.ts";
import { describeValue, isPromise, ReturnedValueError } from "../reconcile/returned-value.ts";
import { itemKey } from "../workqueue/item-key.ts";
import { type AddOptions, isPriorityQueue, type PriorityQueue, type RateLimitingQueue } from "../workqueue/queue.ts";
import {
  enqueue,
  type EventHandler,
  type Handled,
  type HandlerContext,
  isUnchangedCreate,
  isUnchangedUpdate,
  LOW_PRIORITY,
} from "./event-handler.ts";

export { enqueueRequestForObject, funcs, LOW_PRIORITY } from "./event-handler.ts";

/**
 * Maps an object to requests; it may read from a cache.
 *
 * controller-runtime: pkg/handler.MapFunc
 */
export type MapFunction<T extends KubernetesObject = KubernetesObject, R = Request> = (
  object: DeepReadonly<Stored<T>>,
  context: EventContext,
) => readonly R[] | Promise<readonly R[]>;

/**
 * Creates a handler that enqueues the requests of a function; for an update, those of the old and the new object. Generic events whose object the server has
 * not stored need {@link funcs}.
 *
 * Guarantees: one event adds each request once. An error of the function is logged, and the event is dropped.
 *
 * controller-runtime: pkg/handler.EnqueueRequestsFromMapFunc
 */
export function enqueueRequestsFromMapFunc<T extends KubernetesObject, R = Request>(
  map: MapFunction<T, R>,
): EventHandler<T, R> {
  return {
    create: (event, context) => enqueueMapped({ map, isUnchanged: isUnchangedCreate(event) }, [event.object], context),
    update: (event, context) =>
      enqueueMapped({ map, isUnchanged: isUnchangedUpdate(event) }, [event.objectOld, event.objectNew], context),
    delete: (event, context) => enqueueMapped({ map, isUnchanged: false }, [event.object], context),
    generic: (event, context) =>
      enqueueMapped({ map, isUnchanged: false }, [event.object as DeepReadonly<Stored<T>>], context),
  };
}

interface Mapping<T extends KubernetesObject, R> {
  readonly map: MapFunction<T, R>;
  readonly isUnchanged: boolean;
}

function enqueueMapped<T extends KubernetesObject, R>(
  mapping: Mapping<T, R>,
  objects: readonly DeepReadonly<Stored<T>>[],
  context: HandlerContext<R>,
): Handled {
  const map = objects.length === 1 ? mapping.map : caught(mapping.map);
  const mapped = objects.map((object) => map(object, context));
  if (mapped.every((requests) => isReady(requests))) {
    enqueue(context.queue, distinct(mapped.flatMap(requireRequests), context.queue), mapping.isUnchanged);
    return undefined;
  }
  return Promise.all(mapped.map(async (requests) => await requests)).then((requests) => {
    enqueue(context.queue, distinct(requests.flatMap(requireRequests), context.queue), mapping.isUnchanged);
  });
}

// Of several objects, the error of one must not leave the promise of the other without a handler, which would end the process.
function caught<T extends KubernetesObject, R>(map: MapFunction<T, R>): MapFunction<T, R> {
  return (object, context) => {
    try {
      return map(object, context);
    } catch (error) {
      return Promise.reject(isInstance(error, Error) ? error : new TypeError(messageOf(error), { cause: error }));
    }
  };
}

// A queue would hand out whatever it is given.
function requireRequests<R>(requests: readonly R[]): readonly R[] {
  if (!Array.isArray(requests)) {
    throw new ReturnedValueError(`the map function returned ${describeValue(requests)}`, "return an array of requests");
  }
  const wrong = requests.findIndex((request) => !isRequest(request));
  if (wrong >= 0) {
    const found = describeValue(requests[wrong]);
    throw new ReturnedValueError(
      `the map function returned an array with ${found === "an object" ? "a request without a name" : found}`,
      "return requests such as { namespace, name }",
    );
  }
  return requests;
}

// Requests of a program's own type may be of any form, but a name is a string.
function isRequest(request: unknown): boolean {
  if (request === undefined || request === null || isPromise(request)) return false;
  if (typeof request !== "object" || !("name" in request || "namespace" in request)) return true;
  const { name } = request as { readonly name?: unknown };
  return typeof name === "string" && name !== "";
}

function isReady<R>(requests: readonly R[] | Promise<readonly R[]>): requests is readonly R[] {
  return Array.isArray(requests);
}

function distinct<R>(requests: readonly R[], { keyOf = itemKey }: RateLimitingQueue<R>): readonly R[] {
  return requests.length < 2 ? requests : [...new Map(requests.map((request) => [keyOf(request), request])).values()];
}

/** Options of {@link enqueueRequestForOwner}. */
export interface OwnerOptions {
  /** Finds the scope of the owner's kind. */
  readonly restMapper: RestMapper;
  /** Considers only the owner that controls the object. Default: false. */
  readonly onlyControllerOwner?: boolean;
}

/**
 * Creates a handler that enqueues requests for the owners of an object; for an update, those of the old and the new object.
 *
 * Guarantees: owners match by group and kind, in any version; the request of a cluster-scoped owner has no namespace.
 *
 * controller-runtime: pkg/handler.EnqueueRequestForOwner
 */
export function enqueueRequestForOwner<T extends KubernetesObject = KubernetesObject>(
  owner: GroupVersionKind,
  options: OwnerOptions,
): EventHandler<T> {
  return enqueueRequestsFromMapFunc(requestsForOwners<T>(owner, options));
}

/** Returns the function that maps an object to requests for its owners, as {@link enqueueRequestForOwner} does. */
export function requestsForOwners<T extends KubernetesObject>(
  owner: GroupVersionKind,
  options: OwnerOptions,
): MapFunction<T> {
  let isNamespaced: boolean | undefined;
  const findScope = async (context: EventContext): Promise<boolean | undefined> => {
    try {
      isNamespaced = (await options.restMapper.restMapping(owner)).scope === "namespaced";
    } catch (error) {
      context.log.error(error, "cannot find out whether the owner is namespaced", { owner: owner.kind });
    }
    return isNamespaced;
  };
  return (object, context) => {
    const owners = ownersOf(object, owner, options);
    if (owners.length === 0) {
      return [];
    }
    return isNamespaced === undefined
      ? findScope(context).then((scope) => (scope === undefined ? [] : requestsFor(object, owners, scope)))
      : requestsFor(object, owners, isNamespaced);
  };
}

function ownersOf(object: ReadonlyObject, owner: GroupVersionKind, options: OwnerOptions): readonly OwnerReference[] {
  return (object.metadata.ownerReferences ?? []).filter(
    (reference) =>
      reference.kind === owner.kind &&
      parseApiVersion(reference.apiVersion).group === owner.group &&
      (options.onlyControllerOwner !== true || reference.controller === true),
  );
}

function requestsFor(
  object: ReadonlyObject,
  owners: readonly OwnerReference[],
  isNamespaced: boolean,
): readonly Request[] {
  const namespace = isNamespaced ? (object.metadata.namespace ?? "") : "";
  return owners.map(({ name }) => ({ namespace, name }));
}

/**
 * Wraps a handler so that requests without changes have low priority, unless the handler sets a priority.
 *
 * controller-runtime: pkg/handler.WithLowPriorityWhenUnchanged
 */
export function withLowPriorityWhenUnchanged<T extends KubernetesObject, R = Request>(
  handler: EventHandler<T, R>,
): EventHandler<T, R> {
  return {
    ...handler,
    create: (event, context) =>
      handler.create(event, isUnchangedCreate(event) ? { ...context, queue: lowered(context.queue) } : context),
    update: (event, context) =>
      handler.update(event, isUnchangedUpdate(event) ? { ...context, queue: lowered(context.queue) } : context),
  };
}

function lowered<R>(queue: RateLimitingQueue<R>): RateLimitingQueue<R> {
  return isPriorityQueue(queue) ? new LoweredQueue(queue) : queue;
}

class LoweredQueue<R> implements PriorityQueue<R> {
  readonly keyOf?: (item: R) => unknown;
  readonly #queue: PriorityQueue<R>;

  constructor(queue: PriorityQueue<R>) {
    this.#queue = queue;
    if (queue.keyOf !== undefined) {
      this.keyOf = queue.keyOf;
    }
  }

  get length(): number {
    return this.#queue.length;
  }

  get isShuttingDown(): boolean {
    return this.#queue.isShuttingDown;
  }

  add(item: R): void {
    this.addWithOptions({}, item);
  }

  addAfter(item: R, delayMs: number): void {
    this.addWithOptions({ afterMs: delayMs }, item);
  }

  addRateLimited(item: R): void {
    this.addWithOptions({ rateLimited: true }, item);
  }

  addWithOptions(options: AddOptions, ...items: readonly R[]): void {
    this.#queue.addWithOptions({ priority: LOW_PRIORITY, ...options }, ...items);
  }

  forget(item: R): void {
    this.#queue.forget(item);
  }

  numRequeues(item: R): number {
    return this.#queue.numRequeues(item);
  }

  async get(): Promise<R | undefined> {
    return await this.#queue.get();
  }

  async getWithPriority(): ReturnType<PriorityQueue<R>["getWithPriority"]> {
    return await this.#queue.getWithPriority();
  }

  done(item: R): void {
    this.#queue.done(item);
  }

  shutDown(): void {
    this.#queue.shutDown();
  }

  async shutDownWithDrain(): Promise<void> {
    await this.#queue.shutDownWithDrain();
  }
}
