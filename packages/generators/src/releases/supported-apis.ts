import { createRequire } from "node:module";

import { KUBERNETES_MINOR, type KubernetesMinor, minorNumber, SUPPORTED_MINORS } from "@kubescaffold/k8s";
import type { BuiltInApi, ReleasePatch } from "@kubescaffold/k8s/schemas";

/** Loads the built-in API of a minor version of Kubernetes. */
export async function loadApi(minor: string): Promise<BuiltInApi> {
  const { builtInApi, patchedBuiltInApi } = await import("@kubescaffold/k8s/schemas");
  if (minor === KUBERNETES_MINOR) return builtInApi;
  return patchedBuiltInApi(createRequire(import.meta.url)(`@kubescaffold/k8s/releases/${minor}.json`) as ReleasePatch);
}

/** Returns the minor versions that a project supports, given the one in PROJECT: this one and all newer ones. */
export function minorsFrom(oldest: KubernetesMinor): readonly KubernetesMinor[] {
  return SUPPORTED_MINORS.filter((minor) => minorNumber(minor) >= minorNumber(oldest));
}
