import { deepFreeze, StatusError } from "@kubescaffold/k8s";
import { applyDefaults, prune, type JsonSchema } from "@kubescaffold/schema/values";

import type { ApiObject } from "../../storage/api-object.ts";
import type { Strategy } from "../strategy.ts";
import { readEach, UndecodableObjectsError } from "../undecodable-objects.ts";
import type { ConvertObjects } from "./convert-objects.ts";

/** One version of a resource whose objects a webhook converts. */
interface ConvertedVersion {
  readonly convert: ConvertObjects;
  /** The schemas of all versions. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly apiVersion: string;
  readonly storedApiVersion: string;
  /** Whether a failure names the objects that cannot be read. */
  readonly namesObjects: boolean;
}

/** Objects in the version of a request and in the one that is stored, asked for ahead of their use. */
export interface ConvertedViews extends Required<Pick<Strategy, "prepareRead" | "prepareWrite">> {
  /** Returns a stored object of another version as the webhook has converted it. */
  readonly read: (stored: ApiObject) => ApiObject;
  /** Returns an object as the webhook has converted it for the store. */
  readonly stored: (object: ApiObject) => ApiObject;
}

/** Keeps what a webhook has converted for one version, for as long as the objects live. */
export function createConvertedViews(version: ConvertedVersion): ConvertedViews {
  const { apiVersion, storedApiVersion } = version;
  const views = new WeakMap<ApiObject, ApiObject>();
  const pending = new WeakMap<ApiObject, Promise<void>>();
  const writes = new WeakMap<ApiObject, ApiObject>();
  return {
    prepareRead: (stored, { reuses }) => {
      const wanted = stored.filter((object) => object.apiVersion !== apiVersion && !(reuses && views.has(object)));
      if (wanted.length === 0) return undefined;
      const asked = wanted.filter((object) => !(reuses && pending.has(object)));
      const others = wanted.filter((object) => reuses && pending.has(object));
      const own = asked.length === 0 ? undefined : load({ version, objects: asked, views });
      const shared = Promise.all(others.flatMap((object) => pending.get(object) ?? []));
      if (own !== undefined) asked.forEach((object) => pending.set(object, own));
      return Promise.all([
        own?.finally(() => forget(pending, asked, own)),
        // An object of the other request may be the reason for a failure.
        shared.catch(() => load({ version, objects: others.filter((object) => !views.has(object)), views })),
      ]).then(() => undefined);
    },
    prepareWrite: (object) =>
      object.apiVersion === storedApiVersion ? undefined : loadStored({ version, object, writes }),
    read: (stored) => known(views, stored),
    stored: (object) => known(writes, object),
  };
}

function forget(
  pending: WeakMap<ApiObject, Promise<void>>,
  objects: readonly ApiObject[],
  promise: Promise<void>,
): void {
  for (const object of objects) if (pending.get(object) === promise) pending.delete(object);
}

async function load(input: {
  readonly version: ConvertedVersion;
  readonly objects: readonly ApiObject[];
  readonly views: WeakMap<ApiObject, ApiObject>;
}): Promise<void> {
  const { version, objects, views } = input;
  if (objects.length === 0) return;
  const complete = objects.map((object) => {
    const schema = version.schemas.get(object.apiVersion ?? "");
    return schema === undefined ? object : applyDefaults(schema, prune(schema, object as never).value);
  });
  try {
    const converted = await version.convert(complete, version.apiVersion);
    objects.forEach((object, index) => {
      views.set(object, deepFreeze(pruned(version, converted[index] as ApiObject)));
    });
  } catch (error) {
    if (!version.namesObjects || !(error instanceof StatusError)) throw error;
    const [object] = objects;
    if (objects.length === 1 && object !== undefined) throw failureOf(object, error);
    await readEach(objects, async (each) => load({ version, objects: [each], views }));
  }
}

// The object of a dry run is not read from the store.
function failureOf(object: ApiObject, error: StatusError): StatusError {
  const { resourceVersion } = object.metadata;
  if (resourceVersion === undefined) return error;
  return new UndecodableObjectsError({ object, problem: error.status.message ?? "" });
}

async function loadStored(input: {
  readonly version: ConvertedVersion;
  readonly object: ApiObject;
  readonly writes: WeakMap<ApiObject, ApiObject>;
}): Promise<void> {
  const { version, object, writes } = input;
  const [converted] = await version.convert([object], version.storedApiVersion);
  writes.set(object, pruned(version, converted as ApiObject));
}

function pruned({ schemas }: ConvertedVersion, object: ApiObject): ApiObject {
  const schema = schemas.get(object.apiVersion ?? "");
  return schema === undefined ? object : prune(schema, object as never).value;
}

function known(views: WeakMap<ApiObject, ApiObject>, object: ApiObject): ApiObject {
  const view = views.get(object);
  if (view === undefined) {
    throw new TypeError("cannot read an object before it is converted");
  }
  return view;
}
