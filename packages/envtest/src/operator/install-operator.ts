import { gvkOf, isNotFound } from "@kubescaffold/k8s";
import { Namespace } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Client } from "@kubescaffold/runtime";
import type { OperatorManifests } from "@kubescaffold/runtime/operator-project";

/** Installs or updates an operator's namespace, service account, roles, bindings, and the Secret of its certificates, whose data stay. */
export async function installOperator(client: Client, operator: OperatorManifests): Promise<void> {
  const namespace = Namespace.create({ metadata: { name: operator.namespace } });
  for (const object of [namespace, ...operator.rbac, ...(operator.certificates?.objects ?? [])])
    await createOrReplace(client, object);
}

/** Creates an object, or replaces the content of an existing one. */
export async function createOrReplace(client: Client, object: KubernetesObject): Promise<void> {
  const { name = "", namespace } = object.metadata;
  try {
    const existing = await client.get(gvkOf(object), { name, ...(namespace === undefined ? {} : { namespace }) });
    const metadata = { ...existing.metadata, ...object.metadata };
    await client.update({ ...existing, ...object, metadata });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create(object);
  }
}
