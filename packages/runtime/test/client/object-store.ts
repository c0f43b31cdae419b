import type { JSONValue } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { applyJsonMergePatch, deepEqual } from "@kubescaffold/schema";

import { failure, type FakeAnswer, type SeenRequest } from "./fake-api.ts";

type StoredObject = KubernetesObject & { readonly status?: unknown };

/** Objects by path, with the versions, conflicts and status isolation of a server. */
export interface ObjectStore {
  readonly answer: FakeAnswer;
  readonly objects: Map<string, StoredObject>;
}

/** Creates an empty store of objects that answers a fake API's requests. */
export function createObjectStore(): ObjectStore {
  const objects = new Map<string, StoredObject>();
  let version = 0;
  const save = (path: string, object: StoredObject): StoredObject => {
    version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    objects.set(path, stored);
    return stored;
  };
  const answer = (request: SeenRequest): unknown => {
    const isStatus = request.path.endsWith("/status");
    const path = isStatus ? request.path.slice(0, -"/status".length) : request.path;
    if (request.method === "POST") return create(objects, { request, save });
    const stored = objects.get(path);
    if (stored === undefined) return failure(404, "NotFound");
    if (request.method === "GET") return stored;
    if (request.method === "DELETE") return objects.delete(path);
    const sent = sentObject(request, stored);
    const { resourceVersion } = sent.metadata;
    if (resourceVersion !== undefined && resourceVersion !== stored.metadata.resourceVersion) {
      return failure(409, "Conflict");
    }
    const next = isStatus ? { ...stored, status: sent.status } : { ...sent, status: stored.status };
    return deepEqual(next, stored) ? stored : save(path, next);
  };
  return { answer, objects };
}

function create(
  objects: ReadonlyMap<string, StoredObject>,
  context: { readonly request: SeenRequest; readonly save: (path: string, object: StoredObject) => StoredObject },
): unknown {
  const { status: _status, ...object } = context.request.body as StoredObject;
  const path = `${context.request.path}/${object.metadata.name ?? ""}`;
  return objects.has(path) ? failure(409, "AlreadyExists") : context.save(path, object);
}

function sentObject(request: SeenRequest, stored: StoredObject): StoredObject {
  return request.method === "PATCH"
    ? (applyJsonMergePatch(
        stored as unknown as { readonly [key: string]: JSONValue },
        request.body as JSONValue,
      ) as unknown as StoredObject)
    : (request.body as StoredObject);
}
