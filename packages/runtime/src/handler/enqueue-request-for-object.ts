import { objectKey } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { enqueue, isUnchangedCreate, isUnchangedUpdate, type EventHandler } from "./event-handler.ts";

/** Creates a handler that asks for the object itself to be reconciled. */
export function enqueueRequestForObject<T extends KubernetesObject = KubernetesObject>(): EventHandler<T> {
  return {
    create: (event, { queue }) => enqueue(queue, [objectKey(event.object)], isUnchangedCreate(event)),
    update: (event, { queue }) => enqueue(queue, [objectKey(event.objectNew)], isUnchangedUpdate(event)),
    delete: (event, { queue }) => enqueue(queue, [objectKey(event.object)]),
    generic: (event, { queue }) => enqueue(queue, [objectKey(event.object)]),
  };
}
