import { type DeepReadonly, ignoreNotFound, objectKey } from "@kubescaffold/k8s";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import type { Client } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import { setControllerReference } from "../controllerutil/controllerutil.ts";
import { type AppliedConfigurations, isApplied } from "./applied-already.ts";
import type { DesiredFields, NamedDependent } from "./dependent.ts";
import { configurationOf } from "./desired-object.ts";
import { DependentObjectError } from "./errors.ts";

/** A dependent of an owner with its desired fields. */
export interface DependentApply<O extends KubernetesObject> {
  readonly client: Client;
  readonly fieldOwner: string;
  readonly dependent: NamedDependent<O>;
  readonly owner: DeepReadonly<Stored<O>>;
  readonly fields: DesiredFields;
}

/** What is known of other applies. */
export interface OtherApplies {
  /** The dependents of this owner by their objects. */
  readonly taken: Map<string, string>;
  /** Earlier applies. */
  readonly applied: AppliedConfigurations;
  /** The key of the owner. */
  readonly request: string;
}

/**
 * Applies the desired fields of a dependent, unless that would change nothing, and returns the object.
 *
 * An object that is being deleted is returned as it is: its deletion reconciles the owner again.
 *
 * Fails: `AlreadyOwnedError` when another object controls it; {@link DependentObjectError}; like `client.apply`.
 */
export async function applyDependent<O extends KubernetesObject>(
  { client, fieldOwner, dependent, owner, fields }: DependentApply<O>,
  { taken, applied, request }: OtherApplies,
): Promise<DeepReadonly<Stored<KubernetesObject>>> {
  const { name, kind, schema } = dependent;
  const isNamespaced = await client.isNamespaced(kind);
  const configuration = configurationOf(fields, { name, kind, isNamespaced, fieldOwner, owner });
  const key = objectKey(configuration);
  claim(taken, name, `${kind.group}/${kind.kind} ${key.namespace}/${key.name}`);
  const existing = await ignoreNotFound(client.get<KubernetesObject>(kind, key));
  if (existing !== undefined) {
    if (existing.metadata.deletionTimestamp !== undefined) {
      return existing;
    }
    // Fails if another object controls it.
    setControllerReference(owner as ReadonlyObject, existing as ReadonlyObject);
    const planned = { existing, configuration, fieldOwner, schema };
    if (isApplied(planned) || applied.isKnown(request, name, planned)) {
      return existing;
    }
  }
  const stored = await client.apply<KubernetesObject>(configuration, { fieldOwner, forceOwnership: true });
  applied.record(request, name, { existing: stored, configuration, fieldOwner, schema });
  return stored;
}

function claim(taken: Map<string, string>, name: string, object: string): void {
  const other = taken.get(object);
  if (other !== undefined) {
    throw new DependentObjectError(
      name,
      `the dependent ${other} describes the same object, ${object}`,
      "return another metadata.name from desired()",
    );
  }
  taken.set(object, name);
}
