import { type GroupVersionKind, objectKey, ScaffoldError } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { KindRef } from "../client/client.ts";
import type { PartialObjectMetadata } from "../client/partial-object.ts";
import { type ControllerOptions, createController } from "../controller/controller.ts";
import type { Controller } from "../controller/queue-controller.ts";
import type { DependentObjects, Dependents } from "../dependents/dependent.ts";
import type { DependentsOptions } from "../dependents/dependents-reconciler.ts";
import { managedDependents, prepareDependents } from "../dependents/managed-dependents.ts";
import { enqueueRequestForObject, type EventHandler } from "../handler/event-handler.ts";
import { enqueueRequestsFromMapFunc, type MapFunction, requestsForOwners } from "../handler/handler.ts";
import type { Logger } from "../log/logger.ts";
import { concurrencyOf, type Manager } from "../manager/manager.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { ReconcileFunction, Reconciler, Request } from "../reconcile/reconcile.ts";
import { type HandledBy, kind as kindSource, kindMetadata, type Source, type WatchedKind } from "../source/source.ts";

/** Options of a watch of one kind. */
export interface WatchesOptions<T extends KubernetesObject> {
  /** Predicates that an event must pass, after those of {@link ControllerBuilder.withEventFilter}. Default: none. */
  readonly predicates?: readonly Predicate<T>[];
}

/** Options of a watch of owned objects. */
export interface OwnsOptions<T extends KubernetesObject> extends WatchesOptions<T> {
  /** Reconciles every owner, not only the one that controls the object. Default: false. */
  readonly matchEveryOwner?: boolean;
}

/**
 * Builds a controller: its kind, its watches, and its options.
 *
 * Predicates and handlers receive the objects of the cache, which are frozen.
 *
 * controller-runtime: pkg/builder.Builder
 *
 * @example
 * await newControllerManagedBy(mgr).for(Guestbook).owns(Deployment).complete(new GuestbookReconciler(mgr.getClient()));
 */
export interface ControllerBuilder<R = Request, O extends KubernetesObject = KubernetesObject> {
  /** Reconciles the objects of a kind, once per builder; the kind is the default name of the controller. */
  for<T extends KubernetesObject>(
    this: ControllerBuilder,
    kind: KindRef<T>,
    options?: WatchesOptions<T>,
  ): ControllerBuilder<Request, T>;
  /** Reconciles like {@link ControllerBuilder.for}, but watches only the metadata; see {@link ControllerBuilder.watchesMetadata}. */
  forMetadata<T extends KubernetesObject>(
    this: ControllerBuilder,
    kind: KindRef<T>,
    options?: WatchesOptions<PartialObjectMetadata<T>>,
  ): ControllerBuilder<Request, T>;
  /** Reconciles the owner when an object of this kind changes. */
  owns<T extends KubernetesObject>(
    this: ControllerBuilder<Request, O>,
    kind: KindRef<T>,
    options?: OwnsOptions<T>,
  ): ControllerBuilder<Request, O>;
  /** Reconciles like {@link ControllerBuilder.owns}, but watches only the metadata; see {@link ControllerBuilder.watchesMetadata}. */
  ownsMetadata<T extends KubernetesObject>(
    this: ControllerBuilder<Request, O>,
    kind: KindRef<T>,
    options?: OwnsOptions<PartialObjectMetadata<T>>,
  ): ControllerBuilder<Request, O>;
  /** Reconciles the requests that a handler returns for the changes of a kind. */
  watches<T extends KubernetesObject>(
    kind: KindRef<T>,
    handler: EventHandler<T, R>,
    options?: WatchesOptions<T>,
  ): ControllerBuilder<R, O>;
  /**
   * Watches like {@link ControllerBuilder.watches}, but only the metadata: the handler and the predicates receive {@link PartialObjectMetadata}.
   *
   * Reads must request only the metadata, too, or a second cache is created.
   *
   * controller-runtime: pkg/builder.OnlyMetadata
   */
  watchesMetadata<T extends KubernetesObject>(
    kind: KindRef<T>,
    handler: EventHandler<PartialObjectMetadata<T>, R>,
    options?: WatchesOptions<PartialObjectMetadata<T>>,
  ): ControllerBuilder<R, O>;
  /** Adds a source; event filters do not apply to it. */
  watchesRawSource(source: Source<R>): ControllerBuilder<R, O>;
  /** Filters the events of all kinds; all filters must pass. */
  withEventFilter(predicate: Predicate): ControllerBuilder<R, O>;
  /** Sets the options of the controller; a later call replaces them. */
  withOptions(options: Partial<ControllerOptions<R>>): ControllerBuilder<R, O>;
  /** Sets the function that returns the logger of the controller, or of a request. */
  withLogConstructor(logConstructor: (request: R | undefined) => Logger): ControllerBuilder<R, O>;
  /** Sets the name in logs and metrics. Default: the kind in lower case. */
  named(name: string): ControllerBuilder<R, O>;
  /**
   * Manages objects for each object of the controller's kind; the methods of the result complete the controller without a reconciler.
   *
   * Each reconcile applies the desired fields of the dependents with server-side apply, in the order of `dependsOn`, with the owner as their controller, and
   * deletes objects that are no longer desired. Changes of the dependents reconcile the owner.
   *
   * Guarantees: nothing is written when nothing changed; only objects that the owner controls are deleted.
   *
   * @example
   * await newControllerManagedBy(mgr).for(Guestbook).dependents({
   *   config: dependent(ConfigMap, { desired: (owner) => ({ data: { size: String(owner.spec.size) } }) }),
   * }).complete();
   */
  dependents<E extends DependentObjects>(
    this: ControllerBuilder<Request, O>,
    dependents: Dependents<O, E>,
  ): DependentsBuilder<O, E>;
  /** Builds the controller and adds it to the manager. Fails: `ControllerBuilderError`, `ControllerNameTakenError`. */
  complete(reconciler: Reconciler<R> | ReconcileFunction<R>): Promise<void>;
  /** Builds the controller, adds it to the manager, and returns it. Fails: like {@link ControllerBuilder.complete}. */
  build(reconciler: Reconciler<R> | ReconcileFunction<R>): Promise<Controller<R>>;
}

/** Completes a controller with dependents; {@link ControllerBuilder.dependents} returns it. */
export interface DependentsBuilder<O extends KubernetesObject, E extends DependentObjects> {
  /**
   * Builds the controller and adds it to the manager. It reads the scopes of the kinds from the API server.
   *
   * Fails: like {@link ControllerBuilder.complete}; `DependentNameError`, `DependentCycleError`, and `DependentObjectError` for cluster-scoped dependents of namespaced owners.
   */
  complete(options?: DependentsOptions<O, E>): Promise<void>;
  /** Builds the controller, adds it to the manager, and returns it. Fails: like {@link DependentsBuilder.complete}. */
  build(options?: DependentsOptions<O, E>): Promise<Controller>;
}

/**
 * Returns a builder of a controller that a manager runs.
 *
 * controller-runtime: pkg/builder.ControllerManagedBy
 */
export function newControllerManagedBy<R = Request>(manager: Manager): ControllerBuilder<R> {
  return new DescribedController<R>(manager, undefined);
}

type SourceFactory<R> = (filters: readonly Predicate[]) => Source<R>;

/** Converts a plain request into one of a controller; undefined if they are the same. */
type RequestConversion<R> = ((request: Request) => R) | undefined;

/** The description of a controller, which a manager then builds. */
export class DescribedController<R, O extends KubernetesObject = KubernetesObject> implements ControllerBuilder<R, O> {
  readonly #manager: Manager;
  readonly #convert: RequestConversion<R>;
  readonly #watches: SourceFactory<R>[] = [];
  readonly #filters: Predicate[] = [];
  #forKind: KindRef<KubernetesObject> | undefined;
  #forCalls = 0;
  #owns = 0;
  #name = "";
  #options: Partial<ControllerOptions<R>> = {};
  #logConstructor: ((request: R | undefined) => Logger) | undefined;

  constructor(manager: Manager, convert: RequestConversion<R>) {
    this.#manager = manager;
    this.#convert = convert;
  }

  for<T extends KubernetesObject>(kind: KindRef<T>, options: WatchesOptions<T> = {}): ControllerBuilder<Request, T> {
    this.#watch(kindSource<T, R>, { kind, handler: this.#reconciles<T>(kind), options });
    return this.#ofRequests<T>();
  }

  forMetadata<T extends KubernetesObject>(
    kind: KindRef<T>,
    options: WatchesOptions<PartialObjectMetadata<T>> = {},
  ): ControllerBuilder<Request, T> {
    this.#watch(kindMetadata<T, R>, { kind, handler: this.#reconciles<PartialObjectMetadata<T>>(kind), options });
    return this.#ofRequests<T>();
  }

  owns<T extends KubernetesObject>(kind: KindRef<T>, options: OwnsOptions<T> = {}): ControllerBuilder<Request, O> {
    this.#watch(kindSource<T, R>, { kind, handler: this.#toOwner<T>(options), options });
    return this.#ofRequests<O>();
  }

  ownsMetadata<T extends KubernetesObject>(
    kind: KindRef<T>,
    options: OwnsOptions<PartialObjectMetadata<T>> = {},
  ): ControllerBuilder<Request, O> {
    this.#watch(kindMetadata<T, R>, { kind, handler: this.#toOwner<PartialObjectMetadata<T>>(options), options });
    return this.#ofRequests<O>();
  }

  watches<T extends KubernetesObject>(
    kind: KindRef<T>,
    handler: EventHandler<T, R>,
    options: WatchesOptions<T> = {},
  ): ControllerBuilder<R, O> {
    return this.#watch(kindSource<T, R>, { kind, handler: () => handler, options });
  }

  watchesMetadata<T extends KubernetesObject>(
    kind: KindRef<T>,
    handler: EventHandler<PartialObjectMetadata<T>, R>,
    options: WatchesOptions<PartialObjectMetadata<T>> = {},
  ): ControllerBuilder<R, O> {
    return this.#watch(kindMetadata<T, R>, { kind, handler: () => handler, options });
  }

  watchesRawSource(source: Source<R>): ControllerBuilder<R, O> {
    this.#watches.push(() => source);
    return this;
  }

  withEventFilter(predicate: Predicate): ControllerBuilder<R, O> {
    this.#filters.push(predicate);
    return this;
  }

  withOptions(options: Partial<ControllerOptions<R>>): ControllerBuilder<R, O> {
    this.#options = options;
    return this;
  }

  withLogConstructor(logConstructor: (request: R | undefined) => Logger): ControllerBuilder<R, O> {
    this.#logConstructor = logConstructor;
    return this;
  }

  named(name: string): ControllerBuilder<R, O> {
    this.#name = name;
    return this;
  }

  dependents<E extends DependentObjects>(dependents: Dependents<O, E>): DependentsBuilder<O, E> {
    const build = async (options: DependentsOptions<O, E> = {}): Promise<Controller> =>
      await this.#buildWithDependents(dependents, options);
    return { build, complete: async (options) => void (await build(options)) };
  }

  async complete(reconciler: Reconciler<R> | ReconcileFunction<R>): Promise<void> {
    await this.build(reconciler);
  }

  async build(reconciler: Reconciler<R> | ReconcileFunction<R>): Promise<Controller<R>> {
    this.#check(reconciler);
    const name = this.#controllerName();
    const controller = createController<R>(name, this.#manager, this.#controllerOptions(name, reconciler));
    for (const createSource of this.#watches) {
      await controller.watch(createSource([...this.#filters]));
    }
    return controller;
  }

  async #buildWithDependents<E extends DependentObjects>(
    dependents: Dependents<O, E>,
    options: DependentsOptions<O, E>,
  ): Promise<Controller> {
    if (this.#forKind === undefined) {
      throw new ControllerBuilderError("dependents() needs for()", "call for() with the kind that owns the dependents");
    }
    const kind = this.#forKind as KindRef<O>;
    const reconciler = managedDependents(this.#manager, {
      fieldOwner: this.#controllerName(),
      ...options,
      kind,
      dependents,
    });
    const builder = this.#ofRequests<O>();
    this.#check(reconciler as unknown as Reconciler<R>);
    for (const each of await prepareDependents(this.#manager, kind, dependents)) {
      builder.owns(each);
    }
    return await builder.build(reconciler);
  }

  #controllerName(): string {
    return this.#name === "" ? (this.#forKind?.kind.toLowerCase() ?? "") : this.#name;
  }

  #check(reconciler: Reconciler<R> | ReconcileFunction<R> | undefined): void {
    const misuse = findMisuse({
      hasManager: (this.#manager as Manager | undefined) !== undefined,
      hasReconciler: reconciler !== undefined,
      hasSecondReconciler: this.#options.reconciler !== undefined,
      forCalls: this.#forCalls,
      isNamed: this.#name !== "",
      watches: this.#watches.length,
      owns: this.#owns,
    });
    if (misuse !== undefined) {
      throw new ControllerBuilderError(...misuse);
    }
  }

  #controllerOptions(name: string, reconciler: Reconciler<R> | ReconcileFunction<R>): ControllerOptions<R> {
    const defaults = this.#manager.getControllerOptions();
    const ownWorkers = this.#options.maxConcurrentReconciles ?? 0;
    const workers = ownWorkers === 0 ? concurrencyOf(this.#forKind, defaults) : ownWorkers;
    const logger = this.#options.logger ?? defaults.logger ?? this.#manager.getLogger();
    return {
      logConstructor: requestLogger<R>(logger, name, this.#forKind),
      ...(this.#forKind === undefined ? {} : { kind: this.#forKind }),
      ...this.#options,
      ...(workers === undefined ? {} : { maxConcurrentReconciles: workers }),
      ...(this.#logConstructor === undefined ? {} : { logConstructor: this.#logConstructor }),
      reconciler,
    };
  }

  // Without a conversion, R is a plain request.
  #converted<T extends KubernetesObject>(plain: () => EventHandler<T>, map: MapFunction<T>): EventHandler<T, R> {
    const convert = this.#convert;
    if (convert === undefined) {
      return plain() as unknown as EventHandler<T, R>;
    }
    return enqueueRequestsFromMapFunc<T, R>((object, context) => {
      const requests = map(object, context);
      return "then" in requests ? requests.then((each) => each.map(convert)) : requests.map(convert);
    });
  }

  // Only the builder of a controller of requests has the methods that call this one.
  #ofRequests<T extends KubernetesObject>(): ControllerBuilder<Request, T> {
    return this as unknown as ControllerBuilder<Request, T>;
  }

  #reconciles<O extends KubernetesObject>(kind: KindRef<KubernetesObject>): () => EventHandler<O, R> {
    this.#forCalls += 1;
    this.#forKind = kind;
    return () => this.#converted<O>(enqueueRequestForObject, (object) => [objectKey(object)]);
  }

  // The kind of the controller is only known when it is built.
  #toOwner<O extends KubernetesObject>({ matchEveryOwner }: OwnsOptions<O>): () => EventHandler<O, R> {
    this.#owns += 1;
    return () => {
      const owners = requestsForOwners<O>(this.#ownerKind(), {
        restMapper: this.#manager.getRestMapper(),
        onlyControllerOwner: matchEveryOwner !== true,
      });
      return this.#converted<O>(() => enqueueRequestsFromMapFunc(owners), owners);
    };
  }

  #watch<T extends KubernetesObject, E extends KubernetesObject>(
    toSource: (watch: WatchedKind<T> & HandledBy<E, R>) => Source<R>,
    watch: {
      readonly kind: KindRef<T>;
      readonly handler: () => EventHandler<E, R>;
      readonly options: WatchesOptions<E>;
    },
  ): ControllerBuilder<R, O> {
    const { kind, handler, options } = watch;
    this.#watches.push((filters) => {
      const predicates = [...filters, ...(options.predicates ?? [])];
      return toSource({ cache: this.#manager.getCache(), kind, handler: handler(), predicates });
    });
    return this;
  }

  #ownerKind(): KindRef<KubernetesObject> {
    if (this.#forKind === undefined) {
      throw new ControllerBuilderError(...OWNS_WITHOUT_FOR);
    }
    return this.#forKind;
  }
}

const OWNS_WITHOUT_FOR = ["owns() needs for()", "call for() with the kind that owns the objects"] as const;

function findMisuse(described: {
  readonly hasManager: boolean;
  readonly hasReconciler: boolean;
  readonly hasSecondReconciler: boolean;
  readonly forCalls: number;
  readonly isNamed: boolean;
  readonly watches: number;
  readonly owns: number;
}): readonly [why: string, hint: string] | undefined {
  const misuses: readonly (readonly [isMisuse: boolean, why: string, hint: string])[] = [
    [!described.hasManager, "the manager is missing", "pass a manager to newControllerManagedBy()"],
    [!described.hasReconciler, "the reconciler is missing", "pass a reconciler to complete()"],
    [
      described.hasSecondReconciler,
      "there are two reconcilers",
      "pass the reconciler to complete() and not to withOptions()",
    ],
    [described.forCalls > 1, "for() was called more than once", "watch other kinds with owns() or watches()"],
    [described.owns > 0 && described.forCalls === 0, ...OWNS_WITHOUT_FOR],
    [described.forCalls === 0 && !described.isNamed, "it has no name", "call for() or named()"],
    [described.watches === 0, "it watches nothing", "call for(), watches() or watchesRawSource()"],
  ];
  const found = misuses.find(([isMisuse]) => isMisuse);
  return found === undefined ? undefined : [found[1], found[2]];
}

/**
 * Thrown when a controller builder lacks a setting or has one twice.
 *
 * Fix: Follow the hint.
 */
export class ControllerBuilderError extends ScaffoldError {
  readonly code = "CONTROLLER_BUILDER_MISUSE";

  constructor(why: string, hint: string) {
    super(`cannot build a controller: ${why}`, { hint });
  }
}

/** Returns the log constructor of a controller: it adds the controller, its kind, and the object of a request. */
function requestLogger<R>(
  logger: Logger,
  controller: string,
  kind: GroupVersionKind | undefined,
): (request: R | undefined) => Logger {
  const log = logger.withValues({
    controller,
    ...(kind === undefined ? {} : { controllerGroup: kind.group, controllerKind: kind.kind }),
  });
  return (request) => {
    if (!isNamed(request)) {
      return request === undefined ? log : log.withValues({ request });
    }
    const { name, namespace } = request;
    const object = kind === undefined ? {} : { [kind.kind]: { name, namespace } };
    return log.withValues({ ...object, namespace, name });
  };
}

function isNamed(request: unknown): request is { readonly name: string; readonly namespace: string } {
  return typeof request === "object" && request !== null && "name" in request && "namespace" in request;
}
