import type { InternalClient } from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, StatusError } from "@kubescaffold/k8s";
import type { EndpointSlice } from "@kubescaffold/k8s/discovery/v1";

import { ENDPOINT_SLICES } from "./endpoint-resources.ts";
import type { SlicePlan } from "./slice-plan.ts";

/** Writes the slices of a plan; creates are skipped while their owner is being deleted. */
export async function writeSlices(
  client: InternalClient,
  { create, update, remove }: SlicePlan,
  { namespace, isOwnerDeleted }: { readonly namespace: string; readonly isOwnerDeleted: boolean },
): Promise<void> {
  const target = (slice: EndpointSlice) => ({ ...ENDPOINT_SLICES, namespace, name: slice.metadata.name ?? "" });
  for (const slice of isOwnerDeleted ? [] : create) {
    try {
      await client.create({ ...ENDPOINT_SLICES, namespace, name: "" }, slice as never);
    } catch (error) {
      if (isEnding(error)) return;
      throw error;
    }
  }
  for (const slice of update) await client.update(target(slice), slice as never);
  for (const slice of remove) {
    await client.delete(target(slice)).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/** Reports whether a create failed since the namespace is being deleted. */
export function isEnding(error: unknown): boolean {
  return (
    error instanceof StatusError &&
    (error.status.details?.causes ?? []).some(({ reason }) => reason === "NamespaceTerminating")
  );
}
