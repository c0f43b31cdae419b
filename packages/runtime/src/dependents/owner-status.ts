import {
  type DeepReadonly,
  findCondition,
  isConflict,
  isInstance,
  messageOf,
  type NewCondition,
  setCondition,
} from "@kubescaffold/k8s";
import type { Condition, KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import type { Client } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import { mergeFrom } from "../client/patch.ts";
import { deepEqual } from "../client/semantic.ts";
import type { ReconcileContext } from "../reconcile/reconcile.ts";
import type { DependentObjects } from "./dependent.ts";
import { OwnerWithoutConditionsError } from "./errors.ts";

/** The status of the objects of a kind. */
export type OwnerStatus<O> = O extends { status?: infer S } ? NonNullable<S> : never;

/** Fields of a status to write; undefined removes a field. */
export type StatusFields<O> = { [K in keyof OwnerStatus<O>]?: OwnerStatus<O>[K] | undefined };

/** The state of a dependent after a reconcile. */
export interface DependentState<T extends KubernetesObject = KubernetesObject> {
  /** The state; a dependent that waits was not applied. */
  readonly state: "ready" | "notReady" | "waiting" | "notDesired";
  /** The object; undefined if there is none, or if it is not desired. The object of a dependent that waits may be outdated. */
  readonly object: DeepReadonly<Stored<T>> | undefined;
}

/** The states of dependents by their names; `E` has the types of their objects. */
export type DependentStates<E extends DependentObjects> = { readonly [N in keyof E]: DependentState<E[N]> };

/** The state of a dependent, with its name and the dependents that it waits for. */
export interface AnyState extends DependentState {
  readonly name: string;
  readonly waitsFor: readonly string[];
}

/** Writes the status of owners, if it changed. */
export class OwnerStatusWriter<O extends KubernetesObject> {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #hasCondition: boolean;

  constructor(options: { readonly client: Client; readonly clock: Clock; readonly readyCondition: boolean }) {
    this.#client = options.client;
    this.#clock = options.clock;
    this.#hasCondition = options.readyCondition;
  }

  /** Writes fields and the condition. Fails: {@link OwnerWithoutConditionsError}; `isConflict` when the owner has changed. */
  async write(owner: DeepReadonly<Stored<O>>, fields: object, states: readonly AnyState[]): Promise<void> {
    await this.#write(owner, fields, readinessOf(states));
  }

  /** Writes the condition after a failure that retries may not fix; a failure to do so is only logged. */
  async writeFailure(owner: DeepReadonly<Stored<O>>, error: unknown, { signal, log }: ReconcileContext): Promise<void> {
    if (signal.aborted || isConflict(error) || isInstance(error, OwnerWithoutConditionsError)) {
      return;
    }
    try {
      await this.#write(
        owner,
        {},
        { status: "False", reason: "ReconcileFailed", message: shortened(messageOf(error)) },
      );
    } catch (failure) {
      log.error(failure, "cannot write the condition Ready");
    }
  }

  async #write(owner: DeepReadonly<Stored<O>>, fields: object, readiness: Readiness): Promise<void> {
    const before = statusOf(owner);
    const stated = { ...before, ...fields };
    const after = defined(this.#hasCondition ? this.#withCondition(stated, owner, readiness) : stated);
    if (deepEqual(before, after)) {
      return;
    }
    const patch = mergeFrom(owner, { optimisticLock: true });
    const stored = await this.#client.status().patch({ ...(owner as ReadonlyObject), status: after }, patch);
    if (this.#hasCondition && findCondition(statusOf(stored).conditions, READY) === undefined) {
      throw new OwnerWithoutConditionsError(owner.kind);
    }
  }

  #withCondition(status: StatusWithConditions, { metadata }: DeepReadonly<Stored<O>>, readiness: Readiness): object {
    const condition = { type: READY, ...readiness, observedGeneration: metadata.generation };
    const { conditions } = setCondition(status.conditions, condition, this.#clock.now());
    return { ...status, conditions };
  }
}

const READY = "Ready";

type Readiness = Pick<NewCondition, "status" | "reason" | "message">;

interface StatusWithConditions {
  readonly conditions?: readonly Condition[];
}

function statusOf(object: object): StatusWithConditions {
  return (object as { readonly status?: StatusWithConditions }).status ?? {};
}

function readinessOf(states: readonly AnyState[]): Readiness {
  const unready = states.filter(({ state }) => state === "notReady" || state === "waiting");
  if (unready.length === 0) {
    return { status: "True", reason: "DependentsReady", message: "all dependents are ready" };
  }
  const described = unready.map(({ name, waitsFor }) =>
    waitsFor.length === 0 ? `${name} is not ready` : `${name} waits for ${waitsFor.join(" and ")}`,
  );
  return { status: "False", reason: "DependentsNotReady", message: described.join("; ") };
}

// The API server limits the message of a condition.
const LONGEST_MESSAGE = 32_768;

function shortened(message: string): string {
  return message.slice(0, LONGEST_MESSAGE);
}

/** Returns an object without its undefined fields. */
function defined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
