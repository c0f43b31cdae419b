import { groupResourceToString, StatusError } from "@kubescaffold/k8s";
import type { StatusCause } from "@kubescaffold/k8s/meta/v1";

import { failure, internalError, plainError } from "../request/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { groupResourceOf, type ResourceType } from "./registry.ts";

/** A stored object that cannot be read in the version of a request, and why. */
interface UndecodableObject {
  readonly object: ApiObject;
  readonly problem: string;
}

/** Lists name no more objects that cannot be read. */
const MOST_FAILURES = 100;
/** Where etcd has the objects of a cluster. */
const PREFIX = "/registry";

/** The failure of a request that reads objects of the store, some of which cannot be converted. Writes answer with it as it is. */
export class UndecodableObjectsError extends StatusError {
  readonly objects: readonly UndecodableObject[];

  constructor(first: UndecodableObject, others: readonly UndecodableObject[] = []) {
    super(plainError(messageOf(first)).status);
    this.objects = [first, ...others].slice(0, MOST_FAILURES);
  }

  /** Whether there may be further objects, which are not named. */
  get isFull(): boolean {
    return this.objects.length >= MOST_FAILURES;
  }
}

/** Returns the view of an object for a request that reads or deletes it alone; a failure names the place of the object. */
export function placedView(type: ResourceType, view: ApiObject | Promise<ApiObject>): ApiObject | Promise<ApiObject> {
  if (!(view instanceof Promise)) return view;
  return view.catch((error: unknown) => {
    const [first] = error instanceof UndecodableObjectsError ? error.objects : [];
    throw first === undefined ? error : internalError(corruptionOf(first, placeOf(type, first)));
  });
}

/** Returns the failure of a list for what failed when its objects were read. */
export function listFailure(type: ResourceType, error: unknown): unknown {
  if (!(error instanceof UndecodableObjectsError)) return error;
  const { group, resource } = groupResourceOf(type);
  const causes = error.objects.map((each): StatusCause => {
    const field = `${PREFIX}${placeOf(type, each)}`;
    return { reason: "UnexpectedServerResponse", message: corruptionOf(each, field), field };
  });
  const tooMany: StatusCause = { reason: "FieldValueTooMany", message: "too many errors, the list is truncated" };
  const others = causes.length === 1 ? "" : ` (and ${String(causes.length - 1)} more)`;
  return failure({
    code: 500,
    reason: "StorageReadError",
    message: `failed to read one or more ${groupResourceToString({ group, resource })} from the storage: ${causes[0]?.message ?? ""}${others}`,
    details: { name: "list", group, kind: resource, causes: error.isFull ? [...causes, tooMany] : causes },
  });
}

/** Reads objects one by one, and fails with those that cannot be read. */
export async function readEach(
  objects: readonly ApiObject[],
  read: (object: ApiObject) => Promise<void>,
): Promise<void> {
  const failures: UndecodableObject[] = [];
  for (let start = 0; start < objects.length && failures.length < MOST_FAILURES; start += MOST_FAILURES) {
    const results = await Promise.allSettled(objects.slice(start, start + MOST_FAILURES).map(read));
    for (const result of results) {
      if (result.status === "fulfilled") continue;
      if (!(result.reason instanceof UndecodableObjectsError)) throw result.reason;
      failures.push(...result.reason.objects);
    }
  }
  const [first, ...others] = failures;
  if (first !== undefined) throw new UndecodableObjectsError(first, others);
}

function corruptionOf(object: UndecodableObject, key: string): string {
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${messageOf(object)}`;
}

function messageOf({ object, problem }: UndecodableObject): string {
  return `object not decodable revision=${object.metadata.resourceVersion ?? "0"}: ${problem}`;
}

function placeOf(type: ResourceType, { object }: UndecodableObject): string {
  const { group, resource } = groupResourceOf(type);
  const { namespace = "", name = "" } = object.metadata;
  return ["", group, resource, namespace, name].filter((part, index) => index === 0 || part !== "").join("/");
}
