import { isNotFound, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Reader } from "../client/client.ts";
import type { ReconcileAnswer, ReconcileContext, Reconciler } from "./reconcile.ts";

/** A reconciler that is given the object in place of its name. */
export type ObjectReconcileFunction<T extends KubernetesObject> = (
  object: T,
  context: ReconcileContext,
) => Promise<ReconcileAnswer>;

/** Where {@link asReconciler} finds objects, and what it does with them. */
export interface ObjectReconcilerOptions<T extends KubernetesObject> {
  readonly client: Reader;
  readonly kind: Kind<T>;
  readonly reconcile: ObjectReconcileFunction<T>;
}

/** Creates a reconciler that reads the object first; one that is gone needs nothing done. */
export function asReconciler<T extends KubernetesObject>(options: ObjectReconcilerOptions<T>): Reconciler {
  const { client, kind, reconcile } = options;
  return {
    reconcile: async (request, context) => {
      let object: T;
      try {
        object = await client.get(kind, request, { signal: context.signal });
      } catch (error) {
        if (isNotFound(error)) {
          return {};
        }
        throw error;
      }
      return await reconcile(object, context);
    },
  };
}
