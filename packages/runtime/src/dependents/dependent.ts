import { type DeepReadonly, defineKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { JsonSchema } from "@kubescaffold/schema";

import type { ApplyConfiguration, KindRef, UnstructuredObject } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import type { ReconcileContext } from "../reconcile/reconcile.ts";

type Identity = "apiVersion" | "kind" | "metadata";

/**
 * The fields of an object that a controller manages: an apply configuration, a whole object, or some of its fields.
 *
 * Without `metadata.name` and `metadata.namespace`, the object has those of its owner. The status is not written.
 */
export type DesiredFields<T extends KubernetesObject = UnstructuredObject> = Omit<ApplyConfiguration<T>, Identity> &
  Partial<Pick<ApplyConfiguration<T>, Identity>>;

/** The context in which a dependent is described. */
export interface DependentContext extends ReconcileContext {
  /**
   * Returns the object of a dependent that this one depends on, directly or not; undefined if it is not desired.
   *
   * Fails: {@link DependentNameError} when this dependent does not depend on it.
   */
  get<T extends KubernetesObject>(kind: KindRef<T>, name: string): DeepReadonly<Stored<T>> | undefined;
}

/** Describes a dependent. */
export interface DependentOptions<T extends KubernetesObject, O extends KubernetesObject = KubernetesObject> {
  /** The names of the dependents that must be ready before this one is applied. Default: none. */
  readonly dependsOn?: readonly string[];
  /** Returns the desired fields of the object; undefined if there should be no object. */
  readonly desired: (
    owner: DeepReadonly<Stored<O>>,
    context: DependentContext,
  ) => DesiredFields<T> | undefined | Promise<DesiredFields<T> | undefined>;
  /**
   * Reports whether the object is ready. An object that is being deleted, or whose `status.observedGeneration` is outdated, is not ready. Default: every
   * other object is ready.
   */
  readonly ready?: (object: DeepReadonly<Stored<T>>, owner: DeepReadonly<Stored<O>>) => boolean;
  /** Reports whether there should be an object; it runs before `desired`, also while the dependent waits. Default: always. */
  readonly reconcileWhen?: (owner: DeepReadonly<Stored<O>>, context: ReconcileContext) => boolean | Promise<boolean>;
  /** The schema of a custom resource, such as `GuestbookSchema.schema`: it saves requests for objects with lists that are merged by keys. */
  readonly schema?: JsonSchema;
}

declare const OBJECT: unique symbol;

/** A dependent of a controller's objects; {@link dependent} creates it. */
export interface Dependent<
  O extends KubernetesObject = KubernetesObject,
  T extends KubernetesObject = KubernetesObject,
> {
  /** The type of the object; it is known to the compiler alone. */
  readonly [OBJECT]?: T;
  /** The kind of the object. */
  readonly kind: KindRef<KubernetesObject>;
  /** The names of the dependents that must be ready before this one is applied. */
  readonly dependsOn: readonly string[];
  /** The schema of a custom resource. */
  readonly schema: JsonSchema | undefined;
  /** Returns the desired fields of the object; undefined if there should be no object. */
  desired(owner: DeepReadonly<Stored<O>>, context: DependentContext): Promise<DesiredFields | undefined>;
  /** Reports whether the object is ready. */
  isReady(object: DeepReadonly<Stored<KubernetesObject>>, owner: DeepReadonly<Stored<O>>): boolean;
  /** Reports whether there should be an object. */
  reconcileWhen(owner: DeepReadonly<Stored<O>>, context: ReconcileContext): Promise<boolean>;
}

/** The types of the objects of dependents, by the names of the dependents. */
export type DependentObjects = Readonly<Record<string, KubernetesObject>>;

/**
 * The dependents of the owners of one kind by their names, which are stored in an annotation of the objects. `E` has the types of the objects.
 */
export type Dependents<O extends KubernetesObject, E extends DependentObjects = DependentObjects> = {
  readonly [N in keyof E]: Dependent<O, E[N]>;
};

/** A dependent with its name. */
export interface NamedDependent<O extends KubernetesObject = KubernetesObject> extends Dependent<O> {
  /** The name of the dependent. */
  readonly name: string;
}

/** Returns dependents with their names, in the given order. */
export function namedDependents<O extends KubernetesObject>(dependents: Dependents<O>): readonly NamedDependent<O>[] {
  return Object.entries(dependents).map(([name, each]) => ({ ...each, name }));
}

/**
 * Describes an object that a controller manages for each of its owners; see {@link ControllerBuilder.dependents}.
 *
 * @example
 * dependent(ConfigMap, { desired: (owner: DeepReadonly<Stored<Guestbook>>) => ({ data: { size: String(owner.spec.size) } }) });
 */
export function dependent<T extends KubernetesObject, O extends KubernetesObject = KubernetesObject>(
  kind: KindRef<T>,
  options: DependentOptions<T, O>,
): Dependent<O, T> {
  const { dependsOn = [], schema, desired, ready = () => true, reconcileWhen = () => true } = options;
  return {
    // Caches serve only reads of kinds with a type.
    kind: kind.create === undefined ? defineKind<T>(kind, kind.kind) : kind,
    dependsOn: [...dependsOn],
    schema,
    desired: async (owner, context) => (await desired(owner, context)) as DesiredFields | undefined,
    isReady: (object, owner) => isObserved(object) && ready(object as DeepReadonly<Stored<T>>, owner),
    reconcileWhen: async (owner, context) => await reconcileWhen(owner, context),
  };
}

// The status of an older generation says nothing about the present one.
function isObserved(object: DeepReadonly<Stored<KubernetesObject>>): boolean {
  const { metadata, status } = object as DeepReadonly<Stored<KubernetesObject>> & {
    readonly status?: { readonly observedGeneration?: unknown };
  };
  const observed = status?.observedGeneration;
  const isOutdated = typeof observed === "number" && observed < (metadata.generation ?? 0);
  return metadata.deletionTimestamp === undefined && !isOutdated;
}
