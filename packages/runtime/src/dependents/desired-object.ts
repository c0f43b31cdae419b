import { apiVersionOf, type DeepReadonly } from "@kubescaffold/k8s";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import type { ApplyConfiguration, KindRef } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import { setControllerReference } from "../controllerutil/controllerutil.ts";
import type { DesiredFields } from "./dependent.ts";
import { DependentObjectError } from "./errors.ts";

/** Names the dependent of an object: the field manager and the name of the dependent, separated by a slash. */
export const DEPENDENT_ANNOTATION = "kubescaffold.dev/dependent";

/** The dependent that an object is written for. */
export interface DesiredObject {
  readonly name: string;
  readonly kind: KindRef<KubernetesObject>;
  readonly isNamespaced: boolean;
  readonly fieldOwner: string;
  readonly owner: DeepReadonly<Stored<KubernetesObject>>;
}

/**
 * Completes the desired fields of a dependent: with its kind, its name and namespace, the annotation, and the owner as its controller.
 *
 * Fails: {@link DependentObjectError} for another kind or a missing namespace; `InvalidOwnerError` for another namespace.
 */
export function configurationOf(fields: DesiredFields, of: DesiredObject): ApplyConfiguration {
  const { kind, owner, fieldOwner, name } = of;
  const { apiVersion = apiVersionOf(kind), kind: stated = kind.kind, metadata, ...content } = fields;
  if (apiVersion !== apiVersionOf(kind) || stated !== kind.kind) {
    throw new DependentObjectError(
      name,
      `it describes a ${stated} of ${apiVersion}`,
      `describe a ${kind.kind} of ${apiVersionOf(kind)}, or pass the other kind to dependent()`,
    );
  }
  const { status: _status, ...specified } = content;
  return setControllerReference(owner as ReadonlyObject, {
    ...specified,
    apiVersion,
    kind: stated,
    metadata: {
      ...appliedMetadata(metadata),
      name: metadata?.name ?? owner.metadata.name ?? "",
      ...namespaceOf(metadata?.namespace, of),
      annotations: { ...metadata?.annotations, [DEPENDENT_ANNOTATION]: `${fieldOwner}/${name}` },
    },
  });
}

// The server sets the other metadata.
function appliedMetadata(metadata: DesiredFields["metadata"]): Partial<ReadonlyObject["metadata"]> {
  const { labels, finalizers, ownerReferences } = metadata ?? {};
  return {
    ...(labels === undefined ? {} : { labels }),
    ...(finalizers === undefined ? {} : { finalizers }),
    ...(ownerReferences === undefined ? {} : { ownerReferences }),
  };
}

function namespaceOf(stated: string | undefined, { name, kind, isNamespaced, owner }: DesiredObject): object {
  if (!isNamespaced) {
    if (owner.metadata.namespace !== undefined) {
      throw clusterScopedError({ name, kind, owner });
    }
    return {};
  }
  const namespace = stated ?? owner.metadata.namespace;
  if (namespace === undefined || namespace === "") {
    throw new DependentObjectError(
      name,
      `it has no namespace, and its owner ${owner.kind} is cluster-scoped`,
      "return metadata.namespace from desired()",
    );
  }
  return { namespace };
}

/** Returns the error of a dependent without a namespace whose owner has one. */
export function clusterScopedError(of: {
  readonly name: string;
  readonly kind: { readonly kind: string };
  readonly owner: { readonly kind: string };
}): DependentObjectError {
  return new DependentObjectError(
    of.name,
    `${of.kind.kind} is cluster-scoped, and its owner ${of.owner.kind} is namespaced`,
    "create such objects in a reconciler and delete them in a finalizer: they cannot have an owner in a namespace",
  );
}
