import {
  deepClone,
  type DeepReadonly,
  type FieldsOf,
  gvkOf,
  isNotFound,
  objectKey,
  parseApiVersion,
} from "@kubescaffold/k8s";
import type { KubernetesObject, OwnerReference, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { untilAborted } from "@kubescaffold/platform/clock";

import type { Client, KindRef } from "../client/client.ts";
import type { CallOptions } from "../client/options.ts";
import type { Stored } from "../client/partial-object.ts";
import { mergeFrom } from "../client/patch.ts";
import { signalOf } from "../client/requests.ts";
import { deepEqual, type SemanticOptions } from "../client/semantic.ts";
import { isSameVersion } from "../client/write-results.ts";
import { AlreadyOwnedError, InvalidOwnerError, NotOwnedError, ObjectRenamedError } from "./errors.ts";

/**
 * The outcome of {@link createOrUpdate} and {@link createOrPatch}.
 *
 * controller-runtime: pkg/controller/controllerutil.OperationResult
 */
export type OperationResult = "unchanged" | "created" | "updated" | "updatedStatus" | "updatedStatusOnly";

/** The outcome of an operation, and the stored object. */
export interface Operation<T extends KubernetesObject> {
  /** The outcome. */
  readonly result: OperationResult;
  /** The object as the server stored it; if it is unchanged, that of the cache. */
  readonly object: DeepReadonly<Stored<T>>;
}

/**
 * Changes the copy of the object to the desired state, or returns another object.
 *
 * controller-runtime: pkg/controller/controllerutil.MutateFn
 */
export type Mutate<T extends KubernetesObject> = (object: T) => Mutated<T> | void | Promise<Mutated<T> | void>;

/** An object that {@link Mutate} returns: its parts may be those of objects from a cache. */
export type Mutated<T extends KubernetesObject> = T | FieldsOf<T>;

// TypeScript passes the type of an object on to the arguments of a generic call in the callback, such as setControllerReference, only if the callback returns
// nothing else: literals such as "Never" would be strings.
type ReturningMutate<T extends KubernetesObject> = (object: T) => T;
type ReturningFields<T extends KubernetesObject> = (object: T) => FieldsOf<T>;

/** Options of {@link createOrUpdate} and {@link createOrPatch}: the call, and the schema of a custom resource. */
export interface CreateOrUpdateOptions extends CallOptions, SemanticOptions {}

/**
 * Drives an object toward the desired state: creates it if it does not exist, updates it if it differs, and otherwise writes nothing.
 *
 * The name and namespace of the object identify it; its other fields are only used to create it. The status is not written.
 *
 * Guarantees: `mutate` receives a copy and runs once; an object that differs only in notation, such as `1000m` and `1`, is not written, as
 * `semantic.deepEqual` defines; an update after which the server stores what it stored before is `unchanged`, and the fields that the server set otherwise are logged once for each kind; a conflict is thrown, not retried, so that the next reconcile handles it; the signal of `options`, or of the reconcile, ends all calls and the wait for `mutate`.
 * Fails: {@link ObjectRenamedError} when `mutate` changes the name or namespace.
 *
 * controller-runtime: pkg/controller/controllerutil.CreateOrUpdate
 *
 * @example
 * const { result } = await controllerutil.createOrUpdate(client, deployment, (current) => {
 *   current.spec.replicas = guestbook.spec.size;
 * });
 */
export function createOrUpdate<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: ReturningMutate<T>,
  options?: CreateOrUpdateOptions,
): Promise<Operation<T>>;
export function createOrUpdate<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: ReturningFields<T>,
  options?: CreateOrUpdateOptions,
): Promise<Operation<T>>;
export function createOrUpdate<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate?: Mutate<T>,
  options?: CreateOrUpdateOptions,
): Promise<Operation<T>>;
export async function createOrUpdate<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: Mutate<T> = () => undefined,
  options: CreateOrUpdateOptions = {},
): Promise<Operation<T>> {
  const call = signalOf(options);
  const existing = await findExisting(client, object, call);
  if (existing === undefined) {
    return { result: "created", object: asReadonly(await client.create(await mutated(object, mutate, call), call)) };
  }
  const wished = await mutated(existing, mutate, call);
  if (deepEqual(existing, wished, options)) return { result: "unchanged", object: existing };
  const stored = asReadonly(await client.update(wished, call));
  const isUnchanged = isSameVersion(existing, stored);
  return { result: isUnchanged ? "unchanged" : "updated", object: stored };
}

/**
 * Drives an object toward the desired state like {@link createOrUpdate}, but with merge patches: one for
 * the object, one for its status.
 *
 * Guarantees: the status is not written when the object is created; concurrent changes of other fields are preserved.
 *
 * controller-runtime: pkg/controller/controllerutil.CreateOrPatch
 */
export function createOrPatch<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: ReturningMutate<T>,
  options?: CreateOrUpdateOptions,
): Promise<Operation<T>>;
export function createOrPatch<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: ReturningFields<T>,
  options?: CreateOrUpdateOptions,
): Promise<Operation<T>>;
export function createOrPatch<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate?: Mutate<T>,
  options?: CreateOrUpdateOptions,
): Promise<Operation<T>>;
export async function createOrPatch<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: Mutate<T> = () => undefined,
  options: CreateOrUpdateOptions = {},
): Promise<Operation<T>> {
  const call = signalOf(options);
  const existing = await findExisting(client, object, call);
  if (existing === undefined) {
    return { result: "created", object: asReadonly(await client.create(await mutated(object, mutate, call), call)) };
  }
  const wished = await mutated(existing, mutate, call);
  const main = await patchMain(client, { existing, wished, options, call });
  return patchStatus(client, { existing, wished, options, call, main });
}

interface Change<T extends KubernetesObject> {
  readonly existing: DeepReadonly<Stored<T>>;
  readonly wished: T;
  readonly options: SemanticOptions;
  readonly call: CallOptions;
}

async function patchMain<T extends KubernetesObject>(
  client: Client,
  { existing, wished, options, call }: Change<T>,
): Promise<Operation<T>> {
  const status = statusOf(existing);
  const withoutChange = withStatus(wished, status);
  if (deepEqual(existing, withoutChange, options)) return { result: "unchanged", object: existing };
  const object = asReadonly(await client.patch(withoutChange, mergeFrom(existing), call));
  const isUnchanged = isSameVersion(existing, object);
  return { result: isUnchanged ? "unchanged" : "updated", object };
}

async function patchStatus<T extends KubernetesObject>(
  client: Client,
  { existing, wished, options, call, main }: Change<T> & { readonly main: Operation<T> },
): Promise<Operation<T>> {
  const changed = withStatus(existing, statusOf(wished));
  if (deepEqual(existing, changed, options)) {
    return main;
  }
  const object = await client.status().patch(changed, mergeFrom(existing), call);
  if (isSameVersion(main.object, object)) return { ...main, object };
  return { result: main.result === "updated" ? "updatedStatus" : "updatedStatusOnly", object };
}

async function findExisting<T extends KubernetesObject>(
  client: Client,
  object: T,
  call: CallOptions,
): Promise<DeepReadonly<Stored<T>> | undefined> {
  // With `create` the kind counts as typed, so that the cache serves the read.
  const kind: KindRef<T> = { ...gvkOf(object), create: () => object };
  try {
    return await client.get(kind, objectKey(object), call);
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}

async function mutated<T extends KubernetesObject>(
  object: T | DeepReadonly<Stored<T>>,
  mutate: Mutate<T>,
  call: CallOptions,
): Promise<T> {
  const copy = deepClone(object) as T;
  const wished = ((await untilAborted(Promise.resolve(mutate(copy)), call.signal)) ?? copy) as T;
  const [before, after] = [objectKey(object), objectKey(wished)];
  if (before.name !== after.name || before.namespace !== after.namespace) {
    throw new ObjectRenamedError(object, wished);
  }
  return wished;
}

/** Returns an object that the server sent, as one that must not be changed. */
function asReadonly<T extends KubernetesObject>(object: Stored<T>): DeepReadonly<Stored<T>> {
  return object as DeepReadonly<Stored<T>>;
}

function statusOf(object: ReadonlyObject): unknown {
  return (object as { readonly status?: unknown }).status;
}

function withStatus<T extends ReadonlyObject>(object: T, status: unknown): T {
  const { status: _status, ...rest } = object as T & { readonly status?: unknown };
  return (status === undefined ? rest : { ...rest, status }) as T;
}

/**
 * Reports whether an object has a finalizer.
 *
 * controller-runtime: pkg/controller/controllerutil.ContainsFinalizer
 */
export function containsFinalizer(object: ReadonlyObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * Returns the object with a finalizer; the same object if it has the finalizer already.
 *
 * controller-runtime: pkg/controller/controllerutil.AddFinalizer
 */
export function addFinalizer<T extends ReadonlyObject>(object: T, finalizer: string): T {
  return containsFinalizer(object, finalizer)
    ? object
    : withFinalizers(object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/**
 * Returns the object without a finalizer; the same object if it does not have the finalizer.
 *
 * controller-runtime: pkg/controller/controllerutil.RemoveFinalizer
 */
export function removeFinalizer<T extends ReadonlyObject>(object: T, finalizer: string): T {
  return containsFinalizer(object, finalizer)
    ? withFinalizers(object, object.metadata.finalizers?.filter((each) => each !== finalizer) ?? [])
    : object;
}

function withFinalizers<T extends ReadonlyObject>(object: T, finalizers: string[]): T {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

/** Options of owner references. */
export interface OwnerReferenceOptions {
  /** Whether a foreground deletion of the owner waits for the object. Default: true for controllers, otherwise not set. */
  readonly blockOwnerDeletion?: boolean;
}

/**
 * Returns the object with the owner as its controller: it is deleted with the owner, and its changes reconcile the owner.
 *
 * Guarantees: the arguments are not changed; a reference to the same owner, in any version, is replaced.
 * Fails: {@link AlreadyOwnedError} when another object controls it; {@link InvalidOwnerError} across namespaces.
 *
 * controller-runtime: pkg/controller/controllerutil.SetControllerReference
 *
 * @example
 * const owned = controllerutil.setControllerReference(guestbook, deployment);
 */
export function setControllerReference<T extends ReadonlyObject>(
  owner: ReadonlyObject,
  object: T,
  options: OwnerReferenceOptions = {},
): T {
  requireValidOwner(owner, object);
  const reference = { ...newControllerRef(owner), blockOwnerDeletion: options.blockOwnerDeletion ?? true };
  const existing = getControllerOf(object);
  if (existing !== undefined && !isSameOwner(existing, reference)) {
    throw new AlreadyOwnedError(object, existing);
  }
  return withReference(object, reference);
}

/**
 * Returns the object with an additional owner that is not its controller.
 *
 * Fails: {@link InvalidOwnerError} across namespaces.
 *
 * controller-runtime: pkg/controller/controllerutil.SetOwnerReference
 */
export function setOwnerReference<T extends ReadonlyObject>(
  owner: ReadonlyObject,
  object: T,
  { blockOwnerDeletion }: OwnerReferenceOptions = {},
): T {
  requireValidOwner(owner, object);
  const reference = ownerReferenceTo(owner);
  return withReference(object, blockOwnerDeletion === undefined ? reference : { ...reference, blockOwnerDeletion });
}

/**
 * Returns the object without an owner. Fails: {@link NotOwnedError} when it does not have that owner.
 *
 * controller-runtime: pkg/controller/controllerutil.RemoveOwnerReference
 */
export function removeOwnerReference<T extends ReadonlyObject>(owner: ReadonlyObject, object: T): T {
  if (!hasOwnerReference(owner, object)) {
    throw new NotOwnedError({ owner, object }, "an owner");
  }
  return withoutReference(owner, object);
}

/**
 * Returns the object without its controller. Fails: {@link NotOwnedError} when the owner is not its controller.
 *
 * controller-runtime: pkg/controller/controllerutil.RemoveControllerReference
 */
export function removeControllerReference<T extends ReadonlyObject>(owner: ReadonlyObject, object: T): T {
  const reference = referencesOf(object).find((each) => isSameOwner(each, ownerReferenceTo(owner)));
  if (reference?.controller !== true) {
    throw new NotOwnedError({ owner, object }, "the controller");
  }
  return withoutReference(owner, object);
}

/**
 * Reports whether an object has a controller.
 *
 * controller-runtime: pkg/controller/controllerutil.HasControllerReference
 */
export function hasControllerReference(object: ReadonlyObject): boolean {
  return getControllerOf(object) !== undefined;
}

/**
 * Returns the reference to the controller of an object; undefined without one.
 *
 * apimachinery: pkg/apis/meta/v1.GetControllerOf
 */
export function getControllerOf(object: ReadonlyObject): OwnerReference | undefined {
  return referencesOf(object).find(({ controller }) => controller === true);
}

/**
 * Reports whether the controller of an object is this owner and no former one of its name: they are compared by UID.
 *
 * apimachinery: pkg/apis/meta/v1.IsControlledBy
 */
export function isControlledBy(object: ReadonlyObject, owner: ReadonlyObject): boolean {
  const { uid = "" } = owner.metadata;
  return uid !== "" && getControllerOf(object)?.uid === uid;
}

/**
 * Returns a reference to a controller, as {@link setControllerReference} sets it.
 *
 * apimachinery: pkg/apis/meta/v1.NewControllerRef
 */
export function newControllerRef(owner: ReadonlyObject): OwnerReference {
  return { ...ownerReferenceTo(owner), controller: true, blockOwnerDeletion: true };
}

/**
 * Reports whether an object has an owner, compared by group, kind, and name.
 *
 * controller-runtime: pkg/controller/controllerutil.HasOwnerReference
 */
export function hasOwnerReference(owner: ReadonlyObject, object: ReadonlyObject): boolean {
  return referencesOf(object).some((reference) => isSameOwner(reference, ownerReferenceTo(owner)));
}

function requireValidOwner(owner: ReadonlyObject, object: ReadonlyObject): void {
  const [ownerNamespace, namespace] = [owner, object].map((each) => each.metadata.namespace ?? "");
  if (ownerNamespace === "" || ownerNamespace === namespace) {
    return;
  }
  const reason =
    namespace === ""
      ? "a cluster-scoped object cannot have a namespaced owner"
      : "the owner must be in the same namespace";
  throw new InvalidOwnerError({ owner, object }, reason);
}

function ownerReferenceTo({ apiVersion, kind, metadata }: ReadonlyObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "" };
}

function referencesOf({ metadata }: ReadonlyObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

function isSameOwner(left: OwnerReference, right: OwnerReference): boolean {
  const isSameGroup = parseApiVersion(left.apiVersion).group === parseApiVersion(right.apiVersion).group;
  return isSameGroup && left.kind === right.kind && left.name === right.name;
}

function withReference<T extends ReadonlyObject>(object: T, reference: OwnerReference): T {
  const references = referencesOf(object);
  const isKnown = references.some((each) => isSameOwner(each, reference));
  const ownerReferences = isKnown
    ? references.map((each) => (isSameOwner(each, reference) ? reference : each))
    : [...references, reference];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function withoutReference<T extends ReadonlyObject>(owner: ReadonlyObject, object: T): T {
  const ownerReferences = referencesOf(object).filter((each) => !isSameOwner(each, ownerReferenceTo(owner)));
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}
