import { isNotFound } from "@kubescaffold/k8s";
import { gvkOf, objectKey } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { deepEqual } from "@kubescaffold/schema";

import type { Client, KindRef } from "../client/client.ts";
import { mergeFrom } from "../client/patch.ts";
import { ObjectRenamedError } from "./errors.ts";

/** What became of an object. */
export type OperationResult = "unchanged" | "created" | "updated" | "updatedStatus" | "updatedStatusOnly";

/** What became of an object, and the object as the server has it. */
export interface Operation<T extends KubernetesObject> {
  readonly result: OperationResult;
  readonly object: T;
}

/** Brings an object into the wished state: changes the copy that it is given, or returns another object. */
export type Mutate<T extends KubernetesObject> = (object: T) => T | void | Promise<T | void>;

/**
 * Brings an object into the wished state: creates it where there is none, updates it where it differs, else writes nothing.
 *
 * The object says which one; what else it has counts only for creation. Status is not written.
 *
 * Guarantees: `mutate` gets a copy and runs once; a conflict is not repeated but thrown, for the next reconcile to deal with.
 * Fails: {@link ObjectRenamedError} when `mutate` changes name or namespace.
 *
 * @example
 * const { result } = await controllerutil.createOrUpdate(client, deployment, (current) => {
 *   current.spec.replicas = guestbook.spec.size;
 * });
 */
export async function createOrUpdate<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: Mutate<T> = () => undefined,
): Promise<Operation<T>> {
  const existing = await findExisting(client, object);
  if (existing === undefined) {
    return { result: "created", object: await client.create(await mutated(object, mutate)) };
  }
  const wished = await mutated(existing, mutate);
  return deepEqual(existing, wished)
    ? { result: "unchanged", object: existing }
    : { result: "updated", object: await client.update(wished) };
}

/**
 * Brings an object into the wished state like {@link createOrUpdate}, but with merge patches of what differs: one for
 * the object, one for its status.
 *
 * Guarantees: status is not written when the object is created; what others change at the same time stays.
 */
export async function createOrPatch<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: Mutate<T> = () => undefined,
): Promise<Operation<T>> {
  const existing = await findExisting(client, object);
  if (existing === undefined) {
    return { result: "created", object: await client.create(await mutated(object, mutate)) };
  }
  const wished = await mutated(existing, mutate);
  const main = await patchMain(client, { existing, wished });
  return patchStatus(client, { existing, wished, main });
}

interface Change<T> {
  readonly existing: T;
  readonly wished: T;
}

async function patchMain<T extends KubernetesObject>(
  client: Client,
  { existing, wished }: Change<T>,
): Promise<Operation<T>> {
  const status = statusOf(existing);
  const withoutChange = withStatus(wished, status);
  return deepEqual(existing, withoutChange)
    ? { result: "unchanged", object: existing }
    : { result: "updated", object: await client.patch(withoutChange, mergeFrom(existing)) };
}

async function patchStatus<T extends KubernetesObject>(
  client: Client,
  { existing, wished, main }: Change<T> & { readonly main: Operation<T> },
): Promise<Operation<T>> {
  const status = statusOf(wished);
  if (deepEqual(statusOf(existing), status)) {
    return main;
  }
  const object = await client.status().patch(withStatus(existing, status), mergeFrom(existing));
  return { result: main.result === "updated" ? "updatedStatus" : "updatedStatusOnly", object };
}

async function findExisting<T extends KubernetesObject>(client: Client, object: T): Promise<T | undefined> {
  // With the creator of a kind a read goes to the cache, as reads of typed objects do.
  const kind: KindRef<T> = { ...gvkOf(object), create: () => object };
  try {
    return await client.get(kind, objectKey(object));
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}

async function mutated<T extends KubernetesObject>(object: T, mutate: Mutate<T>): Promise<T> {
  const copy = structuredClone(object);
  const wished = (await mutate(copy)) ?? copy;
  const [before, after] = [objectKey(object), objectKey(wished)];
  if (before.name !== after.name || before.namespace !== after.namespace) {
    throw new ObjectRenamedError(object, wished);
  }
  return wished;
}

function statusOf(object: KubernetesObject): unknown {
  return (object as { readonly status?: unknown }).status;
}

function withStatus<T extends KubernetesObject>(object: T, status: unknown): T {
  const { status: _status, ...rest } = object as T & { readonly status?: unknown };
  return (status === undefined ? rest : { ...rest, status }) as T;
}
