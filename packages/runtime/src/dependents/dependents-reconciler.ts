import { type DeepReadonly, ignoreNotFound, objectKey } from "@kubescaffold/k8s";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { type Clock, realClock } from "@kubescaffold/platform/clock";

import type { Client, KindRef } from "../client/client.ts";
import type { ListOptions } from "../client/options.ts";
import type { Stored } from "../client/partial-object.ts";
import type { ReconcileContext, Reconciler, Request } from "../reconcile/reconcile.ts";
import { AppliedConfigurations } from "./applied-already.ts";
import { applyDependent } from "./apply-dependent.ts";
import { type DependentOrder, orderDependents } from "./dependent-order.ts";
import {
  type DependentContext,
  type DependentObjects,
  type Dependents,
  type NamedDependent,
  namedDependents,
} from "./dependent.ts";
import { DependentNameError } from "./errors.ts";
import { deleteObsolete, findWritten, type WrittenObjects } from "./obsolete-objects.ts";
import { type AnyState, type DependentStates, OwnerStatusWriter, type StatusFields } from "./owner-status.ts";

/** Options of a controller with dependents. */
export interface DependentsOptions<O extends KubernetesObject, E extends DependentObjects> {
  /**
   * Returns the fields of the owner's status, except the condition `Ready`; fields that are not returned stay, and undefined removes a field. Default: only
   * the condition is written.
   */
  status?(owner: DeepReadonly<Stored<O>>, dependents: DependentStates<E>): StatusFields<O> | Promise<StatusFields<O>>;
  /** Whether the condition `Ready` is written to the owner's status. Default: true. */
  readonly readyCondition?: boolean;
  /** The field manager of the dependents. Default: the name of the controller. */
  readonly fieldOwner?: string;
}

/** Options of {@link dependentsReconciler}. */
export interface DependentsReconcilerOptions<
  O extends KubernetesObject,
  E extends DependentObjects,
> extends DependentsOptions<O, E> {
  /** Reads and writes the owners and their dependents. */
  readonly client: Client;
  /** The kind of the owners. */
  readonly kind: KindRef<O>;
  /** The dependents by their names. */
  readonly dependents: Dependents<O, E>;
  /** The field manager of the dependents. */
  readonly fieldOwner: string;
  /** The clock of the condition. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
}

/**
 * Creates the reconciler of a controller with dependents, for unit tests and for reconcilers that do more; see {@link ControllerBuilder.dependents}, which
 * also watches the dependents.
 *
 * Without indexes, it lists the objects of each kind in the owner's namespace.
 *
 * Fails: {@link DependentNameError}, {@link DependentCycleError}.
 */
export function dependentsReconciler<O extends KubernetesObject, E extends DependentObjects>(
  options: DependentsReconcilerOptions<O, E>,
): Reconciler {
  return new DependentsReconciler(options, () => ({}));
}

/** Returns the options of a list that contains at least the objects that an owner controls. */
export type ControlledSelection = (owner: ReadonlyObject) => ListOptions;

/** Reconciles the dependents of owners. */
export class DependentsReconciler<O extends KubernetesObject, E extends DependentObjects> implements Reconciler {
  readonly #options: DependentsReconcilerOptions<O, E>;
  readonly #selection: ControlledSelection;
  readonly #order: DependentOrder<NamedDependent<O>>;
  readonly #applied = new AppliedConfigurations();
  readonly #status: OwnerStatusWriter<O>;

  constructor(options: DependentsReconcilerOptions<O, E>, selection: ControlledSelection) {
    const { client, clock = realClock, readyCondition = true, dependents } = options;
    this.#options = options;
    this.#selection = selection;
    this.#order = orderDependents(namedDependents<O>(dependents));
    this.#status = new OwnerStatusWriter({ client, clock, readyCondition });
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<void> {
    const { client, kind } = this.#options;
    const owner = await ignoreNotFound(client.get<O>(kind, request));
    if (owner === undefined || owner.metadata.deletionTimestamp !== undefined) {
      // Garbage collection deletes the dependents.
      this.#applied.forget(keyOf(request));
      return;
    }
    try {
      const written = await this.#findWritten(owner);
      const states = await this.#applyAll(owner, written, context);
      await this.#deleteObsolete(owner, written, states);
      const given = Object.fromEntries([...states].map(([name, { state, object }]) => [name, { state, object }]));
      const status = await this.#options.status?.(owner, given as unknown as DependentStates<E>);
      await this.#status.write(owner, status ?? {}, [...states.values()]);
    } catch (error) {
      await this.#status.writeFailure(owner, error, context);
      throw error;
    }
  }

  async #applyAll(
    owner: DeepReadonly<Stored<O>>,
    written: WrittenObjects,
    context: ReconcileContext,
  ): Promise<ReadonlyMap<string, AnyState>> {
    const states = new Map<string, AnyState>();
    const taken = new Map<string, string>();
    for (const dependent of this.#order.dependents) {
      const { name, dependsOn } = dependent;
      const waitsFor = dependsOn.filter((other) => ["notReady", "waiting"].includes(states.get(other)?.state ?? ""));
      const isNeeded = await dependent.reconcileWhen(owner, context);
      if (!isNeeded) {
        states.set(name, { name, waitsFor: [], state: "notDesired", object: undefined });
        continue;
      }
      if (waitsFor.length > 0) {
        states.set(name, { name, waitsFor, state: "waiting", object: written.get(name)?.at(-1)?.object });
        continue;
      }
      const fields = await dependent.desired(owner, this.#contextOf(dependent, states, context));
      const object =
        fields === undefined
          ? undefined
          : await applyDependent(
              { ...this.#options, dependent, owner, fields },
              { taken, applied: this.#applied, request: keyOf(objectKey(owner)) },
            );
      states.set(name, { name, waitsFor, state: stateOf(dependent, object, owner), object });
    }
    return states;
  }

  #contextOf(
    { name }: NamedDependent<O>,
    states: ReadonlyMap<string, AnyState>,
    context: ReconcileContext,
  ): DependentContext {
    const dependencies = this.#order.dependencies.get(name);
    return {
      ...context,
      get: <T extends KubernetesObject>({ kind }: KindRef<T>, other: string) => {
        const found = this.#order.dependents.find((each) => each.name === other);
        if (dependencies?.has(other) !== true || found?.kind.kind !== kind) {
          throw new DependentNameError(
            `the dependent ${name} reads the ${kind} of ${other}, on which it does not depend`,
            `add the name of a ${kind} to dependsOn`,
          );
        }
        return states.get(other)?.object as DeepReadonly<Stored<T>> | undefined;
      },
    };
  }

  async #findWritten(owner: DeepReadonly<Stored<O>>): Promise<WrittenObjects> {
    const { client, fieldOwner } = this.#options;
    const { metadata }: DeepReadonly<Stored<KubernetesObject>> = owner;
    const { namespace, uid: ownerUid } = metadata;
    const scope = namespace === undefined ? {} : { namespace };
    // Waiting for the writes to all objects of the kind would slow down other workers.
    const options = { ...scope, ...this.#selection(owner), disableReadYourWrites: true };
    const kinds = this.#order.dependents.map(({ kind }) => kind);
    return await findWritten(
      { fieldOwner, ownerUid },
      kinds,
      async (kind) => (await client.list<KubernetesObject>(kind, options)).items,
    );
  }

  async #deleteObsolete(
    owner: DeepReadonly<Stored<O>>,
    written: WrittenObjects,
    states: ReadonlyMap<string, AnyState>,
  ): Promise<void> {
    const { client, fieldOwner } = this.#options;
    await deleteObsolete({
      client,
      fieldOwner,
      order: this.#order,
      dependents: this.#order.dependents.map(({ name, dependsOn, kind }) => {
        const found = states.get(name);
        return { name, dependsOn, kind, isWaiting: found?.state === "waiting", uid: found?.object?.metadata.uid };
      }),
      ownerUid: owner.metadata.uid,
      written,
    });
  }
}

function stateOf<O extends KubernetesObject>(
  dependent: NamedDependent<O>,
  object: DeepReadonly<Stored<KubernetesObject>> | undefined,
  owner: DeepReadonly<Stored<O>>,
): AnyState["state"] {
  if (object === undefined) {
    return "notDesired";
  }
  return dependent.isReady(object, owner) ? "ready" : "notReady";
}

function keyOf({ namespace, name }: Request): string {
  return `${namespace}/${name}`;
}
